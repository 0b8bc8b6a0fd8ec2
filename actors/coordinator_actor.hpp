#pragma once

#include "actors/commit_thread.hpp"
#include "actors/query_parts.hpp"

#include <caf/all.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::actors {

/// An event on its way to the coordinator's mailbox.
struct CoordinatorMessage {
  CoordinatorEvent event;
};

/// The actor of one more task, which waits to be told with which epoch to begin.
struct AddTask {
  caf::actor task;
  JoinedPartition partition;
};

}  // namespace millrace::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::CoordinatorMessage)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::AddTask)

namespace millrace::actors {

using TickAtom = caf::atom_constant<caf::atom("tick")>;

/// The shell around the coordinator: feeds it events and the time, turns what it asks for into
/// messages to task actors, calls to sinks and work for the commit thread, and supervises the task
/// actors. Parts and commit thread are borrows that outlive the actor.
class CoordinatorActor final : public caf::event_based_actor, private CoordinatorPort {
 public:
  /// `plans` is the commit thread too, but where plans are made apart.
  CoordinatorActor(caf::actor_config& config, QueryParts* parts, CommitThread* commits,
                   CommitThread* plans, std::vector<caf::actor> tasks, RuntimeEvents events);

  void on_exit() override;

 protected:
  caf::behavior make_behavior() override;

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
  void add(const AddTask& request);
  void schedule_tick();

  QueryParts* parts_;
  CommitThread* commits_;
  CommitThread* plans_;
  std::vector<caf::actor> tasks_;
  RuntimeEvents events_;
  std::unique_ptr<Coordinator> coordinator_;
  std::optional<SteadyTime> next_tick_;  ///< of the tick that is on its way
  std::uint64_t tick_number_ = 0;        ///< of the same
};

}  // namespace millrace::actors
