#pragma once

#include "millrace/clock.hpp"
#include "millrace/error.hpp"
#include "millrace/log.hpp"
#include "millrace/query.hpp"
#include "millrace/session.hpp"

#include "session/restart_policy.hpp"
#include "stream/plan/physical_plan.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::session {

/// What one query is started with; every text has been checked by QuerySettings' maker.
struct QuerySettings {
  std::string name;
  std::string checkpoint_folder;  ///< checkpoint_location/<name>; empty: nothing is kept
  std::string trigger = "real_time 5 seconds";
  std::string wait_policy = "park";
  std::size_t task_threads = 1;  ///< 0: one per task
  std::string task_thread_name = "millrace";
  std::vector<int> task_cores;  ///< empty: where the kernel likes
  std::int64_t stop_timeout_ms = 30'000;
  bool async_progress = false;  ///< plans do not wait for the checkpoint's disk
  RestartOptions restart;
  std::size_t recent_progress = 100;  ///< records of epochs that are kept
};

/// What tells one start of a query from another.
struct QueryIds {
  std::string id;      ///< of its checkpoint; where nothing is kept, of this start
  std::string run_id;  ///< of this start
};

/// What a query borrows from its session. The clock outlives the query.
struct QueryEnvironment {
  const Clock* clock = nullptr;
  LogFunction log;             ///< never empty here: a session without one gives a function that
                               ///< drops the line
  ProgressFunction progress;   ///< may be empty; called once per committed epoch
  std::function<void()> idle;  ///< may be empty; on a task's thread
  /// May be empty; called once when the query has ended, perhaps on a task's thread.
  std::function<void(std::optional<Error>)> ended;
  /// The query failed and starts again after so many ms; may be empty.
  std::function<void(const Error&, std::int64_t delay_ms)> restarting;
  std::function<void(QueryIds)> started_again;  ///< behind that; may be empty
  std::stop_token cancelled;  ///< a launch that waits for a broker gives up with kCancelled
};

/// A query: tasks, coordinator, connectors, checkpoint. Made by `launch`. Every function but
/// `start` may be called from any thread. The destructor aborts what still runs and joins its
/// threads.
class RunningQuery {
 public:
  virtual ~RunningQuery() = default;

  /// Rows flow from here on. Once, before anything else is asked of it.
  virtual void start() = 0;

  /// Drains, commits, ends; blocks at most stop_timeout (kUnavailable when exceeded). Idempotent.
  [[nodiscard]] virtual Status stop() = 0;
  /// Ends at once without a commit. Idempotent.
  virtual void abort() = 0;
  /// Waits until the query has ended, at most `limit` when given; true when it has.
  virtual bool await(std::optional<std::chrono::milliseconds> limit) = 0;
  /// The cause, once the query has failed.
  [[nodiscard]] virtual std::optional<Error> failure() const = 0;
  [[nodiscard]] virtual QueryState state() const = 0;
  /// Totals since the start.
  [[nodiscard]] virtual QueryProgress progress() const = 0;
  /// Ends the open epoch, waits for its commit, gives its number.
  [[nodiscard]] virtual Result<Epoch> close_epoch() = 0;
  [[nodiscard]] virtual QueryIds ids() const = 0;
  /// For the `ready:` line: "4 partitions of clicks, 1 sink, from epoch 17".
  [[nodiscard]] virtual std::string summary() const = 0;
};

/// Opens connectors and static tables, recovers from the checkpoint and primes; returns when the
/// query is ready to start. Everything that can be refused is refused here, before a row is read.
[[nodiscard]] Result<std::unique_ptr<RunningQuery>> launch(stream::PhysicalPlan plan,
                                                           QuerySettings settings,
                                                           QueryEnvironment environment);

}  // namespace millrace::session
