#pragma once

#include "formats/table_rows.hpp"
#include "stream/table.hpp"

namespace millrace::connectors {

/// What analysis must know of a static table in a file, or why its options cannot be right.
[[nodiscard]] Result<stream::TableTraits> file_table_traits(const stream::TableDefinition& table);

/// Reads the whole file (option path, relative to the working directory; format csv or json, one
/// object a line) into memory. A missing file, a missing column or a bad value is an error that
/// says where.
[[nodiscard]] Result<formats::TableRows> load_file_table(const stream::TableDefinition& table);

/// What tells a changed file from the same one, without reading it: its time, size and number.
[[nodiscard]] Result<std::string> file_table_stamp(const stream::TableDefinition& table);

}  // namespace millrace::connectors
