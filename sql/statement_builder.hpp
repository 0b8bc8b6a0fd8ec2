#pragma once

#include "millrace/error.hpp"

#include "sql/statement.hpp"

#include <string>
#include <vector>

namespace millrace::sql {

/// Parses a job into its statements. `text` has its variables filled in (SourceText). Whatever is
/// not supported is refused by its SQL name; every error has a position in `text`.
[[nodiscard]] Result<std::vector<Statement>> build_statements(const std::string& text);

}  // namespace millrace::sql
