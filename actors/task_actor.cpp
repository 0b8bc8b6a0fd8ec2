#include "actors/task_actor.hpp"

#include <exception>

namespace millrace::actors {

TaskActor::TaskActor(caf::actor_config& config, Task* task, PostEvent post, const WaitPolicy* wait,
                     const Clock* clock)
    : caf::event_based_actor(config),
      task_(task),
      post_(std::move(post)),
      wait_(wait),
      clock_(clock) {
  set_exception_handler([this](std::exception_ptr& thrown) -> caf::error {
    std::string reason = "unknown exception";
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& exception) {
      reason = exception.what();
    } catch (...) {
    }
    post_(QueryFailed{{ErrorCode::kInternal, "task " + task_->name() + " threw: " + reason}});
    return caf::exit_reason::unhandled_exception;
  });
}

caf::behavior TaskActor::make_behavior() {
  return {
      [this](StepAtom) { step(); },
      [this](const CloseEpoch& request) {
        task_->close_epoch(request);
        step();
      },
  };
}

void TaskActor::step() {
  switch (step_until_idle()) {
    case StepOutcome::kMore:
      // By way of the mailbox, so that a barrier request does not wait for the input to run dry.
      task_->waker().wake();
      break;
    case StepOutcome::kFailed:
      quit();
      break;
    case StepOutcome::kIdle:
    case StepOutcome::kBlocked:
      break;
  }
}

StepOutcome TaskActor::step_until_idle() {
  StepOutcome outcome = task_->step();
  if (outcome != StepOutcome::kIdle) return outcome;
  const SteadyTime idle_since = clock_->steady();
  while (outcome == StepOutcome::kIdle && wait_->looks_again(idle_since, clock_->steady()))
    outcome = task_->step();
  return outcome;
}

}  // namespace millrace::actors
