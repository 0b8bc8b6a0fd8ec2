#include "stream/calendar.hpp"
#include "stream/functions/pattern_cache.hpp"
#include "stream/functions/row_kernel.hpp"

#include <cctype>

// Times: cutting them to a unit, making them of parts, moving them between time zones.

namespace millrace::stream {

namespace {

constexpr const char* kOutOfRange = "the time is out of range";

std::int64_t time_or_failure(Row& row, std::optional<std::int64_t> time) {
  if (!time) row.raise(kOutOfRange);
  return time.value_or(0);
}

std::int64_t truncate(Row& row, std::string_view name, std::int64_t time) {
  const auto unit = time_unit(name);
  if (!unit) row.set_null();
  return unit ? truncate_time(*unit, time, row.zone()) : 0;
}

// --- zones ---------------------------------------------------------------------------------------

using Zones = PatternCache<const TimeZone*>;

/// Loads the zones that are literals.
template <std::size_t... kArguments>
void settle_zones(const PlannedCall& call, CallMemory& memory) {
  auto& zones = memory.get<Zones>();
  for (const std::size_t argument : {kArguments...}) {
    if (const std::string* name = literal_text(call, argument))
      (void)zones.find(*name, TimeZone::find);
  }
}

/// The zone of that name; null, and the row fails, if there is none.
const TimeZone* zone_called(Row& row, std::string_view name) {
  const auto& zone = row.state<Zones>().find(name, TimeZone::find);
  if (zone) return *zone;
  row.raise([&] { return zone.error().message; });
  return nullptr;
}

std::int64_t from_utc(Row& row, std::int64_t time, std::string_view name) {
  const TimeZone* zone = zone_called(row, name);
  return zone == nullptr ? 0 : zone->to_local(time);
}

std::int64_t to_utc(Row& row, std::int64_t time, std::string_view name) {
  const TimeZone* zone = zone_called(row, name);
  return zone == nullptr ? 0 : zone->to_utc(time);
}

std::int64_t convert_zone(Row& row, std::string_view from, std::string_view to, std::int64_t time) {
  const TimeZone* source = zone_called(row, from);
  if (source == nullptr) return 0;
  const TimeZone* target = zone_called(row, to);
  if (target == nullptr) return 0;
  const std::int64_t shown = row.zone().to_local(time);
  return row.zone().to_utc(target->to_local(source->to_utc(shown)));
}

std::int64_t convert_to_zone(Row& row, std::string_view to, std::int64_t time) {
  const TimeZone* target = zone_called(row, to);
  return target == nullptr ? 0 : row.zone().to_utc(target->to_local(time));
}

std::string_view zone_name(Row& row) { return row.zone().name(); }

// --- from parts ----------------------------------------------------------------------------------

/// A local time; seconds count millionths, and 60 of them begin the next minute.
std::optional<std::int64_t> local_time_of(std::int64_t day, std::int32_t hour, std::int32_t minute,
                                          Int128 micros) {
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  if (micros < 0 || micros > kMicrosPerMinute) return std::nullopt;
  std::int64_t time = 0;
  if (__builtin_mul_overflow(day, kMicrosPerDay, &time)) return std::nullopt;
  const std::int64_t of_day =
      hour * kMicrosPerHour + minute * kMicrosPerMinute + static_cast<std::int64_t>(micros);
  if (__builtin_add_overflow(time, of_day, &time)) return std::nullopt;
  return time;
}

std::int64_t make_time_in(Row& row, const TimeZone& zone, std::int32_t year, std::int32_t month,
                          std::int32_t day, std::int32_t hour, std::int32_t minute,
                          Decimal second) {
  const auto date = checked_day(year, month, day);
  const auto local = date ? local_time_of(*date, hour, minute, second.unscaled) : std::nullopt;
  if (local) return zone.to_utc(*local);
  row.raise([&] {
    std::string parts;
    for (const std::int32_t part : {year, month, day, hour, minute})
      parts += (parts.empty() ? "" : ", ") + std::to_string(part);
    return "there is no time of year, month, day, hour, minute " + parts +
           " or its seconds are not from 0 to 60";
  });
  return 0;
}

std::int64_t make_time(Row& row, std::int32_t year, std::int32_t month, std::int32_t day,
                       std::int32_t hour, std::int32_t minute, Decimal second) {
  return make_time_in(row, row.zone(), year, month, day, hour, minute, second);
}

std::int64_t make_zoned_time(Row& row, std::int32_t year, std::int32_t month, std::int32_t day,
                             std::int32_t hour, std::int32_t minute, Decimal second,
                             std::string_view name) {
  const TimeZone* zone = zone_called(row, name);
  return zone == nullptr ? 0 : make_time_in(row, *zone, year, month, day, hour, minute, second);
}

// --- counting units ------------------------------------------------------------------------------

/// A unit to add or to count: "dayofyear" is a day too. Fails the row for other words.
std::optional<TimeUnit> counted_unit(Row& row, std::string_view name) {
  const auto unit = time_unit(name == "dayofyear" || name == "DAYOFYEAR" ? "day" : name);
  if (!unit) {
    row.raise([&] {
      return "no unit of time: '" + std::string(name) +
             "'; accepted: microsecond, millisecond, second, minute, hour, day, week, month, "
             "quarter, year";
    });
  }
  return unit;
}

std::int64_t months_per(TimeUnit unit) {
  return unit == TimeUnit::kYear ? 12 : unit == TimeUnit::kQuarter ? 3 : 1;
}

std::int64_t add_units(Row& row, std::string_view name, std::int64_t count, std::int64_t time) {
  const auto unit = counted_unit(row, name);
  if (!unit) return 0;
  std::int64_t amount = 0;
  if (*unit >= TimeUnit::kMonth) {
    if (__builtin_mul_overflow(count, months_per(*unit), &amount))
      return time_or_failure(row, std::nullopt);
    return time_or_failure(row, plus_time(time, amount, 0, 0, row.zone()));
  }
  if (__builtin_mul_overflow(count, micros_per(*unit), &amount))
    return time_or_failure(row, std::nullopt);
  // Whole days keep the time of day, whatever the clocks do meanwhile.
  return time_or_failure(
      row, plus_time(time, 0, amount / kMicrosPerDay, amount % kMicrosPerDay, row.zone()));
}

std::int64_t count_units(Row& row, std::string_view name, std::int64_t begin, std::int64_t end) {
  const auto unit = counted_unit(row, name);
  if (!unit) return 0;
  const std::int64_t from = row.zone().to_local(begin);
  const std::int64_t to = row.zone().to_local(end);
  if (*unit >= TimeUnit::kMonth) return whole_months_between(from, to) / months_per(*unit);
  std::int64_t span = 0;
  if (__builtin_sub_overflow(to, from, &span)) row.raise(kOutOfRange);
  return span / micros_per(*unit);
}

// --- registration --------------------------------------------------------------------------------

constexpr const char* kNoZone = "there is no such time zone";

/// A function from time to time; its arguments of these numbers are names of zones.
template <std::size_t... kArguments>
FunctionOverload of_zones(const char* name, std::vector<DataType> arguments, Kernel kernel,
                          const char* description) {
  FunctionOverload overload =
      failing(plain_function(name, std::move(arguments), TypeKind::kTimestamp, kernel, description),
              kNoZone);
  overload.settle = settle_zones<kArguments...>;
  return overload;
}

void add_zones(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(of_zones<1>("from_utc_timestamp", {kTimestamp, kString}, each_row<from_utc>,
                           "The time moved as a clock of the zone is from UTC: what that clock "
                           "shows, as UTC."));
  registry.add(of_zones<1>("to_utc_timestamp", {kTimestamp, kString}, each_row<to_utc>,
                           "The other way round: the UTC time taken as what a clock of the zone "
                           "shows."));
  registry.add(of_zones<0, 1>("convert_timezone", {kString, kString, kTimestamp},
                              each_row<convert_zone>,
                              "What clocks of the second zone show when those of the first show "
                              "the time; both as shown in the session's zone."));
  registry.add(of_zones<0>("convert_timezone", {kString, kTimestamp}, each_row<convert_to_zone>,
                           "The same from the session's time zone."));
  registry.add(plain_function("current_timezone", {}, kString, each_row<zone_name>,
                              "The name of the session's time zone."));
}

void add_making(FunctionRegistry& registry) {
  using enum TypeKind;
  const DataType seconds = DataType::decimal(16, 6);
  registry.add(failing(
      plain_function("make_timestamp", {kInt32, kInt32, kInt32, kInt32, kInt32, seconds},
                     kTimestamp, each_row<make_time>,
                     "The time of year, month, day, hour, minute and second (with a fraction; 60 "
                     "is the next minute) in the session's time zone."),
      "there is no such time"));
  FunctionOverload zoned = failing(
      plain_function("make_timestamp", {kInt32, kInt32, kInt32, kInt32, kInt32, seconds, kString},
                     kTimestamp, each_row<make_zoned_time>, "The same in the time zone named."),
      "there is no such time or no such time zone");
  zoned.settle = settle_zones<6>;
  registry.add(zoned);
  registry.add_try_form("try_make_timestamp", "make_timestamp");
}

}  // namespace

void add_time_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(with_nulls(
      plain_function("date_trunc", {kString, kTimestamp}, kTimestamp, each_row<truncate>,
                     "The begin of the time's microsecond, millisecond, second, minute, hour, day "
                     "(dd), week, month (mon, mm), quarter or year (yyyy, yy), by the session's "
                     "time zone."),
      "an argument is null or the unit is none of these"));
  add_making(registry);
  add_zones(registry);
  constexpr const char* kErrors = "there is no such unit, or the result is out of range";
  registry.add(failing(
      plain_function("timestampadd", {kString, kInt64, kTimestamp}, kTimestamp, each_row<add_units>,
                     "The time so many units later: 'hour', 'day', 'month', ..."),
      kErrors));
  registry.add(failing(plain_function("timestampdiff", {kString, kTimestamp, kTimestamp}, kInt64,
                                      each_row<count_units>,
                                      "Whole units from the first time to the second, by the "
                                      "session's clock."),
                       kErrors));
}

}  // namespace millrace::stream
