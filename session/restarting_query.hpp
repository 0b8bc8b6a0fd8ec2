#pragma once

#include "session/query_launcher.hpp"
#include "session/restart_policy.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace millrace::session {

/// A query that starts again when it fails: behind one handle one run after the other, each made
/// anew from the checkpoint, with a wait between them. A thread of its own looks after the run that
/// goes on. Thread-safe.
class RestartingQuery final : public RunningQuery {
 public:
  /// Makes a run that is ready to start.
  using Launch = std::function<Result<std::unique_ptr<RunningQuery>>(QueryEnvironment)>;
  /// Waits so many ms; false when it was called off.
  using Wait = std::function<bool(std::int64_t ms, const std::stop_token& called_off)>;

  /// Launches the first run, whose errors are the caller's: only what has run is started again.
  [[nodiscard]] static Result<std::unique_ptr<RunningQuery>> open(QuerySettings settings,
                                                                  QueryEnvironment environment,
                                                                  Launch launch,
                                                                  Wait wait = wait_in_real_time);
  ~RestartingQuery() override { abort(); }

  void start() override;
  [[nodiscard]] Status stop() override;
  void abort() override;
  bool await(std::optional<std::chrono::milliseconds> limit) override;
  [[nodiscard]] std::optional<Error> failure() const override;
  [[nodiscard]] QueryState state() const override;
  [[nodiscard]] QueryProgress progress() const override;
  [[nodiscard]] Result<Epoch> close_epoch() override;
  [[nodiscard]] QueryIds ids() const override;
  [[nodiscard]] std::string summary() const override { return summary_; }

 private:
  RestartingQuery(QuerySettings settings, QueryEnvironment environment, Launch launch, Wait wait);
  static bool wait_in_real_time(std::int64_t ms, const std::stop_token& called_off);

  void look_after();
  std::optional<Error> await_run();
  bool start_again(Error cause);
  bool adopt(std::unique_ptr<RunningQuery>& run);
  void retire();
  void finish(QueryState state, std::optional<Error> cause);
  [[nodiscard]] bool is_stopping() const;
  [[nodiscard]] QueryEnvironment environment_of_run() const;
  /// Lends the run that goes on; null between two.
  [[nodiscard]] std::shared_ptr<RunningQuery> borrow() const;

  const QuerySettings settings_;
  const QueryEnvironment environment_;
  const Launch launch_;
  const Wait wait_;
  RestartPolicy policy_;  ///< the own thread's, once that runs
  std::string summary_;
  std::stop_source called_off_;  ///< a wait, or a launch
  std::optional<std::stop_callback<std::function<void()>>> session_ends_;

  mutable std::mutex mutex_;  ///< guards what follows
  mutable std::condition_variable changed_;
  std::shared_ptr<RunningQuery> run_;
  QueryIds ids_;
  QueryProgress totals_;  ///< of the run before, while there is none
  bool is_stopping_ = false;
  std::optional<QueryState> outcome_;  ///< how it ended for good
  std::optional<Error> failure_;
  std::thread thread_;
};

}  // namespace millrace::session
