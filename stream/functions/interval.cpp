#include "stream/calendar.hpp"
#include "stream/functions/row_kernel.hpp"

#include <array>
#include <cmath>
#include <limits>

// Intervals: made of parts, added to dates and times, and computed with.

namespace millrace::stream {

namespace {

constexpr const char* kTimeOutOfRange = "the time is out of range";
constexpr const char* kIntervalOutOfRange = "the interval is out of range";

// --- times and intervals -------------------------------------------------------------------------

std::int64_t moved(Row& row, std::int64_t time, std::optional<Interval> span) {
  std::optional<std::int64_t> result;
  if (span) result = plus_time(time, span->months, span->days, span->microseconds, row.zone());
  if (!result) row.raise(kTimeOutOfRange);
  return result.value_or(0);
}

std::optional<Interval> negated(Interval span) {
  Interval result;
  if (__builtin_sub_overflow(0, span.months, &result.months) ||
      __builtin_sub_overflow(0, span.days, &result.days) ||
      __builtin_sub_overflow(0, span.microseconds, &result.microseconds))
    return std::nullopt;
  return result;
}

std::int64_t time_plus(Row& row, std::int64_t time, Interval span) {
  return moved(row, time, span);
}
std::int64_t plus_to_time(Row& row, Interval span, std::int64_t time) {
  return moved(row, time, span);
}
std::int64_t time_minus(Row& row, std::int64_t time, Interval span) {
  return moved(row, time, negated(span));
}

/// By ansi = 'false': the day that the time of the date's begin is moved to.
std::int32_t moved_by_time(Row& row, std::int32_t date, Interval span) {
  std::int64_t begin = 0;
  if (__builtin_mul_overflow(std::int64_t{date}, kMicrosPerDay, &begin)) {
    row.raise(kTimeOutOfRange);
    return date;
  }
  const std::int64_t later = moved(row, row.zone().to_utc(begin), span);
  return static_cast<std::int32_t>(divide_down(row.zone().to_local(later), kMicrosPerDay));
}

std::int32_t moved_date(Row& row, std::int32_t date, std::optional<Interval> span) {
  if (span && span->microseconds % kMicrosPerDay != 0) {
    if (!row.settings().is_ansi) return moved_by_time(row, date, *span);
    row.raise("a date takes whole days and months: cast it to timestamp to add hours to it");
    return date;
  }
  std::int64_t days = date;
  if (span)
    days = plus_months(date, span->months) + span->days + span->microseconds / kMicrosPerDay;
  const auto result = static_cast<std::int32_t>(days);
  if (!span || result != days) row.raise("the date is out of range");
  return result;
}

std::int32_t date_plus(Row& row, std::int32_t date, Interval span) {
  return moved_date(row, date, span);
}
std::int32_t plus_to_date(Row& row, Interval span, std::int32_t date) {
  return moved_date(row, date, span);
}
std::int32_t date_minus(Row& row, std::int32_t date, Interval span) {
  return moved_date(row, date, negated(span));
}

Interval time_between(Row& row, std::int64_t left, std::int64_t right) {
  Interval span;
  if (__builtin_sub_overflow(left, right, &span.microseconds)) row.raise(kIntervalOutOfRange);
  return span;
}

Interval date_between(Row& row, std::int32_t left, std::int32_t right) {
  Interval span;
  if (__builtin_sub_overflow(left, right, &span.days)) row.raise(kIntervalOutOfRange);
  return span;
}

// --- intervals alone -----------------------------------------------------------------------------

Interval interval_or_failure(Row& row, std::optional<Interval> span) {
  if (!span) row.raise(kIntervalOutOfRange);
  return span.value_or(Interval{});
}

std::optional<Interval> sum_of(Interval left, Interval right) {
  Interval result;
  if (__builtin_add_overflow(left.months, right.months, &result.months) ||
      __builtin_add_overflow(left.days, right.days, &result.days) ||
      __builtin_add_overflow(left.microseconds, right.microseconds, &result.microseconds))
    return std::nullopt;
  return result;
}

Interval plus(Row& row, Interval left, Interval right) {
  return interval_or_failure(row, sum_of(left, right));
}

Interval minus(Row& row, Interval left, Interval right) {
  const auto other = negated(right);
  return interval_or_failure(row, other ? sum_of(left, *other) : std::nullopt);
}

Interval negate(Row& row, Interval span) { return interval_or_failure(row, negated(span)); }

template <typename T>
bool assign_whole(double value, T& result) {
  constexpr double kLimit = std::is_same_v<T, std::int32_t> ? 2147483648.0 : 9223372036854775808.0;
  const double whole = std::trunc(value);
  if (!(whole >= -kLimit && whole < kLimit)) return false;
  result = static_cast<T>(whole);
  return true;
}

/// Months and days are whole; what is left of a day goes to the microseconds.
std::optional<Interval> scaled(Interval span, double factor, double divisor = 1) {
  Interval result;
  const double days = span.days * factor / divisor;
  if (!assign_whole(span.months * factor / divisor, result.months) ||
      !assign_whole(days, result.days))
    return std::nullopt;
  const double rest = (days - std::trunc(days)) * static_cast<double>(kMicrosPerDay);
  const double micros = static_cast<double>(span.microseconds) * factor / divisor + rest;
  if (!assign_whole(std::round(micros), result.microseconds)) return std::nullopt;
  return result;
}

/// Without the rounding of doubles.
std::optional<Interval> times_whole(Interval span, std::int64_t factor) {
  Interval result;
  if (__builtin_mul_overflow(span.months, factor, &result.months) ||
      __builtin_mul_overflow(span.days, factor, &result.days) ||
      __builtin_mul_overflow(span.microseconds, factor, &result.microseconds))
    return std::nullopt;
  return result;
}

Interval times_number(Row& row, Interval span, double factor) {
  return interval_or_failure(row, scaled(span, factor));
}
Interval number_times(Row& row, double factor, Interval span) {
  return times_number(row, span, factor);
}
Interval times_integer(Row& row, Interval span, std::int64_t factor) {
  return interval_or_failure(row, times_whole(span, factor));
}
Interval integer_times(Row& row, std::int64_t factor, Interval span) {
  return times_integer(row, span, factor);
}
Interval divided(Row& row, Interval span, double divisor) {
  if (divisor == 0) {
    row.raise("division by zero");
    return {};
  }
  return interval_or_failure(row, scaled(span, 1, divisor));
}

// --- from parts ----------------------------------------------------------------------------------

/// Years, months, weeks, days, hours, minutes, seconds.
using Parts = std::array<std::int64_t, 7>;

template <typename T>
bool assign_sum(Int128 sum, T& result) {
  result = static_cast<T>(sum);
  return result == sum;
}

std::optional<Interval> interval_of(const Parts& parts) {
  Interval span;
  const Int128 micros =
      Int128{parts[4]} * kMicrosPerHour + Int128{parts[5]} * kMicrosPerMinute + parts[6];
  if (!assign_sum(Int128{parts[0]} * 12 + parts[1], span.months) ||
      !assign_sum(Int128{parts[2]} * 7 + parts[3], span.days) ||
      !assign_sum(micros, span.microseconds))
    return std::nullopt;
  return span;
}

/// The parts that are given, from the first on.
void make_interval(KernelCall& call) {
  const auto result = call.result.values<Interval>();
  for (std::size_t index = 0; index < call.rows; ++index) {
    result[index] = {};
    if (call.result.is_null(index)) continue;
    Parts parts{};
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Column& part = *call.arguments[i];
      parts[i] = part.kind() == TypeKind::kDecimal
                     ? static_cast<std::int64_t>(part.value<Decimal>(index).unscaled)
                     : part.value<std::int32_t>(index);
    }
    Row row(call, index);
    result[index] = interval_or_failure(row, interval_of(parts));
  }
}

// --- registration --------------------------------------------------------------------------------

/// Takes just these kinds and no implicit casts, so that texts beside numbers stay numbers.
template <TypeKind kLeft, TypeKind kRight, TypeKind kResult>
std::optional<SettledTypes> exactly(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[0].type.is(kLeft) || !arguments[1].type.is(kRight))
    return std::nullopt;
  return SettledTypes{{kLeft, kRight}, kResult};
}

