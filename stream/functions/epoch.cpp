#include "stream/calendar.hpp"
#include "stream/functions/row_kernel.hpp"

#include <cmath>

// Times as numbers since 1970-01-01 UTC, both ways.

namespace millrace::stream {

namespace {

template <std::int64_t kUnit>
std::int64_t units_since_epoch(std::int64_t time) {
  return divide_down(time, kUnit);
}

template <std::int64_t kUnit>
std::int64_t time_after_units(Row& row, std::int64_t count) {
  std::int64_t time = 0;
  if (!__builtin_mul_overflow(count, kUnit, &time)) return time;
  row.raise("the time is out of range");
  return 0;
}

std::int64_t same_time(std::int64_t count) { return count; }

std::int64_t time_after_seconds(Row& row, double seconds) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!std::isfinite(seconds)) {
    row.set_null();
    return 0;
  }
  const double time = seconds * static_cast<double>(kMicrosPerSecond);
  if (time >= -kLimit && time < kLimit) return static_cast<std::int64_t>(time);
  row.raise("the time is out of range");
  return 0;
}

/// Of a decimal whose digits behind the point are six at most.
std::int64_t time_after_exact_seconds(Row& row, Decimal seconds) {
  const auto time = static_cast<std::int64_t>(seconds.unscaled);
  if (time == seconds.unscaled) return time;
  row.raise("the time is out of range");
  return 0;
}

void add_numbers_of(FunctionRegistry& registry, const char* name, Kernel kernel,
                    const char* description) {
  registry.add(plain_function(name, {TypeKind::kTimestamp}, TypeKind::kInt64, kernel, description));
}

void add_times_of(FunctionRegistry& registry, const char* name, DataType argument, Kernel kernel,
                  const char* description) {
  registry.add(failing(
      plain_function(name, {std::move(argument)}, TypeKind::kTimestamp, kernel, description),
      "the time is out of range"));
}

}  // namespace

void add_epoch_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_numbers_of(registry, "unix_seconds", each_row<units_since_epoch<kMicrosPerSecond>>,
                 "Seconds since 1970-01-01 UTC, a fraction cut towards the past.");
  add_numbers_of(registry, "unix_millis", each_row<units_since_epoch<kMicrosPerMilli>>,
                 "Milliseconds since 1970-01-01 UTC, a fraction cut towards the past.");
  add_numbers_of(registry, "unix_micros", each_row<same_time>,
                 "Microseconds since 1970-01-01 UTC.");
  constexpr const char* kSeconds = "The time so many seconds after 1970-01-01 UTC.";
  add_times_of(registry, "timestamp_seconds", kInt64, each_row<time_after_units<kMicrosPerSecond>>,
               kSeconds);
  add_times_of(registry, "timestamp_seconds", DataType::decimal(38, 6),
               each_row<time_after_exact_seconds>, kSeconds);
  FunctionOverload of_double =
      with_nulls(failing(plain_function("timestamp_seconds", {kDouble}, kTimestamp,
                                        each_row<time_after_seconds>, kSeconds),
                         "the time is out of range"),
                 "the number is null, NaN or infinite");
  registry.add(std::move(of_double));
  add_times_of(registry, "timestamp_millis", kInt64, each_row<time_after_units<kMicrosPerMilli>>,
               "The time so many milliseconds after 1970-01-01 UTC.");
  registry.add(plain_function("timestamp_micros", {kInt64}, kTimestamp, each_row<same_time>,
                              "The time so many microseconds after 1970-01-01 UTC."));
}

}  // namespace millrace::stream
