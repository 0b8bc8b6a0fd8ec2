#include "actors/task_actor.hpp"

#include <exception>

namespace millrace::actors {

TaskActor::TaskActor(caf::actor_config& config, Task* task, PostEvent post, std::size_t worker)
    : caf::event_based_actor(config), task_(task), post_(std::move(post)), worker_(worker) {}

caf::behavior TaskActor::make_behavior() {
  return {
      [this](const CloseEpoch& request) {
        if (has_ended_) return;
        task_->close_epoch(request);
        step();
      },
      [this](const PlannedEpoch& epoch) {
        if (has_ended_) return;
        task_->run_epoch(epoch);
        step();
      },
      [this](const JoinQuery& request) {
        if (has_ended_) return;
        task_->join(request.first);
        connect_waker();
        task_->waker().wake();
      },
  };
}

void TaskActor::connect_waker() {
  task_->waker().connect([actor = caf::actor_cast<caf::actor>(this)] {
    static_cast<TaskActor*>(caf::actor_cast<caf::abstract_actor*>(actor))->step_soon();
  });
}

void TaskActor::step_soon() {
  step_job_.intrusive_ptr_add_ref_impl();
  home_system().scheduler().enqueue(&step_job_);
}

void TaskActor::step() {
  if (has_ended_) return;
  switch (step_task()) {
    case StepOutcome::kMore:
      // To the end of the queue, so that barrier requests and other tasks do not wait for the input
      // to run dry.
      task_->waker().wake();
      break;
    case StepOutcome::kFailed:
      has_ended_ = true;
      caf::anon_send_exit(this, caf::exit_reason::user_shutdown);
      break;
    case StepOutcome::kIdle:
    case StepOutcome::kBlocked:
      break;
  }
}

StepOutcome TaskActor::step_task() {
  std::string reason = "unknown exception";
  try {
    return task_->step();
  } catch (const std::exception& exception) {
    reason = exception.what();
  } catch (...) {
  }
  post_(QueryFailed{{ErrorCode::kInternal, "task " + task_->name() + " threw: " + reason}});
  return StepOutcome::kFailed;
}

caf::resumable::resume_result TaskActor::StepJob::resume(caf::execution_unit* /*unit*/,
                                                         std::size_t /*messages_max*/) {
  actor_.step();
  return awaiting_message;
}

void TaskActor::StepJob::intrusive_ptr_add_ref_impl() { caf::intrusive_ptr_add_ref(actor_.ctrl()); }

void TaskActor::StepJob::intrusive_ptr_release_impl() { caf::intrusive_ptr_release(actor_.ctrl()); }

}  // namespace millrace::actors
