#include "stream/ascii.hpp"
#include "stream/calendar.hpp"
#include "stream/functions/row_kernel.hpp"

#include <algorithm>
#include <array>

// What a date, a time or an interval is made of: year, hour, ... by the clock of the session's time
// zone.

namespace millrace::stream {

namespace {

std::int32_t year_of(std::int32_t date) {
  return static_cast<std::int32_t>(calendar_date(date).year);
}
std::int32_t quarter_of(std::int32_t date) {
  return static_cast<std::int32_t>((calendar_date(date).month + 2) / 3);
}
std::int32_t month_of(std::int32_t date) {
  return static_cast<std::int32_t>(calendar_date(date).month);
}
std::int32_t day_of(std::int32_t date) {
  return static_cast<std::int32_t>(calendar_date(date).day);
}
std::int32_t weekday(std::int32_t date) { return static_cast<std::int32_t>(weekday_of(date)); }
std::int32_t day_from_monday(std::int32_t date) { return weekday(date) + 1; }
std::int32_t day_from_sunday(std::int32_t date) { return (weekday(date) + 1) % 7 + 1; }
std::int32_t day_in_year(std::int32_t date) { return static_cast<std::int32_t>(day_of_year(date)); }
std::int32_t week_of(std::int32_t date) { return static_cast<std::int32_t>(iso_week(date)); }
std::int32_t year_of_week(std::int32_t date) { return static_cast<std::int32_t>(iso_year(date)); }

std::int64_t time_of_day(Row& row, std::int64_t time) {
  return rest_of(row.zone().to_local(time), kMicrosPerDay);
}
std::int32_t hour_of(Row& row, std::int64_t time) {
  return static_cast<std::int32_t>(time_of_day(row, time) / kMicrosPerHour);
}
std::int32_t minute_of(Row& row, std::int64_t time) {
  return static_cast<std::int32_t>(time_of_day(row, time) / kMicrosPerMinute % 60);
}
std::int32_t second_of(Row& row, std::int64_t time) {
  return static_cast<std::int32_t>(time_of_day(row, time) / kMicrosPerSecond % 60);
}
Decimal exact_second(Row& row, std::int64_t time) {
  return {time_of_day(row, time) % kMicrosPerMinute};
}
Decimal exact_epoch(std::int64_t time) { return {time}; }

std::int32_t years_in(Interval span) { return span.months / 12; }
std::int32_t months_in(Interval span) { return span.months % 12; }
std::int32_t days_in(Interval span) { return span.days; }
std::int64_t hours_in(Interval span) { return span.microseconds / kMicrosPerHour; }
std::int32_t minutes_in(Interval span) {
  return static_cast<std::int32_t>(span.microseconds / kMicrosPerMinute % 60);
}
Decimal seconds_in(Interval span) { return {span.microseconds % kMicrosPerMinute}; }

// --- by name -------------------------------------------------------------------------------------

/// A part that extract and date_part give, by its names.
struct NamedPart {
  std::string_view names;  ///< each between blanks
  DataType (*result)();
  Kernel of_date;  ///< null: there is none
  Kernel of_time;
  Kernel of_interval;
};

DataType int_type() { return TypeKind::kInt32; }
DataType bigint_type() { return TypeKind::kInt64; }
DataType seconds_type() { return DataType::decimal(8, 6); }
DataType epoch_type() { return DataType::decimal(20, 6); }

const auto& named_parts() {
  static const auto parts = std::to_array<NamedPart>({
      {" year y years yr yrs ", int_type, each_row<year_of>, nullptr, each_row<years_in>},
      {" yearofweek isoyear ", int_type, each_row<year_of_week>, nullptr, nullptr},
      {" quarter qtr ", int_type, each_row<quarter_of>, nullptr, nullptr},
      {" month mon mons months ", int_type, each_row<month_of>, nullptr, each_row<months_in>},
      {" week w weeks ", int_type, each_row<week_of>, nullptr, nullptr},
      {" day d days ", int_type, each_row<day_of>, nullptr, each_row<days_in>},
      {" dayofweek dow ", int_type, each_row<day_from_sunday>, nullptr, nullptr},
      {" dayofweek_iso dow_iso isodow ", int_type, each_row<day_from_monday>, nullptr, nullptr},
      {" doy ", int_type, each_row<day_in_year>, nullptr, nullptr},
      {" hour h hours hr hrs ", int_type, nullptr, each_row<hour_of>, nullptr},
      {" hour h hours hr hrs ", bigint_type, nullptr, nullptr, each_row<hours_in>},
      {" minute m min mins minutes ", int_type, nullptr, each_row<minute_of>, each_row<minutes_in>},
      {" second s sec seconds secs ", seconds_type, nullptr, each_row<exact_second>,
       each_row<seconds_in>},
      {" epoch ", epoch_type, nullptr, each_row<exact_epoch>, nullptr},
  });
  return parts;
}

using Kind = Kernel NamedPart::*;

const NamedPart* find_part(std::string_view name, Kind kind) {
  if (name.find(' ') != std::string_view::npos) return nullptr;
  const std::string wanted = " " + lower_case(name) + " ";
  const auto& parts = named_parts();
  const auto* found = std::ranges::find_if(parts, [&](const NamedPart& part) {
    return part.*kind != nullptr && part.names.find(wanted) != std::string_view::npos;
  });
  return found == parts.end() ? nullptr : found;
}

/// The part is settled by the literal; the kernel of the rest of the call does the work.
template <TypeKind kKind, Kernel NamedPart::*kKernel>
std::optional<SettledTypes> part_types(const Arguments& arguments) {
  if (arguments.size() != 2 || arguments[0].literal == nullptr) return std::nullopt;
  const auto* name = std::get_if<std::string>(&arguments[0].literal->data);
  if (name == nullptr) return std::nullopt;
  const NamedPart* part = find_part(*name, kKernel);
  if (part == nullptr) return std::nullopt;
  return SettledTypes{{TypeKind::kString, kKind}, part->result()};
}

struct PartKernel : CallState {
  Kernel kernel = nullptr;
};

template <Kernel NamedPart::*kKernel>
void settle_part(const PlannedCall& call, CallMemory& memory) {
  const NamedPart* part = find_part(std::get<std::string>(call.literals[0]->data), kKernel);
  memory.get<PartKernel>().kernel = part->*kKernel;
}

void run_part(KernelCall& call) {
  KernelCall of_value{call.arguments.subspan(1),
                      call.result,
                      call.rows,
                      call.arena,
                      call.errors,
                      call.settings,
                      call.state,
                      call.ingest};
  call.state.get<PartKernel>().kernel(of_value);
}

template <TypeKind kKind, Kernel NamedPart::*kKernel>
void add_named_part(FunctionRegistry& registry, const char* name, const char* signature,
                    const char* description) {
  // Which type the result has hangs on the part.
  const TypeKind result = kKind == TypeKind::kDate ? TypeKind::kInt32 : TypeKind::kNull;
  FunctionOverload overload = plain_function(name, {}, result, run_part, description);
  overload.rule = part_types<kKind, kKernel>;
  overload.settle = settle_part<kKernel>;
  overload.signature = signature;
  registry.add(std::move(overload));
}

void add_named_parts(FunctionRegistry& registry) {
  add_named_part<TypeKind::kDate, &NamedPart::of_date>(
      registry, "date_part", "date_part('part', date)",
      "The part of the date: year, quarter, month, week, day, dayofweek (dow), dayofweek_iso "
      "(isodow), doy, yearofweek (isoyear). Of a timestamp too.");
  add_named_part<TypeKind::kTimestamp, &NamedPart::of_time>(
      registry, "date_part", "date_part('part', timestamp)",
      "The part of the time: hour and minute as int, second with its fraction as decimal(8,6), "
      "epoch (seconds since 1970-01-01 UTC) as decimal(20,6).");
  add_named_part<TypeKind::kInterval, &NamedPart::of_interval>(
      registry, "date_part", "date_part('part', interval)",
      "The part of the interval: year, month, day and minute as int, hour as bigint, second with "
      "its fraction as decimal(8,6).");
  for (const char* alias : {"extract", "datepart"}) registry.add_alias(alias, "date_part");
}

void add_date_part(FunctionRegistry& registry, const char* name, Kernel kernel,
                   const char* description) {
  registry.add(plain_function(name, {TypeKind::kDate}, TypeKind::kInt32, kernel, description));
}

void add_time_part(FunctionRegistry& registry, const char* name, Kernel kernel,
                   const char* description) {
  registry.add(plain_function(name, {TypeKind::kTimestamp}, TypeKind::kInt32, kernel, description));
}

}  // namespace

void add_time_part_functions(FunctionRegistry& registry) {
  add_date_part(registry, "year", each_row<year_of>, "The year.");
  add_date_part(registry, "quarter", each_row<quarter_of>, "The quarter, 1 to 4.");
  add_date_part(registry, "month", each_row<month_of>, "The month, 1 to 12.");
  add_date_part(registry, "day", each_row<day_of>, "The day of the month.");
  registry.add_alias("dayofmonth", "day");
  add_date_part(registry, "dayofweek", each_row<day_from_sunday>,
                "The day of the week, 1 for Sunday to 7 for Saturday.");
  add_date_part(registry, "weekday", each_row<weekday>,
                "The day of the week, 0 for Monday to 6 for Sunday.");
  add_date_part(registry, "dayofyear", each_row<day_in_year>, "The day of the year, from 1.");
  add_date_part(registry, "weekofyear", each_row<week_of>,
                "The week by ISO 8601: Monday to Sunday, the first has the year's first Thursday.");
  add_time_part(registry, "hour", each_row<hour_of>, "The hour, 0 to 23.");
  add_time_part(registry, "minute", each_row<minute_of>, "The minute, 0 to 59.");
  add_time_part(registry, "second", each_row<second_of>, "The second, without its fraction.");
  add_named_parts(registry);
}

}  // namespace millrace::stream
