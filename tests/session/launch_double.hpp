#pragma once

#include "millrace/session.hpp"

#include "session/session_shared.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace millrace::session {

/// What a double was launched with, and how it shall behave; shared by test and query.
struct LaunchLog {
  struct Launch {
    stream::PhysicalPlan plan;
    QuerySettings settings;
  };
  std::vector<Launch> launches;
  std::mutex mutex;  ///< guards `stopped`: queries are stopped at the same time
  std::set<std::string> stopped;
  std::vector<std::string> started;
  std::vector<std::string> aborted;
  std::optional<Error> launch_error;  ///< the next launch fails with it
  std::optional<Error> stop_error;    ///< every stop fails with it
};

/// A query that runs nothing.
class QueryDouble final : public RunningQuery {
 public:
  QueryDouble(std::string name, LaunchLog& log) : name_(std::move(name)), log_(log) {}

  void start() override {
    log_.started.push_back(name_);
    state_ = QueryState::kRunning;
  }
  Status stop() override {
    const std::lock_guard lock(log_.mutex);
    log_.stopped.insert(name_);
    if (log_.stop_error) return fail(*log_.stop_error);
    state_ = QueryState::kStopped;
    return {};
  }
  void abort() override {
    if (state_ == QueryState::kRunning) log_.aborted.push_back(name_);
    state_ = QueryState::kStopped;
  }
  bool await(std::optional<std::chrono::milliseconds>) override {
    return state_ != QueryState::kRunning;
  }
  std::optional<Error> failure() const override { return failure_; }
  QueryState state() const override { return state_; }
  QueryProgress progress() const override { return {}; }
  Result<Epoch> close_epoch() override { return Epoch(7); }
  QueryIds ids() const override { return {"id of " + name_, "run of " + name_}; }
  std::string summary() const override { return "2 partitions of " + name_; }

  void fail_with(Error cause) {
    failure_ = std::move(cause);
    state_ = QueryState::kFailed;
  }

 private:
  std::string name_;
  LaunchLog& log_;
  QueryState state_ = QueryState::kStarting;
  std::optional<Error> failure_;
};

/// Makes the session's queries doubles that write to `log`, which outlives the session.
inline void use_doubles(Session& session, LaunchLog& log) {
  session.shared()->launcher =
      [&log](stream::PhysicalPlan plan, QuerySettings settings,
             const QueryEnvironment&) -> Result<std::unique_ptr<RunningQuery>> {
    if (log.launch_error) return fail(*std::exchange(log.launch_error, std::nullopt));
    std::string name = settings.name;
    log.launches.push_back({std::move(plan), std::move(settings)});
    return std::make_unique<QueryDouble>(std::move(name), log);
  };
}

}  // namespace millrace::session
