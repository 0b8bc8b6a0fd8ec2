#include "stream/batch_time.hpp"
#include "stream/calendar.hpp"
#include "stream/functions/row_kernel.hpp"

// The time of the batch: one value for all of its rows and all of a query's expressions. Not
// reproducible.

namespace millrace::stream {

namespace {

/// The time that a thread gave its newest batch, so that every expression over it sees the same.
struct BatchTime {
  const Clock* clock = nullptr;
  SteadyTime ingest{};
  std::int64_t now_us = 0;
};

thread_local std::optional<WallTime> fixed_time;

std::int64_t wall_us(const Clock* clock) {
  static const SystemClock system;
  return (clock != nullptr ? *clock : static_cast<const Clock&>(system)).wall().value;
}

std::int64_t time_of_batch(const KernelCall& call) {
  thread_local BatchTime newest;
  if (fixed_time) return fixed_time->value;
  const Clock* clock = call.settings.clock;
  if (call.ingest.value == 0) return wall_us(clock);
  if (newest.clock != clock || newest.ingest.value != call.ingest.value)
    newest = {clock, call.ingest, wall_us(clock)};
  return newest.now_us;
}

void current_time(KernelCall& call) {
  const std::int64_t now = time_of_batch(call);
  for (std::int64_t& value : call.result.values<std::int64_t>()) value = now;
}

void current_day(KernelCall& call) {
  const std::int64_t local = call.settings.zone->to_local(time_of_batch(call));
  const auto day = static_cast<std::int32_t>(divide_down(local, kMicrosPerDay));
  for (std::int32_t& value : call.result.values<std::int32_t>()) value = day;
}

void current_second(KernelCall& call) {
  const std::int64_t now = divide_down(time_of_batch(call), kMicrosPerSecond);
  for (std::int64_t& value : call.result.values<std::int64_t>()) value = now;
}

void add_clock(FunctionRegistry& registry, const char* name, TypeKind result, Kernel kernel,
               const char* description) {
  FunctionOverload overload =
      with_nulls(plain_function(name, {}, result, kernel, description), "never");
  overload.is_reproducible = false;
  overload.is_strict = false;
  registry.add(std::move(overload));
}

}  // namespace

BatchTimeScope::BatchTimeScope(std::optional<WallTime> time) { fixed_time = time; }
BatchTimeScope::~BatchTimeScope() { fixed_time.reset(); }

void add_clock_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_clock(registry, "current_timestamp", kTimestamp, current_time,
            "The time of the batch, the same for all of its rows.");
  for (const char* alias : {"now", "localtimestamp"})
    registry.add_alias(alias, "current_timestamp");
  add_clock(registry, "current_date", kDate, current_day,
            "The day of the batch in the session's time zone.");
  registry.add_alias("curdate", "current_date");
  add_clock(registry, "unix_timestamp", kInt64, current_second,
            "Seconds from 1970-01-01 UTC to the time of the batch.");
}

}  // namespace millrace::stream
