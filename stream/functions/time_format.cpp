#include "stream/calendar.hpp"
#include "stream/functions/pattern_cache.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/functions/time_names.hpp"
#include "stream/functions/time_pattern.hpp"
#include "stream/scalar_text.hpp"

// Times written and read by patterns, in the session's time zone.

namespace millrace::stream {

namespace {

constexpr std::string_view kDefaultPattern = "yyyy-MM-dd HH:mm:ss";

using Compile = Result<TimePattern> (*)(std::string_view);

/// The pattern; null, and the row fails, if the text is none.
const TimePattern* pattern_of(Row& row, std::string_view text, Compile compile) {
  const auto& pattern = row.state<PatternCache<TimePattern>>().find(text, compile);
  if (pattern) return &*pattern;
  row.raise([&] { return pattern.error().message; });
  return nullptr;
}

std::string_view write_time(Row& row, std::int64_t time, std::string_view text) {
  const TimePattern* pattern = pattern_of(row, text, TimePattern::for_writing);
  if (pattern == nullptr) return {};
  char* const begin = row.allocate(pattern->room());
  return row.finish(begin, pattern->room(), pattern->write(time, row.zone(), begin));
}

std::int64_t read_by_pattern(Row& row, std::string_view text, std::string_view pattern_text) {
  const TimePattern* pattern = pattern_of(row, pattern_text, TimePattern::for_reading);
  if (pattern == nullptr) return 0;
  const auto time = pattern->read(text, row.zone());
  if (!time) {
    row.raise([&] {
      return "cannot read '" + std::string(text.substr(0, 64)) + "' by the pattern '" +
             std::string(pattern_text) + "'";
    });
  }
  return time.value_or(0);
}

std::int32_t day_of_time(Row& row, std::int64_t time) {
  return static_cast<std::int32_t>(divide_down(row.zone().to_local(time), kMicrosPerDay));
}

std::int32_t read_day_by_pattern(Row& row, std::string_view text, std::string_view pattern) {
  return day_of_time(row, read_by_pattern(row, text, pattern));
}

std::int64_t read_time(Row& row, std::string_view text) {
  const auto time = read_timestamp(text, row.zone());
  if (!time) {
    row.raise([&] { return "'" + std::string(text.substr(0, 64)) + "' is no timestamp"; });
  }
  return time.value_or(0);
}

std::int32_t read_day(Row& row, std::string_view text) {
  const auto day = read_date(text);
  if (!day) row.raise([&] { return "'" + std::string(text.substr(0, 64)) + "' is no date"; });
  return day.value_or(0);
}

std::int64_t same_time(std::int64_t time) { return time; }
std::int64_t time_without_pattern(std::int64_t time, std::string_view) { return time; }
std::int32_t same_day(std::int32_t day) { return day; }
std::int32_t day_without_pattern(std::int32_t day, std::string_view) { return day; }

// --- seconds -------------------------------------------------------------------------------------

/// Towards zero, as the anchor has it.
std::int64_t whole_seconds(std::int64_t time) { return time / kMicrosPerSecond; }
std::int64_t seconds_without_pattern(std::int64_t time, std::string_view) {
  return whole_seconds(time);
}
std::int64_t read_seconds_by_pattern(Row& row, std::string_view text, std::string_view pattern) {
  return whole_seconds(read_by_pattern(row, text, pattern));
}
std::int64_t read_seconds(Row& row, std::string_view text) {
  return read_seconds_by_pattern(row, text, kDefaultPattern);
}

std::int64_t time_of_seconds(Row& row, std::int64_t seconds) {
  std::int64_t time = 0;
  if (!__builtin_mul_overflow(seconds, kMicrosPerSecond, &time)) return time;
  row.raise("the time is out of range");
  return 0;
}

std::string_view write_seconds_by_pattern(Row& row, std::int64_t seconds,
                                          std::string_view pattern) {
  return write_time(row, time_of_seconds(row, seconds), pattern);
}
std::string_view write_seconds(Row& row, std::int64_t seconds) {
  return write_seconds_by_pattern(row, seconds, kDefaultPattern);
}

std::string_view name_of_day(std::int32_t date) {
  return kDayNames[static_cast<std::size_t>(weekday_of(date))].substr(0, kShortNameSize);
}
std::string_view name_of_month(std::int32_t date) {
  const auto month = static_cast<std::size_t>(calendar_date(date).month - 1);
  return kMonthNames[month].substr(0, kShortNameSize);
}

// --- registration --------------------------------------------------------------------------------

template <auto kCompile>
Status check_pattern(std::span<const Value* const> literals) {
  if (literals.size() < 2 || literals[1] == nullptr) return {};
  return kCompile(std::get<std::string>(literals[1]->data)).map([](const auto&) {});
}

constexpr const char* kNotRead = "the text is not such a time, or the pattern is none";

FunctionOverload writing(const char* name, TypeKind argument, Kernel kernel,
                         const char* description) {
  FunctionOverload overload = failing(
      plain_function(name, {argument, TypeKind::kString}, TypeKind::kString, kernel, description),
      "the pattern is none, or the time is out of range");
  overload.check_literals = check_pattern<TimePattern::for_writing>;
  overload.settle = settle_pattern<TimePattern, TimePattern::for_writing, 1>;
  return overload;
}

FunctionOverload reading(const char* name, TypeKind result, Kernel kernel,
                         const char* description) {
  FunctionOverload overload = failing(
      plain_function(name, {TypeKind::kString, TypeKind::kString}, result, kernel, description),
      kNotRead);
  overload.check_literals = check_pattern<TimePattern::for_reading>;
  overload.settle = settle_pattern<TimePattern, TimePattern::for_reading, 1>;
  return overload;
}

void add_reading(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(failing(plain_function("to_timestamp", {kString}, kTimestamp, each_row<read_time>,
                                      "The text as a time, as a cast reads it."),
                       kNotRead));
  registry.add(reading("to_timestamp", kTimestamp, each_row<read_by_pattern>,
                       "The text read by the pattern, of the session's time zone."));
  registry.add(plain_function("to_timestamp", {kTimestamp}, kTimestamp, each_row<same_time>,
                              "The time itself."));
  registry.add(plain_function("to_timestamp", {kTimestamp, kString}, kTimestamp,
                              each_row<time_without_pattern>, "The time itself."));
  registry.add(
      failing(plain_function("to_timestamp", {kInt64}, kTimestamp, each_row<time_of_seconds>,
                             "The time so many seconds after 1970-01-01 UTC."),
              "the time is out of range"));
  registry.add_try_form("try_to_timestamp", "to_timestamp");

  registry.add(failing(plain_function("to_date", {kString}, kDate, each_row<read_day>,
                                      "The text as a date, as a cast reads it."),
                       kNotRead));
  registry.add(reading("to_date", kDate, each_row<read_day_by_pattern>,
                       "The day of the text read by the pattern."));
  registry.add(plain_function("to_date", {kDate}, kDate, each_row<same_day>, "The date itself."));
  registry.add(plain_function("to_date", {kDate, kString}, kDate, each_row<day_without_pattern>,
                              "The date itself."));
  registry.add_try_form("try_to_date", "to_date");
}

void add_seconds(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kSeconds =
      "Seconds since 1970-01-01 UTC, a fraction cut towards 1970; of a text by the pattern, or "
      "else yyyy-MM-dd HH:mm:ss.";
  registry.add(
      plain_function("unix_timestamp", {kTimestamp}, kInt64, each_row<whole_seconds>, kSeconds));
  registry.add(plain_function("unix_timestamp", {kTimestamp, kString}, kInt64,
                              each_row<seconds_without_pattern>, kSeconds));
  registry.add(
      failing(plain_function("unix_timestamp", {kString}, kInt64, each_row<read_seconds>, kSeconds),
              kNotRead));
  registry.add(reading("unix_timestamp", kInt64, each_row<read_seconds_by_pattern>, kSeconds));
  registry.add_alias("to_unix_timestamp", "unix_timestamp");

  constexpr const char* kWritten =
      "The time so many seconds after 1970-01-01 UTC by the pattern, or else yyyy-MM-dd HH:mm:ss.";
  registry.add(
      failing(plain_function("from_unixtime", {kInt64}, kString, each_row<write_seconds>, kWritten),
              "the time is out of range"));
  registry.add(writing("from_unixtime", kInt64, each_row<write_seconds_by_pattern>, kWritten));
}

}  // namespace

void add_time_format_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(writing(
      "date_format", kTimestamp, each_row<write_time>,
      "The time by a pattern of letters: yyyy-MM-dd HH:mm:ss.SSS, EEE d MMM, h a "
      "and so on, as Java's DateTimeFormatter reads them; names are English. z is the short name "
      "of the zone's time (CET, CEST), a number where the time zone database has "
      "no name; zzzz is refused."));
  add_reading(registry);
  add_seconds(registry);
  registry.add(plain_function("dayname", {kDate}, kString, each_row<name_of_day>,
                              "The day of the week: Mon, Tue, ..."));
  registry.add(plain_function("monthname", {kDate}, kString, each_row<name_of_month>,
                              "The month: Jan, Feb, ..."));
}

}  // namespace millrace::stream
