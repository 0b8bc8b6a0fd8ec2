#include "stream/calendar.hpp"

#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace millrace::stream {

namespace {

constexpr std::int64_t kDaysPerEra = 146'097;      // 400 years
constexpr std::int64_t kEpochFromMarch = 719'468;  // 1970-01-01 after 0000-03-01
constexpr std::int64_t kMonthsMax = std::int64_t{12} * 10'000'000;

struct UnitName {
  std::string_view name;
  TimeUnit unit;
};

constexpr auto kUnitNames = std::to_array<UnitName>({
    {"microsecond", TimeUnit::kMicrosecond},
    {"millisecond", TimeUnit::kMillisecond},
    {"second", TimeUnit::kSecond},
    {"minute", TimeUnit::kMinute},
    {"hour", TimeUnit::kHour},
    {"day", TimeUnit::kDay},
    {"dd", TimeUnit::kDay},
    {"week", TimeUnit::kWeek},
    {"mon", TimeUnit::kMonth},
    {"month", TimeUnit::kMonth},
    {"mm", TimeUnit::kMonth},
    {"quarter", TimeUnit::kQuarter},
    {"year", TimeUnit::kYear},
    {"yyyy", TimeUnit::kYear},
    {"yy", TimeUnit::kYear},
});

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

}  // namespace

CalendarDate calendar_date(std::int64_t days) {
  const std::int64_t shifted = days + kEpochFromMarch;
  const std::int64_t era = divide_down(shifted, kDaysPerEra);
  const std::int64_t of_era = rest_of(shifted, kDaysPerEra);
  const std::int64_t year_of_era =
      (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t from_march = (5 * of_year + 2) / 153;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
          of_year - (153 * from_march + 2) / 5 + 1};
}

std::int64_t days_since_epoch(const CalendarDate& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = divide_down(year, 400);
  const std::int64_t of_era = rest_of(year, 400);
  const std::int64_t from_march = date.month > 2 ? date.month - 3 : date.month + 9;
  const std::int64_t of_year = (153 * from_march + 2) / 5 + date.day - 1;
  return era * kDaysPerEra + of_era * 365 + of_era / 4 - of_era / 100 + of_year - kEpochFromMarch;
}

std::int64_t days_in_month(std::int64_t year, std::int64_t month) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

std::optional<std::int32_t> checked_day(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  const std::int64_t days = days_since_epoch({year, month, day});
  if (days != static_cast<std::int32_t>(days)) return std::nullopt;
  return static_cast<std::int32_t>(days);
}

std::int64_t day_of_year(std::int64_t days) {
  return days - days_since_epoch({calendar_date(days).year, 1, 1}) + 1;
}

std::int64_t iso_year(std::int64_t days) { return calendar_date(days - weekday_of(days) + 3).year; }

std::int64_t iso_week(std::int64_t days) {
  return (day_of_year(days - weekday_of(days) + 3) - 1) / 7 + 1;
}

std::int64_t plus_months(std::int64_t days, std::int64_t months) {
  const CalendarDate date = calendar_date(days);
  const std::int64_t number = date.month_number() + months;
  const std::int64_t year = divide_down(number, 12);
  const std::int64_t month = rest_of(number, 12) + 1;
  return days_since_epoch({year, month, std::min(date.day, days_in_month(year, month))});
}

std::optional<TimeUnit> time_unit(std::string_view name) {
  for (const UnitName& each : kUnitNames) {
    if (equals_ignoring_case(name, each.name)) return each.unit;
  }
  return std::nullopt;
}

std::int64_t micros_per(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMicrosecond:
      return 1;
    case TimeUnit::kMillisecond:
      return kMicrosPerMilli;
    case TimeUnit::kSecond:
      return kMicrosPerSecond;
    case TimeUnit::kMinute:
      return kMicrosPerMinute;
    case TimeUnit::kHour:
      return kMicrosPerHour;
    case TimeUnit::kWeek:
      return 7 * kMicrosPerDay;
    default:
      return kMicrosPerDay;
  }
}

std::int64_t begin_of(TimeUnit unit, std::int64_t days) {
  if (unit == TimeUnit::kWeek) return days - weekday_of(days);
  if (unit < TimeUnit::kMonth) return days;
  CalendarDate date = calendar_date(days);
  date.day = 1;
  if (unit == TimeUnit::kQuarter) date.month -= (date.month - 1) % 3;
  if (unit == TimeUnit::kYear) date.month = 1;
  return days_since_epoch(date);
}

std::int64_t truncate_time(TimeUnit unit, std::int64_t utc_us, const TimeZone& zone) {
  std::int64_t result = 0;
  if (unit <= TimeUnit::kSecond) {
    const bool is_out_of_range =
        __builtin_sub_overflow(utc_us, rest_of(utc_us, micros_per(unit)), &result);
    return is_out_of_range ? utc_us : result;
  }
  const std::int64_t local = zone.to_local(utc_us);
  if (unit <= TimeUnit::kDay) {
    if (__builtin_sub_overflow(local, rest_of(local, micros_per(unit)), &result)) return utc_us;
    return to_utc_near(result, zone.offset_at(utc_us), zone);
  }
  const std::int64_t begin = begin_of(unit, divide_down(local, kMicrosPerDay));
  if (__builtin_mul_overflow(begin, kMicrosPerDay, &result)) return utc_us;
  return zone.to_utc(result);
}

std::int64_t to_utc_near(std::int64_t local_us, std::int64_t offset_us, const TimeZone& zone) {
  std::int64_t utc = 0;
  if (__builtin_sub_overflow(local_us, offset_us, &utc)) return zone.to_utc(local_us);
  return zone.offset_at(utc) == offset_us ? utc : zone.to_utc(local_us);
}

std::optional<std::int64_t> plus_time(std::int64_t utc_us, std::int64_t months, std::int64_t days,
                                      std::int64_t microseconds, const TimeZone& zone) {
  const auto move_to = [&](std::int64_t local_day) {
    const std::int64_t time = rest_of(zone.to_local(utc_us), kMicrosPerDay);
    std::int64_t local = 0;
    if (__builtin_mul_overflow(local_day, kMicrosPerDay, &local) ||
        __builtin_add_overflow(local, time, &local))
      return false;
    utc_us = to_utc_near(local, zone.offset_at(utc_us), zone);
    return true;
  };
  const auto local_day = [&] { return divide_down(zone.to_local(utc_us), kMicrosPerDay); };
  if (months > kMonthsMax || months < -kMonthsMax) return std::nullopt;
  if (months != 0 && !move_to(plus_months(local_day(), months))) return std::nullopt;
  std::int64_t target = 0;
  if (__builtin_add_overflow(local_day(), days, &target)) return std::nullopt;
  if (days != 0 && !move_to(target)) return std::nullopt;
  if (__builtin_add_overflow(utc_us, microseconds, &utc_us)) return std::nullopt;
  return utc_us;
}

std::int64_t whole_months_between(std::int64_t from_local_us, std::int64_t to_local_us) {
  const auto place = [](std::int64_t local_us) {
    return calendar_date(divide_down(local_us, kMicrosPerDay));
  };
  const auto within = [&](std::int64_t local_us) {
    return place(local_us).day * kMicrosPerDay + rest_of(local_us, kMicrosPerDay);
  };
  const std::int64_t months =
      place(to_local_us).month_number() - place(from_local_us).month_number();
  const std::int64_t left = within(to_local_us) - within(from_local_us);
  if (months > 0 && left < 0) return months - 1;
  if (months < 0 && left > 0) return months + 1;
  return months;
}

}  // namespace millrace::stream
