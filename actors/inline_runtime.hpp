#pragma once

#include "actors/commit_thread.hpp"
#include "actors/query_parts.hpp"

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace millrace::actors {

/// Runs a query on the calling thread, one small action at a time, in an order drawn from a seed:
/// the test driver and the simulator. It hosts the same tasks, coordinator and committer as the
/// actors do. Time is whatever the query's clock says; nothing happens unless `step` is called.
///
/// An action is one step of one task, one event for the coordinator, one job of the commit thread,
/// or one look at the trigger. Destroying the runtime at any moment is the same as a crash of the
/// process.
class InlineRuntime final : private CoordinatorPort {
 public:
  InlineRuntime(QueryParts parts, std::uint64_t seed, RuntimeEvents events = {});
  ~InlineRuntime() override;

  /// Does one action; false when there is none to do now.
  bool step();
  /// Steps until nothing is left to do, at most `steps_max` times (asserted: an endless query is a
  /// fault of the test).
  void run_until_idle(int steps_max = 1'000'000);
  /// Lets the trigger look at the clock at some later step.
  void tick() { tick_wanted_ = true; }
  void post(CoordinatorEvent event) { events_.push_back(std::move(event)); }

  [[nodiscard]] bool has_ended() const { return coordinator_.has_ended(); }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Epochs committed by this runtime, in order.
  [[nodiscard]] const std::vector<ClosedEpoch>& committed_epochs() const { return done_; }
  [[nodiscard]] QueryParts& parts() { return parts_; }

 private:
  void close_epoch(const CloseEpoch& request) override;
  void plan(PlanRequest request) override;
  void run_epoch(const PlannedEpoch& epoch) override;
  void seal(Epoch epoch) override;
  void commit(ClosedEpoch closed) override;
  [[nodiscard]] stream::OutputEnds acknowledged_ends() const override;
  [[nodiscard]] std::int64_t rows_total() const override;
  void warn(std::string sentence) override;
  void idle() override;
  void ended(std::optional<Error> cause) override;

  void step_task(std::size_t number);
  void run_job(std::deque<CommitJob>& jobs);
  void run(const ClosedEpoch& closed);
  void run(const PlanRequest& request);

  QueryParts parts_;
  RuntimeEvents outside_;
  std::mt19937_64 random_;
  std::vector<bool> has_more_;  ///< per task: step it without a wake-up
  std::vector<bool> failed_;
  std::deque<CoordinatorEvent> events_;
  std::deque<CommitJob> commit_jobs_;
  std::deque<CommitJob> plan_jobs_;  ///< where plans are made apart
  std::vector<ClosedEpoch> done_;
  std::optional<Error> failure_;
  bool tick_wanted_ = false;
  Coordinator coordinator_;  ///< last: its constructor may call the port
};

}  // namespace millrace::actors
