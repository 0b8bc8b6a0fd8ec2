#pragma once

#include "actors/task.hpp"

#include <caf/all.hpp>

#include <cstddef>

namespace millrace::actors {

/// Tells the actor of a task that joins a query that runs: begin, with this epoch.
struct JoinQuery {
  Epoch first;
};

}  // namespace millrace::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::CloseEpoch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::PlannedEpoch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(millrace::actors::JoinQuery)

namespace millrace::actors {

/// What one worker thread alone may run.
class WorkerMember {
 public:
  virtual ~WorkerMember() = default;
  [[nodiscard]] virtual std::size_t worker() const = 0;
};

/// The shell around one task: wakes, steps, reports. It carries control only; rows never enter a
/// mailbox. A wake-up does not enter it either: it puts the step itself before the task's worker,
/// the one that runs this actor too, so that nothing is allocated for it and no message is matched.
/// The task is a borrow that outlives the actor.
class TaskActor final : public caf::event_based_actor, public WorkerMember {
 public:
  TaskActor(caf::actor_config& config, Task* task, PostEvent post, std::size_t worker);

  [[nodiscard]] std::size_t worker() const override { return worker_; }
  /// Lets the task's waker step it, from now on.
  void connect_waker();
  /// Has the worker step the task soon. Any thread, as long as the caller holds the actor.
  void step_soon();

  void on_exit() override { has_ended_ = true; }

 protected:
  caf::behavior make_behavior() override;

 private:
  /// A step on its way to the worker; keeps the actor alive as a message would.
  class StepJob final : public caf::resumable, public WorkerMember {
   public:
    explicit StepJob(TaskActor& actor) : actor_(actor) {}
    [[nodiscard]] std::size_t worker() const override { return actor_.worker(); }
    resume_result resume(caf::execution_unit* unit, std::size_t messages_max) override;
    void intrusive_ptr_add_ref_impl() override;
    void intrusive_ptr_release_impl() override;

   private:
    TaskActor& actor_;
  };

  void step();
  [[nodiscard]] StepOutcome step_task();

  Task* task_;
  PostEvent post_;
  const std::size_t worker_;
  StepJob step_job_{*this};
  bool has_ended_ = false;  ///< of the worker's thread
};

}  // namespace millrace::actors
