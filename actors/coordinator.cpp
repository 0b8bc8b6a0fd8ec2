#include "actors/coordinator.hpp"

#include "millrace/assert.hpp"

#include <string>
#include <utility>

namespace millrace::actors {

Coordinator::Coordinator(CoordinatorStart start, EpochTrigger trigger, const Clock& clock,
                         CoordinatorPort& port)
    : start_(std::move(start)),
      trigger_(trigger),
      clock_(clock),
      port_(port),
      tasks_(start_.tasks),
      next_(start_.next),
      epoch_start_(clock.steady()),
      quiet_since_(clock.steady()),
      plan_due_(clock.steady()),
      asked_(clock.steady()) {
  MILLRACE_ASSERT(start_.tasks > 0 && start_.sinks > 0);
  for (const CloseEpoch& replay : start_.replayed) {
    MILLRACE_ASSERT(replay.epoch < next_);
    begin_closing(replay, true, clock.steady());
  }
}

void Coordinator::handle(CoordinatorEvent event) {
  if (ended_) return;
  std::visit([this](auto&& one) { on(std::forward<decltype(one)>(one)); }, std::move(event));
}

std::optional<Epoch> Coordinator::add_task(JoinedPartition joined) {
  if (ended_ || stopping_) return std::nullopt;
  ++tasks_;
  joined_.push_back(std::move(joined));
  return next_;
}

void Coordinator::tick() {
  if (ended_ || stopping_) return;
  if (const auto* open = std::get_if<triggers::RealTimeTrigger>(&trigger_)) {
    tick_open(*open);
  } else {
    tick_planned(std::get<triggers::PlannedTrigger>(trigger_));
  }
}

void Coordinator::tick_open(const triggers::RealTimeTrigger& trigger) {
  const bool is_full = is_full_ && may_close() && running().saw_input;
  if (is_full || trigger.should_close(clock_.steady(), running())) return close(false);
  if (!running().saw_input) note_idle();
}

void Coordinator::note_idle() {
  constexpr std::int64_t kNotice = kIdleNoticeMs * 1'000'000;
  if (!closing_.empty() || clock_.steady().value - quiet_since_.value < kNotice) return;
  quiet_since_ = clock_.steady();
  port_.idle();
}

void Coordinator::tick_planned(const triggers::PlannedTrigger& /*trigger*/) {
  const bool is_wanted = clock_.steady() >= plan_due_ || !close_requests_.empty();
  if (is_wanted && !is_planning_ && may_close() && !is_barrier_under_way()) ask_for_plan();
}

SteadyTime Coordinator::next_tick() const {
  if (const auto* open = std::get_if<triggers::RealTimeTrigger>(&trigger_))
    return open->next_check(clock_.steady(), running());
  // What a plan waits for comes as an event.
  const bool waits = stopping_ || is_planning_ || !may_close() || is_barrier_under_way();
  const SteadyTime later(clock_.steady().value + triggers::kPollingDelayMs * 1'000'000);
  return waits ? later : plan_due_;
}

void Coordinator::ask_for_plan() {
  is_planning_ = true;
  is_input_waiting_ = false;
  asked_ = clock_.steady();
  port_.plan({next_, std::exchange(joined_, {})});
}

void Coordinator::on(EpochPlanned planned) {
  is_planning_ = false;
  if (!planned.plan) return finish(std::move(planned.plan).error());
  const auto& trigger = std::get<triggers::PlannedTrigger>(trigger_);
  plan_due_ = trigger.next(asked_, planned.plan->epoch.has_value());
  if (is_input_waiting_ && trigger.starts_on_input()) plan_due_ = clock_.steady();
  stopping_ = stopping_ || planned.plan->is_last;
  if (const std::optional<PlannedEpoch>& epoch = planned.plan->epoch) {
    MILLRACE_ASSERT(epoch->epoch == next_);
    next_ = next_.next();
    begin_closing({epoch->epoch, epoch->time, false}, true, asked_);
    EpochTimes& times = closing_.back().closed.times;
    times.latest_offset_ns = planned.plan->latest_offset_ns;
    times.wal_commit_ns = planned.plan->wal_commit_ns;
    port_.run_epoch(*epoch);
  } else {
    note_idle();
  }
  for (const CloseRequested& request : std::exchange(close_requests_, {}))
    if (request.answer) request.answer(next_.previous());
  end_when_planned_out();
}

void Coordinator::end_when_planned_out() {
  if (!std::holds_alternative<triggers::PlannedTrigger>(trigger_)) return;
  if (stopping_ && !is_planning_ && closing_.empty()) finish(std::nullopt);
}

void Coordinator::on(const InputWaiting& /*waiting*/) {
  is_input_waiting_ = true;
  if (!std::get<triggers::PlannedTrigger>(trigger_).starts_on_input()) return;
  if (!is_planning_) plan_due_ = clock_.steady();
  tick();
}

void Coordinator::on(const RowsReached& /*reached*/) {
  is_full_ = true;
  tick();
}

void Coordinator::on(TaskPassed passed) {
  Closing& closing = find(passed.epoch);
  MILLRACE_ASSERT(closing.tasks_waited > 0);
  if (!passed.memo.empty() && !passed.ranges.empty()) {
    const operators::SourceRange& read = passed.ranges.front();
    closing.closed.memos[read.source][read.partition] = std::move(passed.memo);
  }
  for (operators::SourceRange& range : passed.ranges)
    closing.closed.ranges.push_back(std::move(range));
  closing.closed.counts[passed.ranges.empty() ? "" : closing.closed.ranges.back().source] +=
      passed.counts;
  closing.rows_total += passed.rows_total;
  if (--closing.tasks_waited > 0) return;
  rows_at_close_ = closing.rows_total;
  port_.seal(closing.closed.epoch);
  answer_close_requests();
  if (std::holds_alternative<triggers::PlannedTrigger>(trigger_)) tick();
}

void Coordinator::on(const TaskExhausted& /*exhausted*/) {
  MILLRACE_ASSERT(exhausted_ < tasks_);
  if (++exhausted_ == tasks_) on(StopRequested{});
}

void Coordinator::on(const SinkFlushed& flushed) {
  Closing& closing = find(flushed.epoch);
  MILLRACE_ASSERT(closing.tasks_waited == 0 && closing.sinks_waited > 0);
  if (--closing.sinks_waited > 0) return;
  closing.closed.times.flushed = clock_.steady();
  commit_front();
}

void Coordinator::on(const EpochCommitted& committed) {
  if (!committed.result) return finish(committed.result.error());
  MILLRACE_ASSERT(!closing_.empty() && closing_.front().closed.epoch == committed.epoch);
  note_pace(closing_.front());
  quiet_since_ = clock_.steady();
  const bool was_last = closing_.front().is_last;
  closing_.pop_front();
  if (was_last) return finish(std::nullopt);
  commit_front();
  if (std::holds_alternative<triggers::PlannedTrigger>(trigger_)) {
    end_when_planned_out();
  } else if (stopping_ && !last_sent_ && may_close()) {
    close(true);
  }
  answer_close_requests();
  tick();
}

// T-2: said once, until an epoch keeps the pace again.
void Coordinator::note_pace(const Closing& closing) {
  const auto* const planned = std::get_if<triggers::PlannedTrigger>(&trigger_);
  if (planned == nullptr || closing.is_replay) return;
  const bool is_behind = planned->is_behind(closing.closed.times.begun, clock_.steady());
  if (is_behind && !is_behind_) {
    port_.warn(
        "epoch " + std::to_string(closing.closed.epoch.value) + " took " +
        std::to_string((clock_.steady().value - closing.closed.times.begun.value) / 1'000'000) +
        " ms, longer than the trigger's interval of " + std::to_string(planned->interval_ms()) +
        " ms: epochs begin late");
  }
  is_behind_ = is_behind;
}

void Coordinator::on(const QueryFailed& failed) { finish(failed.cause); }

void Coordinator::on(CloseRequested request) {
  close_requests_.push_back(std::move(request));
  answer_close_requests();
}

void Coordinator::on(StopRequested /*request*/) {
  if (stopping_) return;
  stopping_ = true;
  if (std::holds_alternative<triggers::PlannedTrigger>(trigger_)) return end_when_planned_out();
  if (may_close()) close(true);
}

void Coordinator::answer_close_requests() {
  // Held back while two epochs are closed and uncommitted, or a barrier is under way: every passed
  // barrier and every commit asks again.
  if (close_requests_.empty() || !may_close() || is_barrier_under_way()) return;
  if (std::holds_alternative<triggers::PlannedTrigger>(trigger_) && !stopping_) return tick();
  if (!stopping_ && running().saw_input) close(false);
  for (const CloseRequested& request : std::exchange(close_requests_, {}))
    if (request.answer) request.answer(next_.previous());
}

void Coordinator::close(bool is_last) {
  const CloseEpoch request{next_, clock_.wall(), is_last};
  next_ = next_.next();
  begin_closing(request, false, epoch_start_);
  epoch_start_ = clock_.steady();
  last_sent_ = is_last;
  is_full_ = false;
  port_.close_epoch(request);
}

void Coordinator::begin_closing(const CloseEpoch& request, bool is_planned, SteadyTime begun) {
  Closing closing;
  closing.closed.epoch = request.epoch;
  closing.closed.time = request.time;
  closing.closed.is_planned = is_planned;
  // No task has been told: what is acknowledged now lies before all that comes behind this barrier.
  closing.closed.outputs = port_.acknowledged_ends();
  closing.tasks_waited = tasks_;
  closing.sinks_waited = start_.sinks;
  closing.is_last = request.is_last;
  const SteadyTime now = clock_.steady();
  closing.closed.times.begun = begun;
  closing.closed.times.begun_at = WallTime(clock_.wall().value - (now.value - begun.value) / 1'000);
  closing.closed.times.closed = now;
  closing.closed.times.run = is_planned ? now : begun;
  closing.is_replay = start_.next > request.epoch;
  closing_.push_back(std::move(closing));
}

void Coordinator::commit_front() {
  // Epochs are handed over in order, one at a time: commits/N is durable before N+1 is begun.
  if (closing_.empty()) return;
  Closing& front = closing_.front();
  if (front.tasks_waited > 0 || front.sinks_waited > 0 || front.is_committing) return;
  if (front.is_last && !front.closed.is_planned) {
    bool is_empty = true;
    for (const operators::SourceRange& range : front.closed.ranges)
      is_empty = is_empty && range.from == range.to;
    // A stop with nothing read since the last barrier leaves no epoch behind.
    if (is_empty) return finish(std::nullopt);
  }
  front.is_committing = true;
  front.closed.times.handed = clock_.steady();
  port_.commit(front.closed);
}

void Coordinator::finish(std::optional<Error> cause) {
  if (ended_) return;
  ended_ = true;
  port_.ended(std::move(cause));
}

bool Coordinator::may_close() const {
  return static_cast<int>(closing_.size()) < start_.closed_max;
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
