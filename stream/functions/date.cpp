#include "stream/ascii.hpp"
#include "stream/calendar.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/scalar_text.hpp"

#include <array>
#include <cmath>

// Days and months on dates. A timestamp that is taken as a date is one of the session's time zone.

namespace millrace::stream {

namespace {

constexpr const char* kOutOfRange = "the date is out of range";

/// The date, or the row fails; with ansi = 'false' the number of days wraps.
std::int32_t date_of(Row& row, std::int64_t days) {
  const auto date = static_cast<std::int32_t>(days);
  if (date != days) row.overflow([] { return std::string(kOutOfRange); });
  return date;
}

std::int32_t add_days(Row& row, std::int32_t date, std::int32_t days) {
  return date_of(row, std::int64_t{date} + days);
}
std::int32_t subtract_days(Row& row, std::int32_t date, std::int32_t days) {
  return date_of(row, std::int64_t{date} - days);
}
std::int32_t days_plus_date(Row& row, std::int32_t days, std::int32_t date) {
  return add_days(row, date, days);
}
std::int32_t add_months(Row& row, std::int32_t date, std::int32_t months) {
  return date_of(row, plus_months(date, months));
}

std::int32_t last_day(Row& row, std::int32_t date) {
  const CalendarDate parts = calendar_date(date);
  return date_of(row, date + days_in_month(parts.year, parts.month) - parts.day);
}

std::int32_t days_between(Row& row, std::int32_t end, std::int32_t begin) {
  return date_of(row, std::int64_t{end} - begin);
}

/// 0 for Monday to 6 for Sunday by "MO", "Mon", "monday"; nothing for other words.
std::optional<std::int64_t> weekday_called(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {"monday", "tuesday",  "wednesday", "thursday",
                                                      "friday", "saturday", "sunday"};
  for (std::size_t day = 0; day < kNames.size(); ++day) {
    const bool has_length =
        name.size() == 2 || name.size() == 3 || name.size() == kNames[day].size();
    if (has_length && starts_ignoring_case(kNames[day], name))
      return static_cast<std::int64_t>(day);
  }
  return std::nullopt;
}

std::int32_t next_day(Row& row, std::int32_t date, std::string_view name) {
  const auto wanted = weekday_called(name);
  if (!wanted) {
    row.raise([&] {
      return "no day of the week: '" + std::string(name) +
             "'; write MO, MON or MONDAY, in any case, and so on";
    });
    return 0;
  }
  return date_of(row, date + 1 + rest_of(*wanted - weekday_of(std::int64_t{date} + 1), 7));
}

std::int32_t truncate_date(Row& row, std::int32_t date, std::string_view name) {
  const auto unit = time_unit(name);
  if (!unit || *unit < TimeUnit::kWeek) {
    row.set_null();
    return 0;
  }
  return date_of(row, begin_of(*unit, date));
}

std::int32_t make_date(Row& row, std::int32_t year, std::int32_t month, std::int32_t day) {
  const auto date = checked_day(year, month, day);
  if (!date) {
    row.raise([&] {
      return "there is no date of year " + std::to_string(year) + ", month " +
             std::to_string(month) + ", day " + std::to_string(day);
    });
  }
  return date.value_or(0);
}

std::int32_t unix_date(std::int32_t date) { return date; }

// --- between times -------------------------------------------------------------------------------

double months_apart(std::int64_t left_us, std::int64_t right_us, const TimeZone& zone) {
  const std::int64_t left = zone.to_local(left_us);
  const std::int64_t right = zone.to_local(right_us);
  const CalendarDate left_day = calendar_date(divide_down(left, kMicrosPerDay));
  const CalendarDate right_day = calendar_date(divide_down(right, kMicrosPerDay));
  const auto months = static_cast<double>(left_day.month_number() - right_day.month_number());
  const auto is_last = [](const CalendarDate& date) {
    return date.day == days_in_month(date.year, date.month);
  };
  if (left_day.day == right_day.day || (is_last(left_day) && is_last(right_day))) return months;
  constexpr double kSecondsPerMonth = 31 * 86'400;
  const std::int64_t seconds = (left_day.day - right_day.day) * 86'400 +
                               rest_of(left, kMicrosPerDay) / kMicrosPerSecond -
                               rest_of(right, kMicrosPerDay) / kMicrosPerSecond;
  return months + static_cast<double>(seconds) / kSecondsPerMonth;
}

double months_between_exactly(Row& row, std::int64_t left, std::int64_t right, bool is_rounded) {
  constexpr double kPlaces = 1e8;
  const double months = months_apart(left, right, row.zone());
  return is_rounded ? std::floor(months * kPlaces + 0.5) / kPlaces : months;
}

double months_between(Row& row, std::int64_t left, std::int64_t right) {
  return months_between_exactly(row, left, right, true);
}

// --- registration --------------------------------------------------------------------------------

/// Takes a date and a whole number just as they are: a text beside a number is no date.
template <bool kDateFirst>
std::optional<SettledTypes> date_and_days(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const DataType& date = arguments[kDateFirst ? 0 : 1].type;
  const DataType& days = arguments[kDateFirst ? 1 : 0].type;
  const bool is_whole = days.is(TypeKind::kInt32) || days.is(TypeKind::kNull);
  if (!date.is(TypeKind::kDate) || !is_whole) return std::nullopt;
  if (kDateFirst) return SettledTypes{{TypeKind::kDate, TypeKind::kInt32}, TypeKind::kDate};
  return SettledTypes{{TypeKind::kInt32, TypeKind::kDate}, TypeKind::kDate};
}

FunctionOverload day_operator(const char* name, const char* signature,
                              FunctionOverload::TypeRule rule, Kernel kernel,
                              const char* description) {
  FunctionOverload overload =
      failing(plain_function(name, {}, TypeKind::kDate, kernel, description), kOutOfRange);
  overload.rule = rule;
  overload.signature = signature;
  return overload;
}

FunctionOverload of_date(const char* name, std::vector<DataType> arguments, DataType result,
                         Kernel kernel, const char* description) {
  return failing(plain_function(name, std::move(arguments), std::move(result), kernel, description),
                 kOutOfRange);
}

void add_day_arithmetic(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(of_date("date_add", {kDate, kInt32}, kDate, each_row<add_days>,
                       "The date so many days later."));
  registry.add_alias("dateadd", "date_add");
  registry.add(of_date("date_sub", {kDate, kInt32}, kDate, each_row<subtract_days>,
                       "The date so many days earlier."));
  registry.add(day_operator("+", "date + int", date_and_days<true>, each_row<add_days>,
                            "The date so many days later."));
  registry.add(day_operator("+", "int + date", date_and_days<false>, each_row<days_plus_date>,
                            "The date so many days later."));
  registry.add(day_operator("-", "date - int", date_and_days<true>, each_row<subtract_days>,
                            "The date so many days earlier."));
  registry.add(of_date("add_months", {kDate, kInt32}, kDate, each_row<add_months>,
                       "The same day so many months later; the month's last if it has no such "
                       "day."));
  registry.add(of_date("datediff", {kDate, kDate}, kInt32, each_row<days_between>,
                       "Days from the second date to the first."));
  registry.add_alias("date_diff", "datediff");
}

void add_calendar_days(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(
      of_date("last_day", {kDate}, kDate, each_row<last_day>, "The last day of the date's month."));
  registry.add(failing(plain_function("next_day", {kDate, kString}, kDate, each_row<next_day>,
                                      "The first day after the date that is the named day of the "
                                      "week: MO, MON, MONDAY, in any case."),
                       "there is no such day of the week, or the date is out of range"));
  registry.add(with_nulls(
      of_date("trunc", {kDate, kString}, kDate, each_row<truncate_date>,
              "The first day of the date's year (yyyy, yy), quarter, month (mon, mm) or week."),
      "an argument is null or the unit is none of these"));
  registry.add(failing(plain_function("make_date", {kInt32, kInt32, kInt32}, kDate,
                                      each_row<make_date>, "The date of year, month and day."),
                       "there is no such date"));
}

}  // namespace

void add_date_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_day_arithmetic(registry);
  add_calendar_days(registry);
  registry.add(plain_function("months_between", {kTimestamp, kTimestamp}, kDouble,
                              each_row<months_between>,
                              "Months from the second time to the first: whole ones between equal "
                              "days and between last days of months, else with days and times as "
                              "parts of 31 days, rounded to 8 digits."));
  registry.add(plain_function("months_between", {kTimestamp, kTimestamp, kBoolean}, kDouble,
                              each_row<months_between_exactly>,
                              "The same, not rounded if the third argument is false."));
  registry.add(
      plain_function("unix_date", {kDate}, kInt32, each_row<unix_date>, "Days since 1970-01-01."));
  registry.add(plain_function("date_from_unix_date", {kInt32}, kDate, each_row<unix_date>,
                              "The date so many days after 1970-01-01."));
}

}  // namespace millrace::stream
