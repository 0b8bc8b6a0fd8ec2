#pragma once

#include "millrace/data_type.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// The text of intervals, both ways. Pure functions.

namespace millrace::stream {

/// Room that write_interval needs at most.
inline constexpr std::size_t kIntervalTextMax = 128;

/// Writes "1 years 2 months 3 days 4 hours 5 minutes 6.5 seconds" without the units that are zero;
/// "0 seconds" when all are. Gives its length.
std::size_t write_interval(const Interval& value, char* out);
std::string interval_text(const Interval& value);

/// Reads numbers with units, "1 year 2 days -3.5 hours", singular or plural, in any case, after an
/// optional "interval". Years and months make months; weeks and days make days; hours, minutes,
/// seconds, milliseconds and microseconds make microseconds, and only these may have a fraction.
/// Nothing if it is not that or is out of range.
std::optional<Interval> read_interval(std::string_view text);

}  // namespace millrace::stream
