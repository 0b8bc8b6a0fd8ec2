#include "actors/task.hpp"

#include "millrace/assert.hpp"

#include "stream/batch_time.hpp"

#include <algorithm>

namespace millrace::actors {

Task::Task(TaskId id, std::string name, std::unique_ptr<TaskInput> input,
           std::unique_ptr<operators::Chain> chain, std::vector<stream::SinkWriter*> writers,
           std::vector<Channel*> channels)
    : id_(id),
      name_(std::move(name)),
      input_(std::move(input)),
      chain_(std::move(chain)),
      writers_(std::move(writers)),
      channels_(std::move(channels)) {
  input_->connect(waker_);
  chain_->waker().connect([this] { waker_.wake(); });
}

Task::~Task() { chain_->waker().disconnect(); }

StepOutcome Task::step() {
  MILLRACE_ASSERT(!failed_);
  waker_.begin_step();
  for (int handled = 0; handled < kStepEventsMax; ++handled) {
    if (!is_output_ready()) return StepOutcome::kBlocked;
    if (const Status woken = chain_->wake(); !woken) return fail_with(woken.error());
    const Result<InputEvent::Kind> kind = input_->next(event_);
    if (!kind) return fail_with(kind.error());
    if (*kind == InputEvent::Kind::kIdle) return StepOutcome::kIdle;
    const Status status = handle(event_);
    if (!status) return fail_with(status.error());
  }
  return StepOutcome::kMore;
}

bool Task::is_output_ready() {
  return std::all_of(writers_.begin(), writers_.end(),
                     [](stream::SinkWriter* writer) { return writer->is_ready(); }) &&
         std::all_of(channels_.begin(), channels_.end(),
                     [](Channel* channel) { return channel->has_room(); });
}

Status Task::handle(InputEvent& event) {
  if (event.kind == InputEvent::Kind::kBarrier) return pass_barrier(event);
  if (event.kind == InputEvent::Kind::kExhausted) {
    post_(TaskExhausted{id_});
    return {};
  }
  if (event.kind == InputEvent::Kind::kWaiting) {
    post_(InputWaiting{id_});
    return {};
  }
  const auto rows = static_cast<std::int64_t>(event.rows.rows());
  rows_total_.store(rows_total() + rows, std::memory_order_relaxed);
  if (counter_ != nullptr && counter_->add(rows)) post_(RowsReached{});
  const stream::BatchTimeScope time(event.rows_time);
  return chain_->process(event.port, std::move(event.rows));
}

Status Task::pass_barrier(InputEvent& event) {
  // Operators first, so that what they emit at the end of the epoch still belongs to it.
  MILLRACE_TRY(chain_->end_epoch({event.epoch, event.time, event.ranges}));
  for (Channel* channel : channels_) channel->push(Element::of_barrier(event.epoch, event.time));
  operators::EpochCounts counts = chain_->counts();
  counts.rows_in = rows_total();
  post_(TaskPassed{id_, event.epoch, event.ranges, rows_total(), counts - at_barrier_, event.memo});
  at_barrier_ = counts;
  return {};
}

StepOutcome Task::fail_with(Error cause) {
  failed_ = true;
  post_(QueryFailed{std::move(cause)});
  return StepOutcome::kFailed;
}

}  // namespace millrace::actors
