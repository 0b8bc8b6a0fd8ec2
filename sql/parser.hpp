#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <string>

namespace millrace::sql {

/// Parses SQL by PostgreSQL's own grammar and gives its raw parse tree: an object with `stmts`, an
/// array of {stmt, stmt_location, stmt_len}. Locations are bytes in `text`. Syntax errors carry
/// their position; where the mistake is one that PostgreSQL's words do not explain, they show the
/// right form. The one place that knows libpg_query; any thread.
[[nodiscard]] Result<formats::JsonValue> parse_tree(const std::string& text);

}  // namespace millrace::sql