/// A date and an interval; one that is known to have hours makes a timestamp of it.
template <TypeKind kLeft, TypeKind kRight>
std::optional<SettledTypes> date_and_days(const Arguments& arguments) {
  auto settled = exactly<kLeft, kRight, TypeKind::kDate>(arguments);
  if (!settled) return std::nullopt;
  const Value* literal = arguments[kLeft == TypeKind::kInterval ? 0 : 1].literal;
  const auto* span = literal == nullptr ? nullptr : std::get_if<Interval>(&literal->data);
  if (span != nullptr && span->microseconds % kMicrosPerDay != 0) return std::nullopt;
  return settled;
}

/// A time, or a date or null taken as one, and an interval.
template <TypeKind kLeft, TypeKind kRight>
std::optional<SettledTypes> time_and_interval(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const DataType& time = arguments[kLeft == TypeKind::kTimestamp ? 0 : 1].type;
  const DataType& span = arguments[kLeft == TypeKind::kTimestamp ? 1 : 0].type;
  const bool is_time = !is_numeric(time.kind()) && !time.is(TypeKind::kInterval);
  if (!is_time || !span.is(TypeKind::kInterval)) return std::nullopt;
  return SettledTypes{{kLeft, kRight}, TypeKind::kTimestamp};
}

/// Two times, of which one may be a date or a text.
std::optional<SettledTypes> two_times(const Arguments& arguments) {
  using enum TypeKind;
  if (arguments.size() != 2) return std::nullopt;
  if (!arguments[0].type.is(kTimestamp) && !arguments[1].type.is(kTimestamp)) return std::nullopt;
  for (const Argument& each : arguments) {
    if (!each.type.is(kTimestamp) && !each.type.is(kDate) && !each.type.is(kString))
      return std::nullopt;
  }
  return SettledTypes{{kTimestamp, kTimestamp}, kInterval};
}

