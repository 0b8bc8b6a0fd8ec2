#include "actors/source_input.hpp"

#include "millrace/assert.hpp"

namespace millrace::actors {

SourceInput::SourceInput(std::string source, stream::SourcePartition partition,
                         std::unique_ptr<stream::SourceReader> reader,
                         std::deque<ReplayRange> replay, std::size_t rows_max, std::int64_t end)
    : source_(std::move(source)),
      partition_(std::move(partition)),
      reader_(std::move(reader)),
      replay_(std::move(replay)),
      rows_max_(rows_max),
      from_(replay_.empty() ? reader_->position() : replay_.front().from),
      end_(end),
      pool_(reader_->schema()) {
  MILLRACE_ASSERT(rows_max_ > 0 && rows_max_ <= kBatchRowsMax);
}

void SourceInput::connect(Waker& waker) {
  reader_->on_wake([&waker] { waker.wake(); });
}

Result<InputEvent::Kind> SourceInput::next(InputEvent& event) {
  event.kind = InputEvent::Kind::kIdle;
  if (!replay_.empty()) return replay(event);
  if (!requests_.empty()) {
    const CloseEpoch request = requests_.front();
    requests_.pop_front();
    has_ended_ = has_ended_ || request.is_last;
    put_barrier(event, request.epoch, request.time, ended_at_.value_or(reader_->position()));
    return event.kind;
  }
  if (has_ended_ || ended_at_) return event.kind;
  return read(event, end_);
}

Result<InputEvent::Kind> SourceInput::replay(InputEvent& event) {
  const ReplayRange& range = replay_.front();
  // A reader that stands before it reads another history, in which the range means nothing.
  if (!range.is_gone && reader_->position() >= range.from) return read(event, range.to);
  put_replayed(event);
  return event.kind;
}

void SourceInput::put_replayed(InputEvent& event) {
  MILLRACE_ASSERT(!replay_.empty());
  const ReplayRange range = replay_.front();
  replay_.pop_front();
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

Result<InputEvent::Kind> SourceInput::read(InputEvent& event, std::int64_t limit) {
  if (!spare_) spare_ = pool_.take();
  const std::int64_t before = reader_->position();
  MILLRACE_ASSIGN(const stream::PollOutcome outcome, reader_->poll(spare_, rows_max_, limit));
  switch (outcome) {
    case stream::PollOutcome::kRows:
      event.kind = InputEvent::Kind::kRows;
      event.port = Port(0);
      event.rows = std::move(spare_);
      has_rows_ = true;
      break;
    case stream::PollOutcome::kIdle:
      break;
    case stream::PollOutcome::kLimit:
      if (!replay_.empty()) {
        put_replayed(event);
        break;
      }
      has_ended_ = true;
      event.kind = InputEvent::Kind::kExhausted;
      break;
    case stream::PollOutcome::kRestarted:
      if (!replay_.empty()) {
        put_replayed(event);
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
  from_ = reader_->position();
  has_rows_ = false;
  ended_at_.reset();
}

}  // namespace millrace::actors
