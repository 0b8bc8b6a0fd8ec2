#include "triggers/trigger.hpp"

#include "millrace/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <string>

namespace millrace::triggers {
namespace {

constexpr std::string_view kRealTime = "real_time";
constexpr std::string_view kProcessingTime = "processing_time";
constexpr std::string_view kByAnotherName = "micro_batch";  // of processing_time
constexpr std::string_view kOnce = "once";
constexpr std::string_view kAvailableNow = "available_now";
constexpr std::string_view kContinuous = "continuous";

/// Every trigger that has a name: what there is not is refused as that.
constexpr auto kNames = std::to_array<std::string_view>(
    {kRealTime, kProcessingTime, kByAnotherName, kOnce, kAvailableNow, kContinuous});

constexpr std::string_view kSupported =
    "supported: real_time <duration>, processing_time <duration>, available_now, once";

/// A longer interval would overflow nanoseconds.
constexpr std::int64_t kIntervalMaxMs = std::numeric_limits<std::int64_t>::max() / 1'000'000;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The name in its documented spelling; none when it is no trigger's.
std::string_view find_trigger_name(std::string_view name) {
  const std::string canonical = canonical_option_key(name);
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](std::string_view each) {
    return canonical_option_key(each) == canonical;
  });
  return found == kNames.end() ? std::string_view() : *found;
}

tl::unexpected<Error> unknown_trigger(std::string_view name) {
  std::string message = "no trigger '" + std::string(name) + "'; ";
  if (const auto nearest = nearest_name(name, kNames)) message += "nearest: " + *nearest + "; ";
  return fail(ErrorCode::kInvalidArgument, message.append(kSupported));
}

/// Whether the text counts in months or years, whose length is not fixed.
bool has_calendar_unit(std::string_view duration) {
  const std::string lower = canonical_option_key(duration);
  return lower.find("month") != std::string::npos || lower.find("year") != std::string::npos;
}

/// One trigger's argument being read: its errors name both.
struct Argument {
  std::string_view trigger;
  std::string_view text;

  [[nodiscard]] tl::unexpected<Error> refuse(std::string_view reason) const {
    return fail(ErrorCode::kInvalidArgument, "trigger " + std::string(trigger) + " cannot take '" +
                                                 std::string(text) + "': " + std::string(reason));
  }
};

Result<std::int64_t> parse_interval(const Argument& argument, std::int64_t shortest_ms) {
  if (argument.text.front() == '-') return argument.refuse("an interval is above zero");
  if (has_calendar_unit(argument.text))
    return argument.refuse("months and years have no fixed length; write days");
  const auto interval_ms = parse_duration_ms(argument.text);
  if (!interval_ms) return argument.refuse(interval_ms.error().message);
  if (*interval_ms < shortest_ms) {
    return argument.refuse(*interval_ms == 0 ? "an interval is above zero"
                                             : "the shortest interval is 10 ms");
  }
  if (*interval_ms > kIntervalMaxMs) return argument.refuse("the longest interval is 292 years");
  return *interval_ms;
}

/// "5000 rows".
Result<std::int64_t> parse_rows(const Argument& argument) {
  std::int64_t rows = 0;
  const char* const end = argument.text.data() + argument.text.size();
  const auto [rest, problem] = std::from_chars(argument.text.data(), end, rows);
  const std::string unit = canonical_option_key(trim(std::string_view(rest, end)));
  if (problem != std::errc() || rows <= 0 || (unit != "rows" && unit != "row"))
    return argument.refuse("a number of rows is written like '5000 rows'");
  return rows;
}

/// "10 ms", "10 ms or 5000 rows".
Result<Trigger> parse_real_time(std::string_view text) {
  constexpr std::string_view kOr = " or ";
  Trigger trigger;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t at = std::min(lower.find(kOr), text.size());
  if (at < text.size()) {
    MILLRACE_ASSIGN(trigger.rows, parse_rows({kRealTime, trim(text.substr(at + kOr.size()))}));
  }
  const std::string_view duration = trim(text.substr(0, at));
  if (duration.empty()) return trigger;
  MILLRACE_ASSIGN(trigger.interval_ms,
                  parse_interval({kRealTime, duration}, kRealTimeIntervalMinMs));
  return trigger;
}

Result<Trigger> parse_processing_time(std::string_view name, std::string_view text) {
  Trigger trigger{TriggerKind::kProcessingTime, 0};
  if (text.empty()) return trigger;
  MILLRACE_ASSIGN(trigger.interval_ms, parse_interval({name, text}, 0));
  return trigger;
}

Result<Trigger> parse_bounded(TriggerKind kind, std::string_view name, std::string_view text) {
  if (!text.empty()) return Argument{name, text}.refuse("it takes nothing");
  return Trigger{kind, 0};
}

struct Unit {
  std::int64_t ms;
  std::string_view singular;
};

constexpr auto kUnits = std::to_array<Unit>({
    {86'400'000, "day"},
    {3'600'000, "hour"},
    {60'000, "minute"},
    {1'000, "second"},
});

/// In the largest unit that divides it: "5 seconds", "1500 ms".
std::string duration_text(std::int64_t ms) {
  if (ms == 0) return "0 seconds";
  for (const Unit& unit : kUnits) {
    if (ms % unit.ms != 0) continue;
    const std::int64_t count = ms / unit.ms;
    return std::to_string(count) + " " + std::string(unit.singular) + (count == 1 ? "" : "s");
  }
  return std::to_string(ms) + " ms";
}

}  // namespace

bool is_planned(const Trigger& trigger) { return trigger.kind != TriggerKind::kRealTime; }

Result<Trigger> parse_trigger(std::string_view text) {
  text = trim(text);
  if (text.empty()) return Trigger{};
  const auto name_end = std::find_if(text.begin(), text.end(), is_blank);
  const auto name = text.substr(0, static_cast<std::size_t>(name_end - text.begin()));
  const std::string_view argument = trim(text.substr(name.size()));

  const std::string_view known = find_trigger_name(name);
  if (known.empty()) return unknown_trigger(name);
  if (known == kRealTime) return parse_real_time(argument);
  if (known == kOnce) return parse_bounded(TriggerKind::kOnce, known, argument);
  if (known == kAvailableNow) return parse_bounded(TriggerKind::kAvailableNow, known, argument);
  if (known == kContinuous) {
    return fail(ErrorCode::kNotSupported,
                "there is no trigger continuous: real_time does that, with every operator");
  }
  return parse_processing_time(known, argument);
}

std::string to_string(const Trigger& trigger) {
  switch (trigger.kind) {
    case TriggerKind::kOnce:
      return std::string(kOnce);
    case TriggerKind::kAvailableNow:
      return std::string(kAvailableNow);
    case TriggerKind::kProcessingTime:
      return std::string(kProcessingTime) + " " + duration_text(trigger.interval_ms);
    case TriggerKind::kRealTime:
      break;
  }
  return std::string(kRealTime) + " " + duration_text(trigger.interval_ms) +
         (trigger.rows > 0 ? " or " + std::to_string(trigger.rows) + " rows" : "");
}

}  // namespace millrace::triggers