/// An interval and a number, in this order or turned round.
template <bool kIntervalFirst, bool kWhole>
std::optional<SettledTypes> interval_and_number(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const DataType& span = arguments[kIntervalFirst ? 0 : 1].type;
  const DataType& number = arguments[kIntervalFirst ? 1 : 0].type;
  if (!span.is(TypeKind::kInterval) || !is_numeric(number.kind())) return std::nullopt;
  const bool is_whole = number.is(TypeKind::kInt32) || number.is(TypeKind::kInt64);
  if (kWhole && !is_whole) return std::nullopt;
  const DataType factor = kWhole ? TypeKind::kInt64 : TypeKind::kDouble;
  if (kIntervalFirst) return SettledTypes{{TypeKind::kInterval, factor}, TypeKind::kInterval};
  return SettledTypes{{factor, TypeKind::kInterval}, TypeKind::kInterval};
}

std::optional<SettledTypes> one_interval(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0].type.is(TypeKind::kInterval)) return std::nullopt;
  return SettledTypes{{TypeKind::kInterval}, TypeKind::kInterval};
}

std::optional<SettledTypes> parts_of_interval(const Arguments& arguments) {
  constexpr std::size_t kSeconds = 6;
  if (arguments.size() > kSeconds + 1) return std::nullopt;
  SettledTypes settled{std::vector<DataType>(arguments.size(), TypeKind::kInt32),
                       TypeKind::kInterval};
  if (arguments.size() > kSeconds) settled.arguments[kSeconds] = DataType::decimal(18, 6);
  return settled;
}

void add_operator(FunctionRegistry& registry, const char* name, const char* signature,
                  TypeKind result, FunctionOverload::TypeRule rule, Kernel kernel,
                  const char* description, const char* errors) {
  FunctionOverload overload =
      failing(plain_function(name, {}, result, kernel, description), errors);
  overload.rule = rule;
  overload.signature = signature;
  registry.add(std::move(overload));
}

