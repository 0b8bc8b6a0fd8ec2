#pragma once

#include "millrace/error.hpp"
#include "millrace/schema.hpp"

#include "formats/table_rows.hpp"

#include <string>
#include <string_view>

namespace millrace::formats {

/// Reads text with one JSON object a line into a table, for static tables: the whole text is in
/// memory. Columns are members by name, taken as JsonDecoder takes them; other members are passed
/// over, empty lines too, and so is a byte order mark. The first thing that is wrong ends it:
/// kBadRecord says "users.jsonl, line 3: ...". `source` is named in errors: the file's path.
[[nodiscard]] Result<TableRows> read_json_table(const SchemaRef& schema, std::string_view text,
                                                const std::string& source);

}  // namespace millrace::formats
