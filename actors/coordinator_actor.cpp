#include "actors/coordinator_actor.hpp"

#include "actors/task_actor.hpp"

#include <algorithm>
#include <chrono>

namespace millrace::actors {

CoordinatorActor::CoordinatorActor(caf::actor_config& config, QueryParts* parts,
                                   CommitThread* commits, CommitThread* plans,
                                   std::vector<caf::actor> tasks, RuntimeEvents events)
    : caf::event_based_actor(config),
      parts_(parts),
      commits_(commits),
      plans_(plans),
      tasks_(std::move(tasks)),
      events_(std::move(events)) {
  set_down_handler([this](const caf::down_msg& down) {
    if (down.reason && down.reason != caf::exit_reason::user_shutdown)
      coordinator_->handle(QueryFailed{
          {ErrorCode::kInternal, "a task ended unexpectedly: " + system().render(down.reason)}});
  });
}

void CoordinatorActor::on_exit() { tasks_.clear(); }

caf::behavior CoordinatorActor::make_behavior() {
  for (const caf::actor& task : tasks_) monitor(task);
  coordinator_ = std::make_unique<Coordinator>(parts_->start, parts_->trigger, *parts_->clock,
                                               static_cast<CoordinatorPort&>(*this));
  schedule_tick();
  return {
      [this](CoordinatorMessage& message) {
        coordinator_->handle(std::move(message.event));
        schedule_tick();
      },
      [this](const AddTask& request) { add(request); },
      [this](TickAtom, std::uint64_t number) {
        if (number != tick_number_) return;  // another one was sent for an earlier time
        next_tick_.reset();
        coordinator_->tick();
        schedule_tick();
      },
  };
}

// From here on, this task gets what the others get: the order of messages to it is kept.
void CoordinatorActor::add(const AddTask& request) {
  const std::optional<Epoch> first = coordinator_->add_task(request.partition);
  if (!first) return;
  monitor(request.task);
  tasks_.push_back(request.task);
  send(request.task, JoinQuery{*first});
}

void CoordinatorActor::close_epoch(const CloseEpoch& request) {
  parts_->counter->restart();
  for (const caf::actor& task : tasks_) send(task, request);
}

void CoordinatorActor::plan(PlanRequest request) { plans_->submit(std::move(request)); }

void CoordinatorActor::run_epoch(const PlannedEpoch& epoch) {
  for (const caf::actor& task : tasks_) send(task, epoch);
}

void CoordinatorActor::seal(Epoch epoch) {
  for (const std::unique_ptr<stream::Sink>& sink : parts_->sinks) sink->seal(epoch);
}

void CoordinatorActor::commit(ClosedEpoch closed) { commits_->submit(std::move(closed)); }

stream::OutputEnds CoordinatorActor::acknowledged_ends() const {
  return parts_->acknowledged_ends();
}

std::int64_t CoordinatorActor::rows_total() const { return parts_->rows_total(); }

void CoordinatorActor::warn(std::string sentence) {
  if (events_.warned) events_.warned(sentence);
}

void CoordinatorActor::idle() {
  if (events_.idle) events_.idle();
}

void CoordinatorActor::ended(std::optional<Error> cause) {
  for (const caf::actor& task : tasks_) send_exit(task, caf::exit_reason::user_shutdown);
  if (events_.ended) events_.ended(std::move(cause));
}

// One tick counts at a time: an event may bring the next one forward.
void CoordinatorActor::schedule_tick() {
  if (coordinator_->has_ended()) return;
  const SteadyTime due = coordinator_->next_tick();
  if (next_tick_ && *next_tick_ <= due) return;
  next_tick_ = due;
  const std::int64_t wait_ns = due.value - parts_->clock->steady().value;
  delayed_send(this, std::chrono::nanoseconds(std::max<std::int64_t>(wait_ns, 0)), TickAtom::value,
               ++tick_number_);
}

}  // namespace millrace::actors
