#include "actors/inline_runtime.hpp"

#include "millrace/assert.hpp"

namespace millrace::actors {

InlineRuntime::InlineRuntime(QueryParts parts, std::uint64_t seed, RuntimeEvents events)
    : parts_(std::move(parts)),
      outside_(std::move(events)),
      random_(seed),
      has_more_(parts_.tasks.size(), true),
      failed_(parts_.tasks.size(), false),
      coordinator_(parts_.start, parts_.trigger, *parts_.clock, *this) {
  parts_.connect([this](CoordinatorEvent event) { post(std::move(event)); });
}

InlineRuntime::~InlineRuntime() { parts_.close(); }

bool InlineRuntime::step() {
  if (has_ended()) return false;
  // Every action that could happen now, one of them is drawn: tasks by number, then the rest.
  std::vector<std::size_t> choices;
  const std::size_t tasks = parts_.tasks.size();
  for (std::size_t number = 0; number < tasks; ++number)
    if (!failed_[number] && (has_more_[number] || parts_.tasks[number]->waker().is_pending()))
      choices.push_back(number);
  const std::size_t event = tasks, commit_job = tasks + 1, look = tasks + 2;
  if (!events_.empty()) choices.push_back(event);
  if (!commits_.empty()) choices.push_back(commit_job);
  if (tick_wanted_) choices.push_back(look);
  if (choices.empty()) return false;

  const std::size_t choice = choices[random_() % choices.size()];
  if (choice == event) {
    CoordinatorEvent next = std::move(events_.front());
    events_.pop_front();
    coordinator_.handle(std::move(next));
  } else if (choice == commit_job) {
    run_commit();
  } else if (choice == look) {
    tick_wanted_ = false;
    coordinator_.tick();
  } else {
    step_task(choice);
  }
  return true;
}

void InlineRuntime::run_until_idle(int steps_max) {
  int steps = 0;
  while (step()) MILLRACE_ASSERT(++steps < steps_max);
}

void InlineRuntime::step_task(std::size_t number) {
  const StepOutcome outcome = parts_.tasks[number]->step();
  has_more_[number] = outcome == StepOutcome::kMore;
  failed_[number] = outcome == StepOutcome::kFailed;
}

void InlineRuntime::run_commit() {
  const ClosedEpoch closed = std::move(commits_.front());
  commits_.pop_front();
  const Status result = parts_.committer->commit(closed);
  if (result) {
    done_.push_back(closed);
    if (outside_.committed) outside_.committed(closed);
  }
  post(EpochCommitted{closed.epoch, result});
}

void InlineRuntime::close_epoch(const CloseEpoch& request) {
  for (std::size_t number = 0; number < parts_.tasks.size(); ++number) {
    parts_.tasks[number]->close_epoch(request);
    has_more_[number] = true;
  }
}

void InlineRuntime::seal(Epoch epoch) {
  for (const std::unique_ptr<stream::Sink>& sink : parts_.sinks) sink->seal(epoch);
}

void InlineRuntime::commit(ClosedEpoch closed) { commits_.push_back(std::move(closed)); }

std::int64_t InlineRuntime::rows_total() const { return parts_.rows_total(); }

void InlineRuntime::ended(std::optional<Error> cause) {
  failure_ = cause;
  if (outside_.ended) outside_.ended(std::move(cause));
}

}  // namespace millrace::actors
