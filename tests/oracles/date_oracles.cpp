#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_calendar.hpp"

#include <limits>

// Dates and their parts, by a calendar that counts year by year.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Text = std::string;

constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr const char* kWeekdays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

Date date_of(Long days) {
  if (days != static_cast<Int>(days)) throw Failure();
  return {static_cast<Int>(days)};
}

Date months_later(Date date, Long months) {
  const CivilDay day = civil_day(date.days);
  const Long number = day.year * 12 + day.month - 1 + months;
  const Long year = divided_down(number, 12);
  const Long month = number - year * 12 + 1;
  return date_of(day_number(year, month, std::min(day.day, days_of_month(year, month))));
}

Long begin_of(Date date, const Text& unit) {
  const CivilDay day = civil_day(date.days);
  if (unit == "week") return Long{date.days} - weekday_number(date.days);
  const Long month = unit == "year"      ? 1
                     : unit == "quarter" ? (day.month - 1) / 3 * 3 + 1
                                         : day.month;
  return day_number(day.year, month, 1);
}

/// The week's Thursday says which year it belongs to.
Long thursday_of(Date date) { return Long{date.days} - weekday_number(date.days) + 3; }

Int part_of(Date date, const Text& part) {
  const CivilDay day = civil_day(date.days);
  const Long weekday = weekday_number(date.days);
  if (part == "year") return static_cast<Int>(day.year);
  if (part == "quarter") return static_cast<Int>((day.month - 1) / 3 + 1);
  if (part == "month") return static_cast<Int>(day.month);
  if (part == "day") return static_cast<Int>(day.day);
  if (part == "dayofyear" || part == "doy") return static_cast<Int>(day.of_year);
  if (part == "dayofweek") return static_cast<Int>((weekday + 1) % 7 + 1);
  if (part == "weekday") return static_cast<Int>(weekday);
  if (part == "isodow") return static_cast<Int>(weekday + 1);
  const CivilDay thursday = civil_day(thursday_of(date));
  if (part == "isoyear") return static_cast<Int>(thursday.year);
  return static_cast<Int>((thursday.of_year - 1) / 7 + 1);  // the week
}

Build with_text(const char* name, const char* text) {
  return [=](const std::vector<Expr>& c) { return call(name, {c[0], lit(text)}); };
}

void add_arithmetic(Oracles& oracles) {
  const auto later = [](Date date, Int days) { return date_of(Long{date.days} + days); };
  const auto earlier = [](Date date, Int days) { return date_of(Long{date.days} - days); };
  oracles.push_back(oracle("date + int", "+", later));
  oracles.push_back(
      oracle("int + date", "+", [=](Int days, Date date) { return later(date, days); }));
  oracles.push_back(oracle("date - int", "-", earlier));
  oracles.push_back(oracle("date_add(date, int)", "date_add", later));
  oracles.push_back(oracle("date_sub(date, int)", "date_sub", earlier));
  oracles.push_back(oracle("datediff(date, date)", "datediff", [](Date end, Date begin) -> Int {
    return date_of(Long{end.days} - begin.days).days;
  }));
  oracles.push_back(oracle("add_months(date, int)", "add_months",
                           [](Date date, Int months) { return months_later(date, months); }));
  oracles.push_back(oracle("last_day(date)", "last_day", [](Date date) {
    const CivilDay day = civil_day(date.days);
    return date_of(day_number(day.year, day.month, days_of_month(day.year, day.month)));
  }));
  oracles.push_back(
      oracle("make_date(int, int, int)", "make_date", [](Int year, Few month, Few day) {
        if (month.value < 1 || month.value > 12) throw Failure();
        if (day.value < 1 || day.value > days_of_month(year, month.value)) throw Failure();
        return date_of(day_number(year, month.value, day.value));
      }));
  oracles.push_back(
      oracle("unix_date(date)", "unix_date", [](Date date) -> Int { return date.days; }));
  oracles.push_back(oracle("date_from_unix_date(int)", "date_from_unix_date",
                           [](Int days) { return Date{days}; }));
}

void add_by_name(Oracles& oracles) {
  for (const char* unit : {"week", "month", "quarter", "year"}) {
    oracles.push_back(oracle("trunc(date, string)", with_text("trunc", unit),
                             [=](Date date) { return date_of(begin_of(date, unit)); }));
  }
  oracles.push_back(oracle("trunc(date, string)", with_text("trunc", "day"),
                           [](Date) { return std::optional<Date>(); }));
  for (Long wanted = 0; wanted < 7; ++wanted) {
    const char* name = kWeekdays[wanted];
    oracles.push_back(oracle("next_day(date, string)", with_text("next_day", name), [=](Date date) {
      Long next = Long{date.days} + 1;
      while (weekday_number(next) != wanted) ++next;
      return date_of(next);
    }));
  }
  oracles.push_back(oracle("next_day(date, string)", with_text("next_day", "someday"),
                           [](Date) -> Date { throw Failure(); }));
  oracles.push_back(oracle("dayname(date)", "dayname",
                           [](Date date) { return Text(kWeekdays[weekday_number(date.days)]); }));
  oracles.push_back(oracle("monthname(date)", "monthname", [](Date date) {
    return Text(kMonths[civil_day(date.days).month - 1]);
  }));
}

void add_parts(Oracles& oracles) {
  for (const char* name :
       {"year", "quarter", "month", "day", "dayofyear", "dayofweek", "weekday", "weekofyear"}) {
    oracles.push_back(
        oracle(Text(name) + "(date)", name, [=](Date date) -> Int { return part_of(date, name); }));
  }
  for (const char* name :
       {"year", "quarter", "month", "day", "doy", "dayofweek", "isodow", "week", "isoyear"}) {
    oracles.push_back(oracle(
        "date_part('part', date)",
        [=](const std::vector<Expr>& c) {
          return call("date_part", {lit(name), c[0]});
        },
        [=](Date date) -> Int { return part_of(date, name); }));
  }
}

}  // namespace

Oracles date_oracles() {
  Oracles oracles;
  add_arithmetic(oracles);
  add_by_name(oracles);
  add_parts(oracles);
  return oracles;
}

}  // namespace millrace::property
