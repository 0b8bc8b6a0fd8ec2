#pragma once

#include "actors/query_parts.hpp"
#include "actors/wait_policy.hpp"

#include <cstddef>
#include <memory>

namespace millrace::actors {

/// How the task actors get threads.
struct RuntimeOptions {
  /// Worker threads that the query's tasks share; 0: one thread per task.
  std::size_t task_threads = 1;
  /// What idle tasks do; null: park. A borrow that outlives the runtime.
  const WaitPolicy* wait_policy = nullptr;
};

/// Runs a query with actors: one per task, one for the coordinator, and a commit thread. All of CAF
/// is behind this class, the task actor and the coordinator actor.
class ActorRuntime {
 public:
  ActorRuntime(QueryParts parts, RuntimeOptions options, RuntimeEvents events);
  /// Shuts down.
  ~ActorRuntime();
  ActorRuntime(const ActorRuntime&) = delete;
  ActorRuntime& operator=(const ActorRuntime&) = delete;

  /// Spawns everything; rows flow from here on. Once.
  void start();
  /// Any thread, any time; dropped after shut_down.
  void post(CoordinatorEvent event);
  /// Ends actors, clients and the commit thread without a commit; waits for them. Idempotent. Not
  /// from an event callback.
  void shut_down();
  /// The parts, for metrics: valid until shut_down.
  [[nodiscard]] QueryParts& parts();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace millrace::actors
