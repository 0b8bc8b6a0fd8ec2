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
      from_(reader_->position()),
      end_(end),
      pool_(reader_->schema()) {
  MILLRACE_ASSERT(rows_max_ > 0 && rows_max_ <= kBatchRowsMax);
}

void SourceInput::connect(Waker& waker) {
  reader_->on_wake([&waker] { waker.wake(); });
}

Result<InputEvent::Kind> SourceInput::next(InputEvent& event) {
  event.kind = InputEvent::Kind::kIdle;
  if (!replay_.empty()) return read(event, replay_.front().to);
  if (!requests_.empty()) {
    const CloseEpoch request = requests_.front();
    requests_.pop_front();
    has_ended_ = has_ended_ || request.is_last;
    put_barrier(event, request.epoch, request.time, reader_->position());
    return event.kind;
  }
  if (has_ended_) return event.kind;
  return read(event, end_);
}

void SourceInput::close_epoch(const CloseEpoch& request) { requests_.push_back(request); }

Result<InputEvent::Kind> SourceInput::read(InputEvent& event, std::int64_t limit) {
  if (!spare_) spare_ = pool_.take();
  MILLRACE_ASSIGN(const stream::PollOutcome outcome, reader_->poll(spare_, rows_max_, limit));
  switch (outcome) {
    case stream::PollOutcome::kRows:
      event.kind = InputEvent::Kind::kRows;
      event.port = Port(0);
      event.rows = std::move(spare_);
      break;
    case stream::PollOutcome::kIdle:
      break;
    case stream::PollOutcome::kLimit: {
      if (replay_.empty()) {
        has_ended_ = true;
        event.kind = InputEvent::Kind::kExhausted;
        break;
      }
      const ReplayRange range = replay_.front();
      replay_.pop_front();
      put_barrier(event, range.epoch, range.time, range.to);
      break;
    }
  }
  return event.kind;
}

void SourceInput::put_barrier(InputEvent& event, Epoch epoch, WallTime time, std::int64_t to) {
  MILLRACE_ASSERT(from_ <= to);
  event.kind = InputEvent::Kind::kBarrier;
  event.epoch = epoch;
  event.time = time;
  event.ranges.assign(1, {source_, partition_.name, from_, to});
  from_ = to;
}

}  // namespace millrace::actors
