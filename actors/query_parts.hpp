#pragma once

#include "actors/committer.hpp"
#include "actors/coordinator.hpp"
#include "actors/epoch_planner.hpp"
#include "actors/event_relay.hpp"
#include "actors/task.hpp"
#include "stream/decider.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace millrace::actors {

/// Everything that one query is made of, wired but not running: built by the session, hosted by a
/// runtime (actors, or one thread in tests). `close` before destruction.
struct QueryParts {
  const Clock* clock = nullptr;
  std::vector<std::unique_ptr<stream::Source>> sources;
  std::vector<std::string> source_names;  ///< in the plan, one per source
  std::vector<std::unique_ptr<stream::Sink>> sinks;
  stream::Decider* decider = nullptr;       ///< one that the sinks share; null: there is none
  std::set<std::size_t> dead_letter_sinks;  ///< those of `sinks` that take no results
  std::shared_ptr<EventRelay> relay = std::make_shared<EventRelay>();  ///< the sinks' events
  std::vector<std::unique_ptr<Task>> tasks;                            ///< task i has TaskId(i)
  /// Guards the list of tasks, not what it holds, once the query runs.
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
  std::vector<std::unique_ptr<Channel>> channels;  ///< hold batches of the tasks' pools
  std::unique_ptr<Committer> committer;
  /// Plans are made apart from commits, on a thread of their own.
  bool plans_apart = false;
  /// Held while sources are asked or told something, from whichever of the two threads.
  std::unique_ptr<std::mutex> source_mutex = std::make_unique<std::mutex>();
  std::unique_ptr<EpochPlanner> planner;  ///< of the planned drive; borrows committer and sources
  CoordinatorStart start;
  EpochTrigger trigger = triggers::RealTimeTrigger(5000);
  std::unique_ptr<RowCounter> counter = std::make_unique<RowCounter>(0);

  /// Sends the events of tasks and sinks to `post`. Before the first step.
  void connect(const PostEvent& post);
  /// Takes one more task while others run, connected as they are; gives it back as a borrow. Any
  /// thread, one at a time.
  Task& add(std::unique_ptr<Task> task, const PostEvent& post);
  /// Drops tasks, then ends the clients' background work: after it nothing calls back. Nobody may
  /// be stepping a task. Idempotent.
  void close();
  /// Tells each source how far its rows are durable. On the commit thread, not during `close`.
  void tell_committed(const ClosedEpoch& closed);
  /// How far the output of all sinks is acknowledged; any thread while the sinks live.
  [[nodiscard]] stream::OutputEnds acknowledged_ends() const;
  /// Rows that all tasks have read; any thread while the tasks live.
  [[nodiscard]] std::int64_t rows_total() const;
};

/// What a runtime tells its owner; either may be empty.
struct RuntimeEvents {
  /// An epoch is durable. On the commit thread: the next commit waits for it, rows do not.
  std::function<void(const ClosedEpoch&)> committed;
  /// Something that whoever runs the query should know. On the coordinator's thread.
  std::function<void(const std::string&)> warned;
  /// There has been nothing to do for a while. On the coordinator's thread.
  std::function<void()> idle;
  /// The query is over, with its cause if it failed. Once, on the coordinator's thread; must not
  /// block.
  std::function<void(std::optional<Error>)> ended;
};

}  // namespace millrace::actors
