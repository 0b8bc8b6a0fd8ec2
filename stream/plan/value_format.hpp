#pragma once

#include "millrace/error.hpp"

#include "stream/table.hpp"

#include <string>

namespace millrace::stream {

/// How the `value` of a table's records is to be read or written: option `format`, or 'raw' for a
/// table that declares no columns and names none. Unknown formats name the nearest.
[[nodiscard]] Result<std::string> value_format_of(const TableDefinition& table);

}  // namespace millrace::stream
