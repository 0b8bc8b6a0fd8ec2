#pragma once

#include "millrace/query.hpp"

#include <string>

namespace millrace::demo {

/// The two header lines of the live table.
[[nodiscard]] std::string table_header();
/// One epoch as a row of the table: records per second in and out, then p50, p99 and max of each
/// stage in ms.
[[nodiscard]] std::string table_row(const QueryProgress& progress);

}  // namespace millrace::demo
