#include "session/query_settings.hpp"

#include "actors/wait_policy.hpp"
#include "triggers/trigger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace millrace::session {
namespace {

constexpr auto kSettings = std::to_array<std::string_view>(
    {"checkpoint_location", "trigger", "wait_policy", "task_threads", "task_thread_name",
     "task_cores", "stop_timeout", "recent_progress", "async_progress", "restart", "restart_delay",
     "restart_delay_max", "restart_reset_after", "query_name", "time_zone", "ansi",
     "statement_set"});
constexpr std::size_t kRecentProgressMax = 10'000;
constexpr std::size_t kTaskThreadsMax = 256;
constexpr std::size_t kThreadNameMax = 11;  // the kernel keeps 15, and "-255" comes behind it

Status check_wait_policy(std::string_view value) {
  constexpr auto kPolicies = std::to_array<std::string_view>({"park", "adaptive", "spin"});
  if (actors::wait_policy_named(value) != nullptr) return {};
  const auto nearest = nearest_name(value, kPolicies);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("wait_policy = '{}' is not known; accepted: park, adaptive, spin{}",
                          value, nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<std::size_t> parse_task_threads(std::string_view value) {
  if (value == "per_task") return 0;
  const auto count = parse_number<std::size_t>(value);
  if (count && *count > 0 && *count <= kTaskThreadsMax) return *count;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("task_threads = '{}' is neither a number from 1 to {} nor 'per_task'",
                          value, kTaskThreadsMax));
}

Result<std::size_t> parse_recent_progress(std::string_view value) {
  const auto count = parse_number<std::size_t>(value);
  if (count && *count <= kRecentProgressMax) return *count;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("recent_progress = '{}' is not a number from 0 to {}", value,
                          kRecentProgressMax));
}

Status check_task_thread_name(std::string_view value) {
  if (!value.empty() && value.size() <= kThreadNameMax) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("task_thread_name = '{}' does not have 1 to {} bytes", value, kThreadNameMax));
}

bool may_run_on(int core) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return core >= 0 && core < CPU_SETSIZE && sched_getaffinity(0, sizeof(allowed), &allowed) == 0 &&
         CPU_ISSET(static_cast<unsigned>(core), &allowed);
}

Result<std::vector<int>> parse_task_cores(std::string_view value) {
  std::vector<int> cores;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    std::string_view text = value.substr(begin, end - begin);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto core = parse_number<int>(text);
    if (!core)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("task_cores = '{}' is not a list of cores like '0,1'", value));
    if (!may_run_on(*core))
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("task_cores = '{}': this process may not run on core {}", value, *core));
    cores.push_back(*core);
    begin = end + 1;
  }
  return cores;
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

Status check_duration(std::string_view name, std::string_view value) {
  const auto duration_ms = parse_duration_ms(value);
  if (duration_ms && *duration_ms > 0) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{} = '{}' is not a duration above zero, like '30 seconds'", name, value));
}

Result<bool> parse_restart(std::string_view value) {
  if (value == "never" || value == "on_failure") return value == "on_failure";
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("restart = '{}' is not known; accepted: never, on_failure", value));
}

Result<RestartOptions> read_restart(const Options& all) {
  RestartOptions restart;
  MILLRACE_ASSIGN(restart.is_on, parse_restart(all.get_or("restart", "never")));
  MILLRACE_ASSIGN(restart.delay_ms, all.get_duration_ms("restart_delay", restart.delay_ms));
  MILLRACE_ASSIGN(restart.delay_max_ms,
                  all.get_duration_ms("restart_delay_max", restart.delay_max_ms));
  MILLRACE_ASSIGN(restart.reset_after_ms,
                  all.get_duration_ms("restart_reset_after", restart.reset_after_ms));
  return restart;
}

Options merged(const Options& session, const Options& own) {
  Options all = session;
  for (const auto& entry : own.entries()) all.set(entry.key, entry.value);
  return all;
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
  if (one.has("statement_set")) {
    return fail(ErrorCode::kInvalidArgument,
                "statement_set is for jobs in SQL: SET statement_set = 'on' before their INSERTs");
  }
  if (one.has("checkpoint_location")) MILLRACE_TRY(check_checkpoint_location(value));
  if (one.has("trigger")) MILLRACE_TRY(triggers::parse_trigger(value));
  if (one.has("wait_policy")) MILLRACE_TRY(check_wait_policy(value));
  if (one.has("task_threads")) MILLRACE_TRY(parse_task_threads(value));
  if (one.has("task_thread_name")) MILLRACE_TRY(check_task_thread_name(value));
  if (one.has("task_cores")) MILLRACE_TRY(parse_task_cores(value));
  for (const char* const duration :
       {"stop_timeout", "restart_delay", "restart_delay_max", "restart_reset_after"})
    if (one.has(duration)) MILLRACE_TRY(check_duration(duration, value));
  MILLRACE_TRY(one.get_bool("async_progress", false));
  if (one.has("restart")) MILLRACE_TRY(parse_restart(value));
  if (one.has("recent_progress")) MILLRACE_TRY(parse_recent_progress(value));
  if (one.has("query_name")) MILLRACE_TRY(check_query_name(value));
  return read_evaluation(one).map([](const auto&) {});
}

Result<stream::EvaluationSettings> read_evaluation(const Options& settings) {
  stream::EvaluationSettings result;
  if (const auto zone = settings.get("time_zone")) {
    MILLRACE_ASSIGN(result.zone, stream::TimeZone::find(*zone));
  }
  MILLRACE_ASSIGN(result.is_ansi, settings.get_bool("ansi", true));
  return result;
}

Result<stream::EvaluationSettings> read_evaluation(const Options& session, const Options& own) {
  return read_evaluation(merged(session, own));
}

Result<QuerySettings> read_settings(const Options& session, const Options& own,
                                    std::string_view default_name) {
  const Options all = merged(session, own);
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
  MILLRACE_ASSIGN(result.task_threads, parse_task_threads(all.get_or("task_threads", "1")));
  result.task_thread_name = all.get_or("task_thread_name", result.task_thread_name);
  if (all.has("task_cores")) {
    MILLRACE_ASSIGN(result.task_cores, parse_task_cores(all.get_or("task_cores", "")));
  }
  MILLRACE_ASSIGN(result.stop_timeout_ms,
                  all.get_duration_ms("stop_timeout", result.stop_timeout_ms));
  MILLRACE_ASSIGN(result.async_progress, all.get_bool("async_progress", false));
  MILLRACE_ASSIGN(result.restart, read_restart(all));
  if (const auto count = all.get("recent_progress")) {
    MILLRACE_ASSIGN(result.recent_progress, parse_recent_progress(*count));
  }
  return result;
}

std::string describe_threads(const QuerySettings& settings) {
  const QuerySettings normal;
  if (settings.task_threads == normal.task_threads && settings.task_cores.empty()) return "";
  std::string text = settings.task_threads == 0   ? "one per task"
                     : settings.task_threads == 1 ? "one for all tasks"
                                                  : fmt::format("{}", settings.task_threads);
  if (!settings.task_cores.empty())
    text += fmt::format(", on cores {}", fmt::join(settings.task_cores, ", "));
  return text;
}

}  // namespace millrace::session
