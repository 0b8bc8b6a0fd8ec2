#include "cli/job_runner.hpp"

#include "millrace/session.hpp"

#include "cli/progress_line.hpp"
#include "cli/stop_signals.hpp"
#include "session/plan_identity.hpp"
#include "sql/program.hpp"
#include "state/checkpoint_check.hpp"
#include "state/posix_disk.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

namespace millrace::cli {
namespace {

// How long a start may take to notice that it is not wanted any more.
constexpr std::chrono::milliseconds kGivingUpLimit{500};

// Written as a whole, so that lines of several threads do not mix. One that nobody can take (a full
// disk, a reader that went away) is lost: no reason to stop a query.
void say(std::string_view line) {
  const std::string whole = fmt::format("{}\n", line);
  static_cast<void>(std::fwrite(whole.data(), 1, whole.size(), stderr));
}

void say_log(LogLevel level, std::string_view line) {
  const char* prefix = level == LogLevel::kError     ? "error: "
                       : level == LogLevel::kWarning ? "warning: "
                                                     : "";
  say(fmt::format("{}{}", prefix, line));
}

Result<std::string> read_job(const Arguments& arguments) {
  if (arguments.job_text) return *arguments.job_text;
  std::ifstream file;
  const bool is_standard_input = arguments.job_file == "-";
  if (!is_standard_input) file.open(arguments.job_file, std::ios::binary);
  std::istream& input = is_standard_input ? std::cin : file;
  std::ostringstream text;
  // A folder opens like a file, and only fails to be read. An empty file copies nothing.
  const bool is_there = input.good() && (input.peek() == EOF ? !input.bad() : true);
  if (is_there && input.good()) text << input.rdbuf();
  if (!is_there || input.bad()) {
    return fail(ErrorCode::kNotFound, "the job cannot be read: no such file, or not a file");
  }
  return std::move(text).str();
}

std::optional<std::string> value_of(const Arguments& arguments, std::string_view name) {
  const std::string key(name);
  const auto found = arguments.values.find(key);
  if (found != arguments.values.end()) return found->second;
  if (const char* value = std::getenv(key.c_str())) return std::string(value);
  return std::nullopt;
}

Result<sql::Program> parse_job(const Arguments& arguments) {
  MILLRACE_ASSIGN(std::string text, read_job(arguments));
  return sql::Program::parse(std::move(text),
                             [&](std::string_view name) { return value_of(arguments, name); });
}

// Before the first row, a mistake of the job's is a refusal; what may pass by itself is a failure.
int exit_code_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kIo:
    case ErrorCode::kInternal:
    case ErrorCode::kDataLoss:
      return kQueryFailed;
    default:
      return kRefused;
  }
}

int complain(const Arguments& arguments, const Error& error) {
  const std::string place = arguments.job_text ? "-e" : arguments.job_file;
  say(fmt::format("millrace: {}: {}", place, error.message));
  return exit_code_of(error);
}

/// One run of a job: the session, and how it ends.
class JobRun {
 public:
  explicit JobRun(const Arguments& arguments)
      : arguments_(arguments), session_(config_of(arguments)) {}

  int run(StopSignals& signals);

 private:
  static SessionConfig config_of(const Arguments& arguments);
  Result<std::vector<sql::StartedQuery>> start(sql::Program& program);
  void stop();
  void stop_before_ready();
  void await(const Query& query);

  const Arguments& arguments_;
  Session session_;
  std::atomic<bool> is_stopping_{false};
  std::atomic<int> exit_code_{kOk};

  std::mutex start_mutex_;
  std::condition_variable start_ended_;
  bool is_starting_ = true;  ///< guarded by start_mutex_
};

SessionConfig JobRun::config_of(const Arguments& arguments) {
  SessionConfig config;
  config.log = say_log;
  if (arguments.progress == ProgressForm::kText)
    config.progress = [](const QueryProgress& progress) { say(progress_line(progress)); };
  if (arguments.progress == ProgressForm::kJson)
    config.progress = [](const QueryProgress& progress) { say(progress.to_json()); };
  return config;
}

