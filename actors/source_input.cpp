#include "actors/source_input.hpp"

#include "millrace/assert.hpp"

#include <utility>

namespace millrace::actors {

SourceInput::SourceInput(std::string source, stream::SourcePartition partition,
                         std::unique_ptr<stream::SourceReader> reader, std::deque<FixedRange> fixed,
                         std::size_t rows_max, std::int64_t end, SourceDrive drive)
    : source_(std::move(source)),
      partition_(std::move(partition)),
      reader_(std::move(reader)),
      fixed_(std::move(fixed)),
      rows_max_(rows_max),
      from_(fixed_.empty() ? reader_->position() : fixed_.front().from),
      end_(end),
      drive_(drive),
      pool_(reader_->schema()) {
  MILLRACE_ASSERT(rows_max_ > 0 && rows_max_ <= kBatchRowsMax);
}

void SourceInput::connect(Waker& waker) {
  reader_->on_wake([&waker] { waker.wake(); });
}

Result<InputEvent::Kind> SourceInput::next(InputEvent& event) {
  event.kind = InputEvent::Kind::kIdle;
  if (!fixed_.empty()) return read_fixed(event);
  if (!requests_.empty()) {
    const CloseEpoch request = requests_.front();
    requests_.pop_front();
    has_ended_ = has_ended_ || request.is_last;
    put_barrier(event, request.epoch, request.time, ended_at_.value_or(reader_->position()));
    return event.kind;
  }
  if (has_ended_ || ended_at_) return event.kind;
  return drive_ == SourceDrive::kPlanned ? look_ahead(event) : read(event, end_);
}

Result<InputEvent::Kind> SourceInput::read_fixed(InputEvent& event) {
  FixedRange& range = fixed_.front();
  if (std::exchange(range.is_new_history, false) && reader_->position() > range.from)
    MILLRACE_TRY(reader_->begin_history(range.from));
  // A reader that stands before it reads another history, in which the range means nothing.
  if (!range.is_gone && reader_->position() >= range.from) return read(event, range.to);
  put_fixed(event);
  return event.kind;
}

Result<InputEvent::Kind> SourceInput::look_ahead(InputEvent& event) {
  if (has_told_) return event.kind;
  MILLRACE_ASSIGN(has_told_, reader_->has_rows());
  if (has_told_) event.kind = InputEvent::Kind::kWaiting;
  return event.kind;
}

void SourceInput::put_fixed(InputEvent& event) {
  MILLRACE_ASSERT(!fixed_.empty());
  const FixedRange range = fixed_.front();
  fixed_.pop_front();
  from_ = range.from;
  put_barrier(event, range.epoch, range.time, range.to);
}

void SourceInput::begin_history(std::int64_t ended_at) {
  if (has_rows_) {
    ended_at_ = ended_at;
  } else {
    from_ = reader_->position();
  }
}

void SourceInput::close_epoch(const CloseEpoch& request) { requests_.push_back(request); }

void SourceInput::run_epoch(const PlannedEpoch& epoch) {
  FixedRange fixed{epoch.epoch, epoch.time, fixed_.empty() ? from_ : fixed_.back().to};
  fixed.to = fixed.from;
  fixed.is_planned = true;
  for (const PlannedRange& planned : epoch.ranges) {
    if (planned.range.source != source_ || planned.range.partition != partition_.name) continue;
    fixed.from = planned.range.from;
    fixed.to = planned.range.to;
    fixed.is_new_history = planned.is_new_history;
  }
  fixed_.push_back(fixed);
  has_told_ = false;
}

Result<InputEvent::Kind> SourceInput::read(InputEvent& event, std::int64_t limit) {
  if (!spare_) spare_ = pool_.take();
  const std::int64_t before = reader_->position();
  MILLRACE_ASSIGN(const stream::PollOutcome outcome, reader_->poll(spare_, rows_max_, limit));
  switch (outcome) {
    case stream::PollOutcome::kRows:
      event.kind = InputEvent::Kind::kRows;
      event.port = Port(0);
      event.rows = std::move(spare_);
      event.rows_time.reset();
      if (!fixed_.empty() && fixed_.front().is_planned) event.rows_time = fixed_.front().time;
      has_rows_ = true;
      break;
    case stream::PollOutcome::kIdle:
      break;
    case stream::PollOutcome::kLimit:
      if (!fixed_.empty()) {
        put_fixed(event);
        break;
      }
      has_ended_ = true;
      event.kind = InputEvent::Kind::kExhausted;
      break;
    case stream::PollOutcome::kRestarted:
      if (!fixed_.empty()) {
        put_fixed(event);
        break;
      }
      begin_history(before);
      return next(event);
  }
  return event.kind;
}

void SourceInput::put_barrier(InputEvent& event, Epoch epoch, WallTime time, std::int64_t to) {
  MILLRACE_ASSERT(from_ <= to);
  event.kind = InputEvent::Kind::kBarrier;
  event.epoch = epoch;
  event.time = time;
  event.ranges.assign(1, {source_, partition_.name, from_, to});
  event.memo = reader_->memo();
  from_ = reader_->position();
  has_rows_ = false;
  ended_at_.reset();
}

}  // namespace millrace::actors
