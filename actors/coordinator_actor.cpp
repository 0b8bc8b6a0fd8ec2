#include "actors/coordinator_actor.hpp"

#include "actors/task_actor.hpp"

#include <algorithm>
#include <chrono>

namespace millrace::actors {

CoordinatorActor::CoordinatorActor(caf::actor_config& config, QueryParts* parts,
                                   CommitThread* commits, std::vector<caf::actor> tasks,
                                   RuntimeEvents events)
    : caf::event_based_actor(config),
      parts_(parts),
      commits_(commits),
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
      [this](CoordinatorMessage& message) { coordinator_->handle(std::move(message.event)); },
      [this](const AddTask& request) { add(request.task); },
      [this](TickAtom) {
        if (coordinator_->has_ended()) return;
        coordinator_->tick();
        schedule_tick();
      },
  };
}

// From here on, this task gets what the others get: the order of messages to it is kept.
void CoordinatorActor::add(const caf::actor& task) {
  const std::optional<Epoch> first = coordinator_->add_task();
  if (!first) return;
  monitor(task);
  tasks_.push_back(task);
  send(task, JoinQuery{*first});
}

void CoordinatorActor::close_epoch(const CloseEpoch& request) {
  for (const caf::actor& task : tasks_) send(task, request);
}

void CoordinatorActor::seal(Epoch epoch) {
  for (const std::unique_ptr<stream::Sink>& sink : parts_->sinks) sink->seal(epoch);
}

void CoordinatorActor::commit(ClosedEpoch closed) { commits_->submit(std::move(closed)); }

std::int64_t CoordinatorActor::rows_total() const { return parts_->rows_total(); }

void CoordinatorActor::ended(std::optional<Error> cause) {
  for (const caf::actor& task : tasks_) send_exit(task, caf::exit_reason::user_shutdown);
  if (events_.ended) events_.ended(std::move(cause));
}

void CoordinatorActor::schedule_tick() {
  const std::int64_t wait_ns = coordinator_->next_tick().value - parts_->clock->steady().value;
  delayed_send(this, std::chrono::nanoseconds(std::max<std::int64_t>(wait_ns, 0)), TickAtom::value);
}

}  // namespace millrace::actors
