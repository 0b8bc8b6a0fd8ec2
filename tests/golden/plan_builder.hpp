#pragma once

#include "millrace/data_frame.hpp"
#include "millrace/memory.hpp"
#include "millrace/session.hpp"

#include "formats/json_document.hpp"

#include <map>
#include <string>

namespace millrace::golden {

/// The tables of a case, by name.
struct GoldenTables {
  std::map<std::string, MemorySource> streams;
  std::map<std::string, MemoryTable> statics;
};

/// Builds the frame that a case's query (its list of operators) describes, by the public API.
/// kNotSupported says what the engine has not got.
[[nodiscard]] Result<DataFrame> build_frame(const Session& session, const GoldenTables& tables,
                                            const formats::JsonValue& query);

}  // namespace millrace::golden
