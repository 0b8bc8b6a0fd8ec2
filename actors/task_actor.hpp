#pragma once

#include "actors/task.hpp"

#include <caf/all.hpp>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::CloseEpoch)

namespace millrace::actors {

using StepAtom = caf::atom_constant<caf::atom("step")>;

/// The shell around one task: wakes, steps until idle, reports. It carries control only; rows never
/// enter a mailbox. The task is a borrow that outlives the actor.
class TaskActor final : public caf::event_based_actor {
 public:
  TaskActor(caf::actor_config& config, Task* task, PostEvent post);

 protected:
  caf::behavior make_behavior() override;

 private:
  void step();

  Task* task_;
  PostEvent post_;
};

}  // namespace millrace::actors
