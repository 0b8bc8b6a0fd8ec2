#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace millrace::cli {

/// What the process ends with; part of the interface, so numbers never change.
enum ExitCode : int {
  kOk = 0,           ///< ended as asked
  kQueryFailed = 1,  ///< a query failed, or the other side could not be reached
  kRefused = 2,      ///< wrong usage, or a job that was refused before anything was read
  kStopTimedOut = 3  ///< a stop ran into stop_timeout: the open epoch runs again at the next start
};

/// What is done to a checkpoint folder. kCheck compares it with the job (Arguments::job_file).
struct CheckpointRequest {
  enum class Verb { kShow, kCheck, kRollBack, kDelete };

  Verb verb = Verb::kShow;
  std::string folder;
  std::int64_t to = 0;  ///< kRollBack: the epoch that is the newest afterwards
};

/// How `run` tells of epochs.
enum class ProgressForm { kNone, kText, kJson };

/// What the user asks for.
struct Arguments {
  enum class Command { kRun, kExplain, kFunctions, kCheckpoint };

  Command command = Command::kRun;
  std::string job_file;                       ///< empty: see job_text
  std::optional<std::string> job_text;        ///< given by -e
  std::map<std::string, std::string> values;  ///< --set
  ProgressForm progress = ProgressForm::kNone;
  std::optional<CheckpointRequest> checkpoint;
};

/// What parsing gives: arguments, or an exit code after help, version or a complaint was printed.
struct ParsedArguments {
  std::optional<Arguments> arguments;
  int exit_code = kOk;
};

/// Reads the command line; prints help and version on standard output, complaints on standard
/// error. The one place that knows CLI11.
[[nodiscard]] ParsedArguments parse_arguments(int count, char** values);

}  // namespace millrace::cli