void add_date_arithmetic(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kLater =
      "The date so many months and then days later. A literal with hours makes a timestamp.";
  constexpr const char* kErrors =
      "the date is out of range, or the interval has a part of a day (which by ansi = 'false' only "
      "counts as far as it leads to another day)";
  add_operator(registry, "+", "date + interval", kDate, date_and_days<kDate, kInterval>,
               each_row<date_plus>, kLater, kErrors);
  add_operator(registry, "+", "interval + date", kDate, date_and_days<kInterval, kDate>,
               each_row<plus_to_date>, kLater, kErrors);
  add_operator(registry, "-", "date - interval", kDate, date_and_days<kDate, kInterval>,
               each_row<date_minus>,
               "The date so many months and then days earlier. A literal with hours makes a "
               "timestamp.",
               kErrors);
  add_operator(registry, "-", "date - date", kInterval, exactly<kDate, kDate, kInterval>,
               each_row<date_between>, "The days between, as an interval.", kIntervalOutOfRange);
}

void add_time_arithmetic(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kLater =
      "The time later by months, then days, by the calendar of the session's time zone, then by "
      "hours, minutes and seconds as they pass.";
  add_operator(registry, "+", "timestamp + interval", kTimestamp,
               time_and_interval<kTimestamp, kInterval>, each_row<time_plus>, kLater,
               kTimeOutOfRange);
  add_operator(registry, "+", "interval + timestamp", kTimestamp,
               time_and_interval<kInterval, kTimestamp>, each_row<plus_to_time>, kLater,
               kTimeOutOfRange);
  add_operator(registry, "-", "timestamp - interval", kTimestamp,
               time_and_interval<kTimestamp, kInterval>, each_row<time_minus>,
               "The time earlier by the interval.", kTimeOutOfRange);
  add_operator(registry, "-", "timestamp - timestamp", kInterval, two_times, each_row<time_between>,
               "The time between, as an interval of hours, minutes and seconds.",
               kIntervalOutOfRange);
}

void add_interval_arithmetic(FunctionRegistry& registry) {
  using enum TypeKind;
  add_operator(registry, "+", "interval + interval", kInterval,
               exactly<kInterval, kInterval, kInterval>, each_row<plus>, "Sum, part by part.",
               kIntervalOutOfRange);
  add_operator(registry, "-", "interval - interval", kInterval,
               exactly<kInterval, kInterval, kInterval>, each_row<minus>,
               "Difference, part by part.", kIntervalOutOfRange);
  constexpr const char* kProduct = "The interval so many times, part by part.";
  constexpr const char* kCut =
      "The interval so many times: months whole, a part of a day as hours, minutes and seconds.";
  add_operator(registry, "*", "interval * bigint", kInterval, interval_and_number<true, true>,
               each_row<times_integer>, kProduct, kIntervalOutOfRange);
  add_operator(registry, "*", "bigint * interval", kInterval, interval_and_number<false, true>,
               each_row<integer_times>, kProduct, kIntervalOutOfRange);
  add_operator(registry, "*", "interval * double", kInterval, interval_and_number<true, false>,
               each_row<times_number>, kCut, kIntervalOutOfRange);
  add_operator(registry, "*", "double * interval", kInterval, interval_and_number<false, false>,
               each_row<number_times>, kCut, kIntervalOutOfRange);
  add_operator(registry, "/", "interval / double", kInterval, interval_and_number<true, false>,
               each_row<divided>, "The interval divided: months whole, a part of a day as hours.",
               "the divisor is 0 or the interval is out of range");
}

}  // namespace

void add_interval_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_date_arithmetic(registry);
  add_time_arithmetic(registry);
  add_interval_arithmetic(registry);
  for (const char* name : {"-", "negative"})
    add_operator(registry, name,
                 name == std::string_view("-") ? "-(interval)" : "negative(interval)", kInterval,
                 one_interval, each_row<negate>, "The interval backwards.", kIntervalOutOfRange);
  add_operator(registry, "make_interval",
               "make_interval(years, months, weeks, days, hours, minutes, seconds)", kInterval,
               parts_of_interval, make_interval,
               "The interval of these whole numbers and decimal seconds; what is left out at the "
               "end is 0.",
               kIntervalOutOfRange);
  registry.add_try_form("try_make_interval", "make_interval");
}

}  // namespace millrace::stream
