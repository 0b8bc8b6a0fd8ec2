#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

// The calendar counted year by year and month by month, as far as that takes no time.

namespace millrace::property {

inline bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

inline std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  constexpr std::int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

struct CivilDay {
  std::int64_t year = 1970;
  std::int64_t month = 1;
  std::int64_t day = 1;
  std::int64_t of_year = 1;
};

inline constexpr std::int64_t kDaysOf400Years = 146'097;

inline std::int64_t divided_down(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return quotient * divisor > value ? quotient - 1 : quotient;
}

/// Of days since 1970-01-01.
inline CivilDay civil_day(std::int64_t days) {
  const std::int64_t rounds = divided_down(days, kDaysOf400Years);
  std::int64_t left = days - rounds * kDaysOf400Years;
  CivilDay result;
  while (left >= (is_leap(result.year) ? 366 : 365)) {
    left -= is_leap(result.year) ? 366 : 365;
    ++result.year;
  }
  result.of_year = left + 1;
  while (left >= days_of_month(result.year, result.month)) {
    left -= days_of_month(result.year, result.month);
    ++result.month;
  }
  result.day = left + 1;
  result.year += rounds * 400;
  return result;
}

/// Days since 1970-01-01 of a day that there is.
inline std::int64_t day_number(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t rounds = divided_down(year - 1970, 400);
  const std::int64_t last = year - rounds * 400;
  std::int64_t days = rounds * kDaysOf400Years + day - 1;
  for (std::int64_t each = 1970; each < last; ++each) days += is_leap(each) ? 366 : 365;
  for (std::int64_t each = 1; each < month; ++each) days += days_of_month(last, each);
  return days;
}

/// 0 for Monday; 1970-01-01 was a Thursday.
inline std::int64_t weekday_number(std::int64_t days) {
  return (days - divided_down(days, 7) * 7 + 3) % 7;
}

inline std::string plain_date_text(std::int64_t days) {
  const CivilDay civil = civil_day(days);
  char text[64];
  std::snprintf(text, sizeof(text), "%s%04lld-%02lld-%02lld",
                civil.year < 0       ? "-"
                : civil.year > 9'999 ? "+"
                                     : "",
                static_cast<long long>(civil.year < 0 ? -civil.year : civil.year),
                static_cast<long long>(civil.month), static_cast<long long>(civil.day));
  return text;
}

inline std::string plain_time_text(std::int64_t micros) {
  constexpr std::int64_t kDay = 86'400'000'000;
  const std::int64_t days = divided_down(micros, kDay);
  const auto rest = static_cast<std::int64_t>(__int128{micros} - __int128{days} * kDay);
  const std::int64_t seconds = rest / 1'000'000;
  char text[64];
  std::snprintf(text, sizeof(text), " %02lld:%02lld:%02lld",
                static_cast<long long>(seconds / 3'600), static_cast<long long>(seconds / 60 % 60),
                static_cast<long long>(seconds % 60));
  std::string result = plain_date_text(days) + text;
  if (rest % 1'000'000 == 0) return result;
  std::snprintf(text, sizeof(text), ".%06lld", static_cast<long long>(rest % 1'000'000));
  result += text;
  while (result.back() == '0') result.pop_back();
  return result;
}

}  // namespace millrace::property
