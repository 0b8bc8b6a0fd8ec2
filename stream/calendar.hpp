#pragma once

#include "stream/time_zone.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

// The proleptic Gregorian calendar on days and microseconds since 1970-01-01. Pure functions.

namespace millrace::stream {

inline constexpr std::int64_t kMicrosPerMilli = 1'000;
inline constexpr std::int64_t kMicrosPerSecond = 1'000'000;
inline constexpr std::int64_t kMicrosPerMinute = 60 * kMicrosPerSecond;
inline constexpr std::int64_t kMicrosPerHour = 60 * kMicrosPerMinute;
inline constexpr std::int64_t kMicrosPerDay = 24 * kMicrosPerHour;

/// Towards minus infinity; the divisor is above 0.
constexpr std::int64_t divide_down(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}
/// What divide_down leaves: from 0 to below the divisor.
constexpr std::int64_t rest_of(std::int64_t value, std::int64_t divisor) {
  const std::int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

/// A day by its parts. Year 0 is the one before year 1.
struct CalendarDate {
  std::int64_t year = 1970;
  std::int64_t month = 1;  ///< 1 to 12
  std::int64_t day = 1;    ///< 1 to 31

  /// Months since year 0.
  [[nodiscard]] std::int64_t month_number() const { return year * 12 + month - 1; }
};

[[nodiscard]] CalendarDate calendar_date(std::int64_t days);
/// Of parts that are in range.
[[nodiscard]] std::int64_t days_since_epoch(const CalendarDate& date);
[[nodiscard]] std::int64_t days_in_month(std::int64_t year, std::int64_t month);
/// The day of these parts; nothing if there is none or it is out of a date's range.
[[nodiscard]] std::optional<std::int32_t> checked_day(std::int64_t year, std::int64_t month,
                                                      std::int64_t day);

/// 0 for Monday to 6 for Sunday.
[[nodiscard]] inline std::int64_t weekday_of(std::int64_t days) { return rest_of(days + 3, 7); }
/// 1 for the first of January.
[[nodiscard]] std::int64_t day_of_year(std::int64_t days);
/// By ISO 8601: weeks begin on Monday, the first of a year has its first Thursday.
[[nodiscard]] std::int64_t iso_week(std::int64_t days);
/// The year that the week belongs to.
[[nodiscard]] std::int64_t iso_year(std::int64_t days);

/// The same day so many months on; the month's last if it is shorter.
[[nodiscard]] std::int64_t plus_months(std::int64_t days, std::int64_t months);

/// What a time is cut to.
enum class TimeUnit : std::uint8_t {
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear,
};

/// "day", "DD", "mon", "yyyy", ... in any case; nothing for other words.
[[nodiscard]] std::optional<TimeUnit> time_unit(std::string_view name);
/// Length of a unit up to the week, in µs.
[[nodiscard]] std::int64_t micros_per(TimeUnit unit);
/// The first day of the week, month, quarter or year; the day itself for smaller units.
[[nodiscard]] std::int64_t begin_of(TimeUnit unit, std::int64_t days);
/// The begin of the unit, by the clock of the zone.
[[nodiscard]] std::int64_t truncate_time(TimeUnit unit, std::int64_t utc_us, const TimeZone& zone);

/// The UTC time of a local one; of a local time that comes twice the one with this offset.
[[nodiscard]] std::int64_t to_utc_near(std::int64_t local_us, std::int64_t offset_us,
                                       const TimeZone& zone);
/// Months and days go by the zone's calendar, microseconds by the flow of time. Nothing if out of
/// range.
[[nodiscard]] std::optional<std::int64_t> plus_time(std::int64_t utc_us, std::int64_t months,
                                                    std::int64_t days, std::int64_t microseconds,
                                                    const TimeZone& zone);
/// Whole months from one local time to the other.
[[nodiscard]] std::int64_t whole_months_between(std::int64_t from_local_us,
                                                std::int64_t to_local_us);

}  // namespace millrace::stream
