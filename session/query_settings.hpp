#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include "session/query_launcher.hpp"
#include "stream/evaluation_settings.hpp"

#include <string_view>

namespace millrace::session {

/// True when the key is one of the query's own settings (checkpoint_location, trigger, wait_policy,
/// task_threads, task_thread_name, task_cores, stop_timeout, recent_progress, async_progress,
/// restart and its delays, query_name, time_zone, ansi), in any spelling.
[[nodiscard]] bool is_setting(std::string_view key);

/// Refuses an unknown setting, naming the nearest, and a value that cannot be.
[[nodiscard]] Status check_setting(std::string_view name, std::string_view value);

/// Reads what expressions are evaluated under: `time_zone` (default UTC) and `ansi` (default true).
[[nodiscard]] Result<stream::EvaluationSettings> read_evaluation(const Options& settings);
/// The same of a query: its own settings go before the session's.
[[nodiscard]] Result<stream::EvaluationSettings> read_evaluation(const Options& session,
                                                                 const Options& own);

/// Reads what a query is started with: its own settings before the session's before the defaults.
/// `default_name` is the sink's name.
[[nodiscard]] Result<QuerySettings> read_settings(const Options& session, const Options& own,
                                                  std::string_view default_name);

/// The worker threads in words, for explain: "one per task, on cores 0, 1". Empty for the default.
[[nodiscard]] std::string describe_threads(const QuerySettings& settings);

}  // namespace millrace::session
