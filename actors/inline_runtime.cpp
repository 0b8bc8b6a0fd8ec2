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
  if (const Status begun = parts_.committer->begin(); !begun) {
    failed_.assign(failed_.size(), true);
    post(QueryFailed{begun.error()});
  }
  tick_wanted_ = true;  // the first epoch of the planned drive is due at once
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
  const std::size_t event = tasks, commit_job = tasks + 1, look = tasks + 2, plan_job = tasks + 3;
  if (!events_.empty()) choices.push_back(event);
  if (!commit_jobs_.empty()) choices.push_back(commit_job);
  if (!plan_jobs_.empty()) choices.push_back(plan_job);
  if (tick_wanted_) choices.push_back(look);
  if (choices.empty()) return false;

  const std::size_t choice = choices[random_() % choices.size()];
  if (choice == event) {
    CoordinatorEvent next = std::move(events_.front());
    events_.pop_front();
    coordinator_.handle(std::move(next));
  } else if (choice == commit_job) {
    run_job(commit_jobs_);
  } else if (choice == plan_job) {
    run_job(plan_jobs_);
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

void InlineRuntime::run_job(std::deque<CommitJob>& jobs) {
  const CommitJob job = std::move(jobs.front());
  jobs.pop_front();
  std::visit([this](const auto& one) { run(one); }, job);
}

void InlineRuntime::run(const ClosedEpoch& closed) {
  const Status result = parts_.committer->commit(closed);
  if (result) {
    done_.push_back(closed);
    if (outside_.committed) outside_.committed(closed);
  }
  post(EpochCommitted{closed.epoch, result});
  if (!result) return;
  if (const Status tidied = parts_.committer->tidy(closed.epoch); !tidied)
    post(QueryFailed{tidied.error()});
}

void InlineRuntime::run(const PlanRequest& request) {
  post(EpochPlanned{parts_.planner->plan(request)});
}

void InlineRuntime::close_epoch(const CloseEpoch& request) {
  parts_.counter->restart();
  for (std::size_t number = 0; number < parts_.tasks.size(); ++number) {
    parts_.tasks[number]->close_epoch(request);
    has_more_[number] = true;
  }
}

void InlineRuntime::seal(Epoch epoch) {
  for (const std::unique_ptr<stream::Sink>& sink : parts_.sinks) sink->seal(epoch);
}

void InlineRuntime::plan(PlanRequest request) {
  (parts_.plans_apart ? plan_jobs_ : commit_jobs_).emplace_back(std::move(request));
}

void InlineRuntime::run_epoch(const PlannedEpoch& epoch) {
  for (std::size_t number = 0; number < parts_.tasks.size(); ++number) {
    parts_.tasks[number]->run_epoch(epoch);
    has_more_[number] = true;
  }
}

void InlineRuntime::commit(ClosedEpoch closed) { commit_jobs_.emplace_back(std::move(closed)); }

stream::OutputEnds InlineRuntime::acknowledged_ends() const { return parts_.acknowledged_ends(); }

std::int64_t InlineRuntime::rows_total() const { return parts_.rows_total(); }

void InlineRuntime::warn(std::string sentence) {
  if (outside_.warned) outside_.warned(sentence);
}

void InlineRuntime::idle() {
  if (outside_.idle) outside_.idle();
}

void InlineRuntime::ended(std::optional<Error> cause) {
  failure_ = cause;
  if (outside_.ended) outside_.ended(std::move(cause));
}

}  // namespace millrace::actors
