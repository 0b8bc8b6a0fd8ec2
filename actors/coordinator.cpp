#include "actors/coordinator.hpp"

#include "millrace/assert.hpp"

#include <utility>

namespace millrace::actors {

Coordinator::Coordinator(CoordinatorStart start, triggers::RealTimeTrigger trigger,
                         const Clock& clock, CoordinatorPort& port)
    : start_(std::move(start)),
      trigger_(trigger),
      clock_(clock),
      port_(port),
      tasks_(start_.tasks),
      next_(start_.next),
      epoch_start_(clock.steady()) {
  MILLRACE_ASSERT(start_.tasks > 0 && start_.sinks > 0);
  for (const CloseEpoch& replay : start_.replayed) {
    MILLRACE_ASSERT(replay.epoch < next_);
    begin_closing(replay, true);
  }
}

void Coordinator::handle(CoordinatorEvent event) {
  if (ended_) return;
  std::visit([this](auto&& one) { on(std::forward<decltype(one)>(one)); }, std::move(event));
}

std::optional<Epoch> Coordinator::add_task() {
  if (ended_ || stopping_) return std::nullopt;
  ++tasks_;
  return next_;
}

void Coordinator::tick() {
  if (ended_ || stopping_) return;
  if (trigger_.should_close(clock_.steady(), running())) close(false);
}

SteadyTime Coordinator::next_tick() const {
  return trigger_.next_check(clock_.steady(), running());
}

void Coordinator::on(TaskPassed passed) {
  Closing& closing = find(passed.epoch);
  MILLRACE_ASSERT(closing.tasks_waited > 0);
  for (operators::SourceRange& range : passed.ranges)
    closing.closed.ranges.push_back(std::move(range));
  closing.rows_total += passed.rows_total;
  if (--closing.tasks_waited > 0) return;
  rows_at_close_ = closing.rows_total;
  port_.seal(closing.closed.epoch);
  answer_close_requests();
}

void Coordinator::on(const TaskExhausted& /*exhausted*/) {
  MILLRACE_ASSERT(exhausted_ < tasks_);
  if (++exhausted_ == tasks_) on(StopRequested{});
}

void Coordinator::on(const SinkFlushed& flushed) {
  Closing& closing = find(flushed.epoch);
  MILLRACE_ASSERT(closing.tasks_waited == 0 && closing.sinks_waited > 0);
  if (--closing.sinks_waited == 0) commit_front();
}

void Coordinator::on(const EpochCommitted& committed) {
  if (!committed.result) return finish(committed.result.error());
  MILLRACE_ASSERT(!closing_.empty() && closing_.front().closed.epoch == committed.epoch);
  const bool was_last = closing_.front().is_last;
  closing_.pop_front();
  if (was_last) return finish(std::nullopt);
  commit_front();
  if (stopping_ && !last_sent_ && may_close()) close(true);
  answer_close_requests();
  tick();
}

void Coordinator::on(const QueryFailed& failed) { finish(failed.cause); }

void Coordinator::on(CloseRequested request) {
  close_requests_.push_back(std::move(request));
  answer_close_requests();
}

void Coordinator::on(StopRequested /*request*/) {
  if (stopping_) return;
  stopping_ = true;
  if (may_close()) close(true);
}

void Coordinator::answer_close_requests() {
  // Held back while two epochs are closed and uncommitted, or a barrier is under way: every passed
  // barrier and every commit asks again.
  if (close_requests_.empty() || !may_close() || is_barrier_under_way()) return;
  if (!stopping_ && running().saw_input) close(false);
  for (const CloseRequested& request : std::exchange(close_requests_, {}))
    if (request.answer) request.answer(next_.previous());
}

void Coordinator::close(bool is_last) {
  const CloseEpoch request{next_, clock_.wall(), is_last};
  next_ = next_.next();
  epoch_start_ = clock_.steady();
  last_sent_ = is_last;
  begin_closing(request, false);
  port_.close_epoch(request);
}

void Coordinator::begin_closing(const CloseEpoch& request, bool is_replay) {
  Closing closing;
  closing.closed.epoch = request.epoch;
  closing.closed.time = request.time;
  closing.closed.is_replay = is_replay;
  closing.tasks_waited = tasks_;
  closing.sinks_waited = start_.sinks;
  closing.is_last = request.is_last;
  closing_.push_back(std::move(closing));
}

void Coordinator::commit_front() {
  // Epochs are handed over in order, one at a time: commits/N is durable before N+1 is begun.
  if (closing_.empty()) return;
  Closing& front = closing_.front();
  if (front.tasks_waited > 0 || front.sinks_waited > 0 || front.is_committing) return;
  if (front.is_last && !front.closed.is_replay) {
    bool is_empty = true;
    for (const operators::SourceRange& range : front.closed.ranges)
      is_empty = is_empty && range.from == range.to;
    // A stop with nothing read since the last barrier leaves no epoch behind.
    if (is_empty) return finish(std::nullopt);
  }
  front.is_committing = true;
  port_.commit(front.closed);
}

void Coordinator::finish(std::optional<Error> cause) {
  if (ended_) return;
  ended_ = true;
  port_.ended(std::move(cause));
}

bool Coordinator::may_close() const {
  return static_cast<int>(closing_.size()) < triggers::kClosedEpochsMax;
}

bool Coordinator::is_barrier_under_way() const {
  return !closing_.empty() && closing_.back().tasks_waited > 0;
}

triggers::RunningEpoch Coordinator::running() const {
  // Rows before a barrier that is still on its way are not told apart from those behind it: until
  // every task has passed it, the open epoch counts as empty. At most one tick is lost.
  return {epoch_start_, !is_barrier_under_way() && port_.rows_total() > rows_at_close_,
          static_cast<int>(closing_.size())};
}

Coordinator::Closing& Coordinator::find(Epoch epoch) {
  for (Closing& closing : closing_)
    if (closing.closed.epoch == epoch) return closing;
  MILLRACE_ASSERT(false && "an event names an epoch that is not closing");
  __builtin_unreachable();
}

}  // namespace millrace::actors
