#pragma once

#include "millrace/clock.hpp"

#include "actors/task.hpp"
#include "actors/wait_policy.hpp"

#include <caf/all.hpp>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::CloseEpoch)

namespace millrace::actors {

using StepAtom = caf::atom_constant<caf::atom("step")>;

/// The shell around one task: wakes, steps until idle, reports. It carries control only; rows never
/// enter a mailbox. Task, wait policy and clock are borrows that outlive the actor.
class TaskActor final : public caf::event_based_actor {
 public:
  TaskActor(caf::actor_config& config, Task* task, PostEvent post, const WaitPolicy* wait,
            const Clock* clock);

 protected:
  caf::behavior make_behavior() override;

 private:
  void step();
  [[nodiscard]] StepOutcome step_until_idle();

  Task* task_;
  PostEvent post_;
  const WaitPolicy* wait_;
  const Clock* clock_;
};

}  // namespace millrace::actors
