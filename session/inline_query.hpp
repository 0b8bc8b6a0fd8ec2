#pragma once

#include "actors/inline_runtime.hpp"
#include "session/progress_probe.hpp"
#include "session/query_builder.hpp"
#include "session/query_launcher.hpp"
#include "session/query_opening.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::session {

/// A query that the test bed runs on the calling thread, and what its handles ask of it. Nothing
/// happens but in `step` and in what calls it. It can crash and start again from its checkpoint.
class InlineQuery final : public RunningQuery {
 public:
  /// `run_all` runs every query of the bed until it rests; `on_end` is called by the destructor.
  InlineQuery(stream::PhysicalPlan plan, QuerySettings settings, QueryEnvironment environment,
              OpeningPlace place, std::function<Status()> run_all,
              std::function<void(InlineQuery*)> on_end);
  ~InlineQuery() override;

  /// Opens and recovers; the first time, before `start`, and after each crash.
  [[nodiscard]] Status open();
  /// Forgets everything but the checkpoint.
  void crash();
  /// Does one small thing; false when there is nothing to do.
  bool step();
  /// Lets the trigger look at the clock.
  void tick();
  [[nodiscard]] bool is_running() const { return state_ == QueryState::kRunning; }

  void start() override { state_ = QueryState::kRunning; }
  [[nodiscard]] Status stop() override;
  void abort() override;
  /// Runs what there is to do: a query that has not ended by then is waited for no longer.
  bool await(std::optional<std::chrono::milliseconds> limit) override;
  [[nodiscard]] std::optional<Error> failure() const override { return failure_; }
  [[nodiscard]] QueryState state() const override { return state_; }
  [[nodiscard]] QueryProgress progress() const override;
  [[nodiscard]] Result<Epoch> close_epoch() override;
  [[nodiscard]] QueryIds ids() const override { return ids_; }
  [[nodiscard]] std::string summary() const override { return summary_; }

 private:
  void on_ended(std::optional<Error> cause);
  void on_committed(const actors::ClosedEpoch& closed);

  const stream::PhysicalPlan plan_;
  const QuerySettings settings_;
  const QueryEnvironment environment_;
  OpeningPlace place_;
  const std::function<Status()> run_all_;
  const std::function<void(InlineQuery*)> on_end_;

  QueryState state_ = QueryState::kStarting;
  std::optional<Error> failure_;
  std::optional<Epoch> newest_committed_;  ///< by this query
  Epoch durable_;                          ///< the newest that is, by the checkpoint too
  std::string summary_;
  QueryIds ids_;
  std::vector<std::unique_ptr<operators::StageMetrics>> metrics_;
  std::unique_ptr<actors::InlineRuntime> runtime_;
  std::unique_ptr<ProgressProbe> probe_;
};

}  // namespace millrace::session
