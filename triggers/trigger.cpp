#include "triggers/trigger.hpp"

#include "millrace/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>

namespace millrace::triggers {
namespace {

constexpr std::string_view kRealTimeName = "real_time";

/// Every trigger that has a name: what is not supported yet is refused as that.
constexpr auto kTriggerNames = std::to_array<std::string_view>({
    kRealTimeName,
    "micro_batch",
    "processing_time",
    "once",
    "available_now",
    "continuous",
});

constexpr std::string_view kSupported = "supported: real_time <duration>";

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
  const auto found =
      std::find_if(kTriggerNames.begin(), kTriggerNames.end(),
                   [&](std::string_view each) { return canonical_option_key(each) == canonical; });
  return found == kTriggerNames.end() ? std::string_view() : *found;
}

tl::unexpected<Error> unknown_trigger(std::string_view name) {
  constexpr auto kAccepted = std::to_array<std::string_view>({kRealTimeName});
  std::string message = "no trigger '" + std::string(name) + "'; ";
  if (const auto nearest = nearest_name(name, kAccepted)) {
    message += "nearest: " + *nearest + "; ";
  }
  return fail(ErrorCode::kInvalidArgument, message.append(kSupported));
}

/// Whether the text counts in months or years, whose length is not fixed.
bool has_calendar_unit(std::string_view duration) {
  const std::string lower = canonical_option_key(duration);
  return lower.find("month") != std::string::npos || lower.find("year") != std::string::npos;
}

tl::unexpected<Error> refuse_interval(std::string_view duration, std::string_view reason) {
  return fail(ErrorCode::kInvalidArgument, "trigger real_time cannot take '" +
                                               std::string(duration) + "': " + std::string(reason));
}

Result<std::int64_t> parse_interval(std::string_view duration) {
  if (duration.front() == '-') return refuse_interval(duration, "an interval is above zero");
  if (has_calendar_unit(duration)) {
    return refuse_interval(duration, "months and years have no fixed length; write days");
  }
  const auto interval_ms = parse_duration_ms(duration);
  if (!interval_ms) return refuse_interval(duration, interval_ms.error().message);
  if (*interval_ms == 0) return refuse_interval(duration, "an interval is above zero");
  if (*interval_ms < kRealTimeIntervalMinMs) {
    return refuse_interval(duration, "the shortest interval is 10 ms");
  }
  if (*interval_ms > kIntervalMaxMs) {
    return refuse_interval(duration, "the longest interval is 292 years");
  }
  return *interval_ms;
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
  for (const Unit& unit : kUnits) {
    if (ms % unit.ms != 0) continue;
    const std::int64_t count = ms / unit.ms;
    return std::to_string(count) + " " + std::string(unit.singular) + (count == 1 ? "" : "s");
  }
  return std::to_string(ms) + " ms";
}

}  // namespace

Result<Trigger> parse_trigger(std::string_view text) {
  text = trim(text);
  if (text.empty()) return Trigger{};
  const auto name_end = std::find_if(text.begin(), text.end(), is_blank);
  const auto name = text.substr(0, static_cast<std::size_t>(name_end - text.begin()));
  const std::string_view argument = trim(text.substr(name.size()));

  const std::string_view known = find_trigger_name(name);
  if (known.empty()) return unknown_trigger(name);
  if (known != kRealTimeName) {
    return fail(ErrorCode::kNotSupported, "trigger '" + std::string(known) +
                                              "' is not supported yet; " + std::string(kSupported));
  }
  Trigger trigger;
  if (argument.empty()) return trigger;
  MILLRACE_ASSIGN(trigger.interval_ms, parse_interval(argument));
  return trigger;
}

std::string to_string(const Trigger& trigger) {
  return std::string(kRealTimeName) + " " + duration_text(trigger.interval_ms);
}

}  // namespace millrace::triggers
