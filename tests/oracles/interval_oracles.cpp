#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_calendar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Intervals: their parts, computed with, and added to dates and times in UTC.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;

constexpr Long kDay = 86'400'000'000;

template <typename T>
T checked(Int128 value) {
  if (value != static_cast<T>(value)) throw Failure();
  return static_cast<T>(value);
}

Span span_of(Int128 months, Int128 days, Int128 micros) {
  return {checked<Int>(months), checked<Int>(days), checked<Long>(micros)};
}

Span times(const Span& span, Int128 factor) {
  return span_of(span.months * factor, span.days * factor, span.microseconds * factor);
}

Long months_later(Long days, Long months) {
  const CivilDay day = civil_day(days);
  const Long number = day.year * 12 + day.month - 1 + months;
  const Long year = divided_down(number, 12);
  const Long month = number - year * 12 + 1;
  return day_number(year, month, std::min(day.day, days_of_month(year, month)));
}

Time later(Time time, const Span& span) {
  const Long days = divided_down(time.micros, kDay);
  const Int128 of_day = Int128{time.micros} - Int128{days} * kDay;
  const Int128 months_on = Int128{months_later(days, span.months)} * kDay + of_day;
  const Int128 days_on = Int128{checked<Long>(months_on)} + Int128{span.days} * kDay;
  return {checked<Long>(Int128{checked<Long>(days_on)} + span.microseconds)};
}

/// A date takes whole days.
Date later(Date date, const Span& span) {
  if (span.microseconds % kDay != 0) throw Failure();
  return {checked<Int>(Int128{months_later(date.days, span.months)} + span.days +
                       span.microseconds / kDay)};
}

/// What is left of a day goes to the microseconds.
Span scaled(const Span& span, double factor, double divisor) {
  const double months = span.months * factor / divisor;
  const double days = span.days * factor / divisor;
  const double micros = static_cast<double>(span.microseconds) * factor / divisor +
                        (days - std::trunc(days)) * static_cast<double>(kDay);
  const auto whole = [](double value, double limit) {
    if (!(std::abs(value) < limit)) throw Failure();
    return static_cast<Long>(value);
  };
  return span_of(whole(months, 2147483648.0), whole(days, 2147483648.0),
                 whole(std::round(micros), 9223372036854775808.0));
}

void add_to_times(Oracles& oracles) {
  const auto back = [](const Span& span) { return times(span, -1); };
  oracles.push_back(oracle("timestamp + interval", "+",
                           [](Time time, const Span& span) { return later(time, span); }));
  oracles.push_back(oracle("interval + timestamp", "+",
                           [](const Span& span, Time time) { return later(time, span); }));
  oracles.push_back(oracle("timestamp - interval", "-",
                           [=](Time time, const Span& span) { return later(time, back(span)); }));
  oracles.push_back(oracle("timestamp - timestamp", "-", [](Time left, Time right) {
    return span_of(0, 0, Int128{left.micros} - right.micros);
  }));
  oracles.push_back(oracle("date - date", "-", [](Date left, Date right) {
    return span_of(0, Int128{left.days} - right.days, 0);
  }));
  oracles.push_back(oracle("date + interval", "+",
                           [](Date date, const Span& span) { return later(date, span); }));
  // Intervals that are drawn have hours; one made of days has none.
  const auto days = [](const Expr& number) {
    return call("make_interval", {lit(0), number, lit(0), number});
  };
  oracles.push_back(oracle(
      "date + interval", [=](const std::vector<Expr>& c) { return c[0] + days(c[1]); },
      [](Date date, Few number) {
        return later(date, Span{number.value, number.value, 0});
      }));
  oracles.push_back(oracle(
      "interval + date", [=](const std::vector<Expr>& c) { return days(c[1]) + c[0]; },
      [](Date date, Few number) {
        return later(date, Span{number.value, number.value, 0});
      }));
  oracles.push_back(oracle(
      "date - interval", [=](const std::vector<Expr>& c) { return c[0] - days(c[1]); },
      [](Date date, Few number) {
        return later(date, Span{-number.value, -number.value, 0});
      }));
}

void add_alone(Oracles& oracles) {
  oracles.push_back(oracle("interval + interval", "+", [](const Span& a, const Span& b) {
    return span_of(Int128{a.months} + b.months, Int128{a.days} + b.days,
                   Int128{a.microseconds} + b.microseconds);
  }));
  oracles.push_back(oracle("interval - interval", "-", [](const Span& a, const Span& b) {
    return span_of(Int128{a.months} - b.months, Int128{a.days} - b.days,
                   Int128{a.microseconds} - b.microseconds);
  }));
  oracles.push_back(oracle("-(interval)", "-", [](const Span& span) { return times(span, -1); }));
  oracles.push_back(
      oracle("negative(interval)", "negative", [](const Span& span) { return times(span, -1); }));
  oracles.push_back(oracle("interval * bigint", "*",
                           [](const Span& span, Long factor) { return times(span, factor); }));
  oracles.push_back(oracle("bigint * interval", "*",
                           [](Long factor, const Span& span) { return times(span, factor); }));
  oracles.push_back(oracle("interval * double", "*", [](const Span& span, double factor) {
    return scaled(span, factor, 1);
  }));
  oracles.push_back(oracle("double * interval", "*", [](double factor, const Span& span) {
    return scaled(span, factor, 1);
  }));
  oracles.push_back(oracle("interval / double", "/", [](const Span& span, double divisor) {
    if (divisor == 0) throw Failure();
    return scaled(span, 1, divisor);
  }));
}

void add_parts(Oracles& oracles) {
  using Seconds = Money<18, 6>;
  oracles.push_back(oracle(
      "make_interval(years, months, weeks, days, hours, minutes, seconds)", "make_interval",
      [](Int years, Int months, Int weeks, Int days, Int hours, Int minutes, Seconds seconds) {
        return span_of(
            Int128{years} * 12 + months, Int128{weeks} * 7 + days,
            Int128{hours} * 3'600'000'000 + Int128{minutes} * 60'000'000 + seconds.unscaled);
      }));
  const auto part = [](const char* name) {
    return [=](const std::vector<Expr>& c) { return call("date_part", {lit(name), c[0]}); };
  };
  const char* const signature = "date_part('part', interval)";
  oracles.push_back(
      oracle(signature, part("year"), [](const Span& span) -> Int { return span.months / 12; }));
  oracles.push_back(
      oracle(signature, part("month"), [](const Span& span) -> Int { return span.months % 12; }));
  oracles.push_back(
      oracle(signature, part("day"), [](const Span& span) -> Int { return span.days; }));
  oracles.push_back(oracle(signature, part("hour"), [](const Span& span) -> Long {
    return span.microseconds / 3'600'000'000;
  }));
  oracles.push_back(oracle(signature, part("minute"), [](const Span& span) -> Int {
    return static_cast<Int>(span.microseconds / 60'000'000 % 60);
  }));
  oracles.push_back(oracle(signature, part("second"), [](const Span& span) {
    return Money<8, 6>{span.microseconds % 60'000'000};
  }));
}

}  // namespace

Oracles interval_oracles() {
  Oracles oracles;
  add_to_times(oracles);
  add_alone(oracles);
  add_parts(oracles);
  return oracles;
}

}  // namespace millrace::property
