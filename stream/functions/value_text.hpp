#pragma once

#include "millrace/column.hpp"

#include "stream/arena_text.hpp"
#include "stream/time_zone.hpp"

#include <cstddef>

namespace millrace::stream {

/// Adds a value, not null, as a cast to string shows it: "1.50", "true", "2024-02-29 12:30:00.25"
/// in the zone, bytes as the text they hold, "[1, null]", "{1, a}" of a struct, "{a -> 1}" of a
/// map.
void put_value_text(const Column& column, std::size_t row, const TimeZone& zone, ArenaText& out);

}  // namespace millrace::stream
