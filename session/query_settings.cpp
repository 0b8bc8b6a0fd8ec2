#include "session/query_settings.hpp"

#include "triggers/trigger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace millrace::session {
namespace {

constexpr auto kSettings = std::to_array<std::string_view>(
    {"checkpoint_location", "trigger", "wait_policy", "stop_timeout", "query_name"});

Status check_wait_policy(std::string_view value) {
  constexpr auto kPolicies = std::to_array<std::string_view>({"park", "adaptive", "spin"});
  if (value == "park") return {};
  if (std::ranges::find(kPolicies, value) != kPolicies.end()) {
    return fail(ErrorCode::kNotSupported,
                fmt::format("wait_policy = '{}' is not supported yet; accepted: park", value));
  }
  const auto nearest = nearest_name(value, kPolicies);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("wait_policy = '{}' is not known; accepted: park{}", value,
                          nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

// The name is a folder's too.
Status check_query_name(std::string_view name) {
  if (!name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("query_name = '{}' cannot be a folder's name", name));
}

Status check_checkpoint_location(std::string_view value) {
  if (value.find_first_not_of(" \t\r\n") != std::string_view::npos) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("checkpoint_location = '{}' names no folder: write "
                  "checkpoint_location = 'folder', or leave the setting out to keep nothing",
                  value));
}

Status check_stop_timeout(std::string_view value) {
  const auto timeout_ms = parse_duration_ms(value);
  if (timeout_ms && *timeout_ms > 0) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("stop_timeout = '{}' is not a duration above zero, like '30 seconds'", value));
}

}  // namespace

bool is_setting(std::string_view key) {
  const std::string wanted = canonical_option_key(key);
  return std::ranges::any_of(
      kSettings, [&](std::string_view setting) { return canonical_option_key(setting) == wanted; });
}

Status check_setting(std::string_view name, std::string_view value) {
  Options one;
  one.set(name, value);
  MILLRACE_TRY(one.check_known("session", kSettings));
  if (one.has("checkpoint_location")) MILLRACE_TRY(check_checkpoint_location(value));
  if (one.has("trigger")) MILLRACE_TRY(triggers::parse_trigger(value));
  if (one.has("wait_policy")) MILLRACE_TRY(check_wait_policy(value));
  if (one.has("stop_timeout")) MILLRACE_TRY(check_stop_timeout(value));
  if (one.has("query_name")) MILLRACE_TRY(check_query_name(value));
  return {};
}

Result<QuerySettings> read_settings(const Options& session, const Options& own,
                                    std::string_view default_name) {
  Options all = session;
  for (const auto& entry : own.entries()) all.set(entry.key, entry.value);
  for (const auto& entry : all.entries()) MILLRACE_TRY(check_setting(entry.key, entry.value));

  QuerySettings result;
  result.name = all.get_or("query_name", default_name);
  MILLRACE_TRY(check_query_name(result.name));
  const std::string location = all.get_or("checkpoint_location", "");
  if (!location.empty()) {
    result.checkpoint_folder = location + (location.ends_with('/') ? "" : "/") + result.name;
  }
  MILLRACE_ASSIGN(const triggers::Trigger trigger,
                  triggers::parse_trigger(all.get_or("trigger", "")));
  result.trigger = triggers::to_string(trigger);
  result.wait_policy = all.get_or("wait_policy", result.wait_policy);
  MILLRACE_ASSIGN(result.stop_timeout_ms,
                  all.get_duration_ms("stop_timeout", result.stop_timeout_ms));
  return result;
}

}  // namespace millrace::session
