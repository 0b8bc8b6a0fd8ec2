#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_calendar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

// Times in UTC: their parts, cut and counted, as numbers and as texts.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Text = std::string;

constexpr Long kSecond = 1'000'000;
constexpr Long kDay = 86'400 * kSecond;

Long day_of(Time time) { return divided_down(time.micros, kDay); }
Long of_day(Time time) {
  return static_cast<Long>(Int128{time.micros} - Int128{day_of(time)} * kDay);
}

Time time_of(Int128 micros) {
  if (micros != static_cast<Long>(micros)) throw Failure();
  return {static_cast<Long>(micros)};
}

Int hour_of(Time time) { return static_cast<Int>(of_day(time) / (3'600 * kSecond)); }
Int minute_of(Time time) { return static_cast<Int>(of_day(time) / (60 * kSecond) % 60); }
Int second_of(Time time) { return static_cast<Int>(of_day(time) / kSecond % 60); }

Build with_text(const char* name, const char* text, bool is_first = false) {
  return [=](std::vector<Expr> c) {
    c.insert(is_first ? c.begin() : c.end(), lit(text));
    return call(name, std::move(c));
  };
}

void add_parts(Oracles& oracles) {
  oracles.push_back(oracle("hour(timestamp)", "hour", hour_of));
  oracles.push_back(oracle("minute(timestamp)", "minute", minute_of));
  oracles.push_back(oracle("second(timestamp)", "second", second_of));
  oracles.push_back(
      oracle("date_part('part', timestamp)", with_text("date_part", "hour", true), hour_of));
  oracles.push_back(oracle("date_part('part', timestamp)", with_text("date_part", "second", true),
                           [](Time time) { return Money<8, 6>{of_day(time) % (60 * kSecond)}; }));
  oracles.push_back(oracle("date_part('part', timestamp)", with_text("date_part", "epoch", true),
                           [](Time time) { return Money<20, 6>{time.micros}; }));
}

/// Length of a unit that is always the same; 0 for months and more.
Long length_of(const Text& unit) {
  if (unit == "microsecond") return 1;
  if (unit == "millisecond") return 1'000;
  if (unit == "second") return kSecond;
  if (unit == "minute") return 60 * kSecond;
  if (unit == "hour") return 3'600 * kSecond;
  if (unit == "day") return kDay;
  return unit == "week" ? 7 * kDay : 0;
}

Long months_of(const Text& unit) { return unit == "year" ? 12 : unit == "quarter" ? 3 : 1; }

Long month_number(Time time) {
  const CivilDay day = civil_day(day_of(time));
  return day.year * 12 + day.month - 1;
}

/// The first of a month by its number since year 0.
Long first_of_month(Long number) {
  const Long year = divided_down(number, 12);
  return day_number(year, number - year * 12 + 1, 1);
}

std::optional<Time> begin_of(const Text& unit, Time time) {
  Int128 begin = 0;
  if (unit == "week")
    begin = Int128{day_of(time) - weekday_number(day_of(time))} * kDay;
  else if (const Long length = length_of(unit); length > 0)
    begin = Int128{divided_down(time.micros, length)} * length;
  else
    begin = Int128{first_of_month(divided_down(month_number(time), months_of(unit)) *
                                  months_of(unit))} *
            kDay;
  // At the very begin of time there is none: the time stays.
  return begin == static_cast<Long>(begin) ? Time{static_cast<Long>(begin)} : time;
}

Time later(const Text& unit, Long count, Time time) {
  const Long length = length_of(unit);
  if (length > 0) return time_of(Int128{time.micros} + Int128{count} * length);
  const Long number = month_number(time) + count * months_of(unit);
  const Long year = divided_down(number, 12);
  const Long day =
      std::min(civil_day(day_of(time)).day, days_of_month(year, number - year * 12 + 1));
  return time_of(Int128{first_of_month(number) + day - 1} * kDay + of_day(time));
}

/// Of months the most that do not lead beyond the end.
Long count_between(const Text& unit, Time begin, Time end) {
  const Int128 span = Int128{end.micros} - begin.micros;
  if (const Long length = length_of(unit); length > 0) {
    if (span != static_cast<Long>(span)) throw Failure();
    return static_cast<Long>(span) / length;
  }
  const auto within = [](Time time) {
    return (civil_day(day_of(time)).day - 1) * kDay + of_day(time);
  };
  Long months = month_number(end) - month_number(begin);
  if (months > 0 && within(end) < within(begin)) --months;
  if (months < 0 && within(end) > within(begin)) ++months;
  return months / months_of(unit);
}

void add_units(Oracles& oracles) {
  for (const char* unit : {"microsecond", "millisecond", "second", "minute", "hour", "day", "week",
                           "month", "quarter", "year"}) {
    oracles.push_back(oracle("date_trunc(string, timestamp)", with_text("date_trunc", unit, true),
                             [=](Time time) { return begin_of(unit, time); }));
    oracles.push_back(
        oracle("timestampadd(string, bigint, timestamp)", with_text("timestampadd", unit, true),
               [=](FewLong count, Time time) { return later(unit, count.value, time); }));
    oracles.push_back(oracle(
        "timestampdiff(string, timestamp, timestamp)", with_text("timestampdiff", unit, true),
        [=](Time begin, Time end) -> Long { return count_between(unit, begin, end); }));
  }
}

double months_between(Time left, Time right, bool is_rounded) {
  const CivilDay a = civil_day(day_of(left));
  const CivilDay b = civil_day(day_of(right));
  const auto months = static_cast<double>(month_number(left) - month_number(right));
  const bool are_last =
      a.day == days_of_month(a.year, a.month) && b.day == days_of_month(b.year, b.month);
  if (a.day == b.day || are_last) return months;
  const Long seconds = (a.day - b.day) * 86'400 + of_day(left) / kSecond - of_day(right) / kSecond;
  const double exact = months + static_cast<double>(seconds) / (31 * 86'400.0);
  return is_rounded ? std::floor(exact * 1e8 + 0.5) / 1e8 : exact;
}

void add_numbers(Oracles& oracles) {
  oracles.push_back(
      oracle("months_between(timestamp, timestamp)", "months_between",
             [](Time left, Time right) { return months_between(left, right, true); }));
  oracles.push_back(
      oracle("months_between(timestamp, timestamp, boolean)", "months_between", months_between));
  oracles.push_back(oracle("timestamp_micros(bigint)", "timestamp_micros",
                           [](Long number) { return Time{number}; }));
  oracles.push_back(oracle("timestamp_millis(bigint)", "timestamp_millis",
                           [](Long number) { return time_of(Int128{number} * 1'000); }));
  oracles.push_back(oracle("timestamp_seconds(bigint)", "timestamp_seconds",
                           [](Long number) { return time_of(Int128{number} * kSecond); }));
  oracles.push_back(oracle("timestamp_seconds(decimal(38,6))", "timestamp_seconds",
                           [](Money<38, 6> seconds) { return time_of(seconds.unscaled); }));
  oracles.push_back(oracle("timestamp_seconds(double)", "timestamp_seconds",
                           [](double seconds) -> std::optional<Time> {
                             if (!std::isfinite(seconds)) return std::nullopt;
                             const double micros = seconds * 1e6;
                             if (!(std::abs(micros) < 9223372036854775808.0)) throw Failure();
                             return Time{static_cast<Long>(micros)};
                           }));
  oracles.push_back(oracle("unix_micros(timestamp)", "unix_micros",
                           [](Time time) -> Long { return time.micros; }));
  oracles.push_back(oracle("unix_millis(timestamp)", "unix_millis",
                           [](Time time) -> Long { return divided_down(time.micros, 1'000); }));
  oracles.push_back(oracle("unix_seconds(timestamp)", "unix_seconds",
                           [](Time time) -> Long { return divided_down(time.micros, kSecond); }));
  oracles.push_back(oracle("unix_timestamp(timestamp)", "unix_timestamp",
                           [](Time time) -> Long { return time.micros / kSecond; }));
  oracles.push_back(oracle("to_timestamp(bigint)", "to_timestamp",
                           [](Long number) { return time_of(Int128{number} * kSecond); }));
  oracles.push_back(
      oracle("to_timestamp(timestamp)", "to_timestamp", [](Time time) { return time; }));
  oracles.push_back(oracle("to_date(date)", "to_date", [](Date date) { return date; }));
}

void add_making(Oracles& oracles) {
  using Seconds = Money<16, 6>;
  const auto make = [](Int year, Few month, Few day, Few hour, Few minute, Seconds second) {
    if (month.value < 1 || month.value > 12 || day.value < 1 ||
        day.value > days_of_month(year, month.value))
      throw Failure();
    if (hour.value < 0 || hour.value > 23 || minute.value < 0 || minute.value > 59) throw Failure();
    if (second.unscaled < 0 || second.unscaled > 60 * kSecond) throw Failure();
    const Long days = day_number(year, month.value, day.value);
    if (days != static_cast<Int>(days)) throw Failure();
    return time_of(Int128{days} * kDay + (Long{hour.value} * 60 + minute.value) * 60 * kSecond +
                   second.unscaled);
  };
  oracles.push_back(
      oracle("make_timestamp(int, int, int, int, int, decimal(16,6))", "make_timestamp", make));
  oracles.push_back(oracle("make_timestamp(int, int, int, int, int, decimal(16,6), string)",
                           with_text("make_timestamp", "UTC"), make));
}

/// Zones without daylight saving, by hours.
void add_zones(Oracles& oracles) {
  constexpr Long kNine = 9 * 3'600 * kSecond;
  const auto moved = [](Long by) {
    return [by](Time time) {
      const Int128 sum = Int128{time.micros} + by;
      if (sum == static_cast<Long>(sum)) return Time{static_cast<Long>(sum)};
      return Time{by < 0 ? std::numeric_limits<Long>::min() : std::numeric_limits<Long>::max()};
    };
  };
  oracles.push_back(oracle("from_utc_timestamp(timestamp, string)",
                           with_text("from_utc_timestamp", "+09:00"), moved(kNine)));
  oracles.push_back(oracle("to_utc_timestamp(timestamp, string)",
                           with_text("to_utc_timestamp", "+09:00"), moved(-kNine)));
  oracles.push_back(oracle("convert_timezone(string, timestamp)",
                           with_text("convert_timezone", "+09:00", true), moved(kNine)));
  oracles.push_back(oracle(
      "convert_timezone(string, string, timestamp)",
      [](const std::vector<Expr>& c) {
        return call("convert_timezone",
                    {lit("+01:00"), lit("+03:00"), c[0].cast(TypeKind::kTimestamp)});
      },
      [](Int seconds) { return Time{(seconds + Long{2} * 3'600) * kSecond}; }));
}

/// yyyy-MM-dd HH:mm:ss of years that have four digits.
Text shown(Time time) {
  const CivilDay day = civil_day(day_of(time));
  char text[64];
  std::snprintf(text, sizeof(text), "%04lld-%02lld-%02lld %02d:%02d:%02d",
                static_cast<long long>(day.year), static_cast<long long>(day.month),
                static_cast<long long>(day.day), hour_of(time), minute_of(time), second_of(time));
  return text;
}

/// Of times that an int's seconds reach, whose years have four digits.
void add_texts(Oracles& oracles) {
  const auto of_seconds = [](Int seconds) { return Time{seconds * kSecond}; };
  oracles.push_back(oracle("from_unixtime(bigint)", "from_unixtime",
                           [=](Int seconds) { return shown(of_seconds(seconds)); }));
  oracles.push_back(oracle("from_unixtime(bigint, string)", with_text("from_unixtime", "HH:mm"),
                           [=](Int seconds) { return shown(of_seconds(seconds)).substr(11, 5); }));
  oracles.push_back(oracle(
      "date_format(timestamp, string)",
      [](const std::vector<Expr>& c) {
        return call("date_format", {c[0].cast(TypeKind::kTimestamp), lit("yyyy-MM-dd HH:mm:ss")});
      },
      [=](Int seconds) { return shown(of_seconds(seconds)); }));
  const auto back = [](const char* name, const char* pattern) {
    return [=](const std::vector<Expr>& c) {
      const Expr text = call("from_unixtime", {c[0]});
      return pattern == nullptr ? call(name, {text}) : call(name, {text, lit(pattern)});
    };
  };
  constexpr const char* kPattern = "yyyy-MM-dd HH:mm:ss";
  oracles.push_back(oracle("unix_timestamp(string)", back("unix_timestamp", nullptr),
                           [](Int seconds) -> Long { return seconds; }));
  oracles.push_back(oracle("unix_timestamp(string, string)", back("unix_timestamp", kPattern),
                           [](Int seconds) -> Long { return seconds; }));
  oracles.push_back(oracle("to_timestamp(string)", back("to_timestamp", nullptr), of_seconds));
  oracles.push_back(
      oracle("to_timestamp(string, string)", back("to_timestamp", kPattern), of_seconds));
  const auto day = [=](Int seconds) { return Date{static_cast<Int>(day_of(of_seconds(seconds)))}; };
  oracles.push_back(oracle("to_date(string)", back("to_date", nullptr), day));
  oracles.push_back(oracle("to_date(string, string)", back("to_date", kPattern), day));
}

}  // namespace

Oracles time_oracles() {
  Oracles oracles;
  add_parts(oracles);
  add_units(oracles);
  add_numbers(oracles);
  add_making(oracles);
  add_zones(oracles);
  add_texts(oracles);
  return oracles;
}

}  // namespace millrace::property