int JobRun::run(StopSignals& signals) {
  auto program = parse_job(arguments_);
  if (!program) return complain(arguments_, program.error());
  if (Status prepared = program->prepare(session_); !prepared) {
    return complain(arguments_, prepared.error());
  }
  const std::string shown = program->shown(false);
  std::cout << shown << std::flush;
  if (program->query_count() == 0) {
    if (!shown.empty()) return kOk;
    say("millrace: the job has no INSERT INTO ... SELECT ..., so there is nothing to run");
    return kRefused;
  }

  signals.watch([this] {
    say("stopping: what was read is written and committed; another signal ends at once");
    stop();
  });
  const auto started = start(*program);
  if (!started || is_stopping_) {
    signals.end();
    if (is_stopping_) return exit_code_;
    return complain(arguments_, started.error());
  }
  std::string ready;
  for (const sql::StartedQuery& query : *started) {
    ready += fmt::format("{}{} ({})", ready.empty() ? "" : "; ", query.query.name(), query.summary);
  }
  say("ready: " + ready);

  std::vector<std::thread> waiters;
  for (const sql::StartedQuery& query : *started) {
    waiters.emplace_back([this, handle = query.query] { await(handle); });
  }
  for (std::thread& waiter : waiters) waiter.join();
  signals.end();  // a stop that runs still decides how this ends
  return exit_code_;
}

Result<std::vector<sql::StartedQuery>> JobRun::start(sql::Program& program) {
  auto started = program.start(session_);
  const std::lock_guard lock(start_mutex_);
  is_starting_ = false;
  start_ended_.notify_all();
  return started;
}

// The queries of one job live and die together.
void JobRun::await(const Query& query) {
  const Status ended = query.await_termination();
  if (ended) return;
  // A stop that took too long tells of it, and decides how this ends.
  if (is_stopping_ && ended.error().code == ErrorCode::kUnavailable) return;
  say(fmt::format("millrace: query {} failed: {}", query.name(), ended.error().message));
  exit_code_ = kQueryFailed;
  stop();
}

void JobRun::stop() {
  if (is_stopping_.exchange(true)) return;
  Status stopped = session_.stop_all();
  stop_before_ready();
  // A start that went through meanwhile has made one more query.
  if (stopped) stopped = session_.stop_all();
  if (stopped) return;
  say(fmt::format("millrace: {}", stopped.error().message));
  int expected = kOk;
  const int code = stopped.error().code == ErrorCode::kUnavailable ? kStopTimedOut : kQueryFailed;
  exit_code_.compare_exchange_strong(expected, code);
  for (const Query& query : session_.queries()) query.abort();
}

// A client that connects cannot always be called back. A query that is not ready has read nothing,
// so that ending the process under it loses nothing and is a clean end.
void JobRun::stop_before_ready() {
  std::unique_lock lock(start_mutex_);
  if (start_ended_.wait_for(lock, kGivingUpLimit, [this] { return !is_starting_; })) return;
  say("millrace: stopped before the job was ready");
  std::_Exit(kOk);
}

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

/// The query whose folder this is.
Result<const session::PlannedQuery*> query_of(const sql::Program& program,
                                              const std::string& folder) {
  const std::string name = std::filesystem::path(folder).lexically_normal().filename().string();
  std::string names;
  for (const session::PlannedQuery& query : program.planned()) {
    if (query.settings.name == name) return &query;
    names += (names.empty() ? "" : ", ") + query.settings.name;
  }
  if (program.query_count() == 1) return &program.planned().front();
  return fail(ErrorCode::kNotFound,
              fmt::format("folder {} is named after none of the job's queries ({})", folder,
                          names.empty() ? "it has none" : names));
}

Result<std::string> checked(const Arguments& arguments) {
  SessionConfig config;
  config.log = say_log;
  Session session(std::move(config));
  MILLRACE_ASSIGN(sql::Program program, parse_job(arguments));
  MILLRACE_TRY(program.prepare(session));
  const std::string folder = without_slashes(arguments.checkpoint->folder);
  MILLRACE_ASSIGN(const session::PlannedQuery* query, query_of(program, folder));
  state::PosixDisk disk;
  return state::check_checkpoint(disk, folder, session::identity_of(query->plan),
                                 session::details_of(query->plan));
}

}  // namespace

int check_job(const Arguments& arguments) {
  const Result<std::string> report = checked(arguments);
  if (!report) return complain(arguments, report.error());
  std::cout << *report << std::flush;
  return kOk;
}

int run_job(const Arguments& arguments) {
  StopSignals signals;
  JobRun run(arguments);
  return run.run(signals);
}

int explain_job(const Arguments& arguments) {
  SessionConfig config;
  config.log = say_log;
  Session session(std::move(config));
  auto program = parse_job(arguments);
  if (!program) return complain(arguments, program.error());
  if (Status prepared = program->prepare(session); !prepared) {
    return complain(arguments, prepared.error());
  }
  std::cout << program->shown(true) << std::flush;
  return kOk;
}

}  // namespace millrace::cli
