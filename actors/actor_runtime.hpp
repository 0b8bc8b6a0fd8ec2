#pragma once

#include "actors/query_parts.hpp"
#include "actors/wait_policy.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace millrace::actors {

/// The worker threads that step a query's tasks.
struct RuntimeOptions {
  /// How many; a task belongs to one of them for ever. 0: one per task that there is at the start;
  /// tasks that come later share them.
  std::size_t task_threads = 1;
  /// What a worker thread without work does; null: park. A borrow that outlives the runtime.
  const WaitPolicy* wait_policy = nullptr;
  /// Worker i is called <thread_name>-i, as debuggers and top show it (15 characters at most).
  std::string thread_name = "millrace";
  /// Worker i runs on core cores[i mod size] alone; empty: where the kernel likes.
  std::vector<int> cores;
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
  /// Takes one more task into the query that runs; it begins with the epoch that is open then, or
  /// never, when the query comes to its end. One thread at a time, between start and shut_down.
  void add_task(std::unique_ptr<Task> task);
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
