#pragma once

#include "stream/time_zone.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The text of single values, both ways, as casts give and take it. Pure functions, no allocation
// in those that write into a buffer.

namespace millrace::stream {

/// Room that any of the write functions below needs at most.
inline constexpr std::size_t kScalarTextMax = 48;

/// Writes the shortest text that reads back as the same double: "1.5", "100.0", "1.0E10", "NaN",
/// "Infinity", "-Infinity". Gives its length.
std::size_t write_double(double value, char* out);
std::size_t write_int64(std::int64_t value, char* out);
/// Writes "2024-02-29"; years outside 0..9999 get a sign and as many digits as they need.
std::size_t write_date(std::int32_t days, char* out);
/// Writes "2024-02-29 12:30:00.25": UTC, the fraction without its trailing zeroes.
std::size_t write_timestamp(std::int64_t microseconds, char* out);

std::string double_text(double value);
std::string date_text(std::int32_t days);
std::string timestamp_text(std::int64_t microseconds);

/// The readers below take the whole text, blanks at its ends apart; nothing if it is not such a
/// value or is out of range.

std::optional<std::int64_t> read_int64(std::string_view text);
/// The same with a point and digits behind it, which are dropped: "12.7" is 12, "." is 0.
std::optional<std::int64_t> read_int64_leniently(std::string_view text);
/// Decimal or exponent form, also with a d or f behind it ("1.5f"), hexadecimal with an exponent
/// ("0x1p3"), and nan, inf, infinity in any case.
std::optional<double> read_double(std::string_view text);
/// true, t, yes, y, 1 and false, f, no, n, 0 in any case.
std::optional<bool> read_boolean(std::string_view text);
/// "2024", "2024-2", "2024-02-29", the last also with anything behind it after a blank or T, which
/// is dropped. A year has 4 to 7 digits and may have a sign.
std::optional<std::int32_t> read_date(std::string_view text);
/// A date, with a year of 4 to 6 digits, then, if it names a day, blank or T,
/// hours[:minutes[:seconds[.fraction]]] and a zone: Z, UTC, +02:00, +0200, -8, PST, Europe/Berlin.
/// Without one it is a time of `zone`. Digits of the fraction beyond the sixth are dropped.
std::optional<std::int64_t> read_timestamp(std::string_view text,
                                           const TimeZone& zone = TimeZone::utc());

}  // namespace millrace::stream
