#pragma once

#include "actors/actor_runtime.hpp"
#include "session/partition_watch.hpp"
#include "session/progress_probe.hpp"
#include "session/query_builder.hpp"
#include "session/query_launcher.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace millrace::session {

/// A built query hosted by actors, and what its handles ask of it. Everything is thread-safe.
class ActorQuery final : public RunningQuery {
 public:
  ActorQuery(BuiltQuery built, QuerySettings settings, QueryEnvironment environment);
  ~ActorQuery() override;

  void start() override;
  [[nodiscard]] Status stop() override;
  void abort() override;
  bool await(std::optional<std::chrono::milliseconds> limit) override;
  [[nodiscard]] std::optional<Error> failure() const override;
  [[nodiscard]] QueryState state() const override;
  [[nodiscard]] QueryProgress progress() const override;
  [[nodiscard]] Result<Epoch> close_epoch() override;
  [[nodiscard]] QueryIds ids() const override { return ids_; }
  [[nodiscard]] std::string summary() const override { return summary_; }

 private:
  void on_committed(const actors::ClosedEpoch& closed);
  void on_ended(std::optional<Error> cause);
  void end(QueryState state, std::optional<Error> cause);
  void add(BuiltTask built);
  void release();

  const QuerySettings settings_;
  const QueryEnvironment environment_;
  const std::string summary_;
  const QueryIds ids_;

  mutable std::mutex mutex_;  ///< guards what follows up to the runtime
  mutable std::condition_variable changed_;
  QueryState state_ = QueryState::kStarting;
  std::optional<Error> failure_;
  Epoch newest_committed_;
  bool has_committed_ = false;

  std::mutex
      parts_mutex_;  ///< guards has_parts_: the commit thread may come while parts are closed
  bool has_parts_ = true;
  std::mutex release_mutex_;  ///< one thread at a time shuts the runtime down
  std::vector<std::unique_ptr<operators::StageMetrics>> metrics_;
  std::unique_ptr<ProgressProbe> probe_;
  std::unique_ptr<TableReloader> reloader_;  ///< null when no table is read anew
  std::unique_ptr<actors::ActorRuntime> runtime_;
  std::unique_ptr<LateTasks> late_tasks_;  ///< until start
  std::unique_ptr<PartitionWatch> watch_;  ///< last: dies first
};

}  // namespace millrace::session
