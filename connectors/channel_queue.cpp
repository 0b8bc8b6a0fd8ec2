#include "connectors/channel_queue.hpp"

#include "millrace/assert.hpp"

#include <utility>

namespace millrace::connectors {

ChannelQueue::ChannelQueue(std::size_t slots) : cells_(slots) { MILLRACE_ASSERT(slots > 0); }

Batch* ChannelQueue::reopen() {
  if (put_ == 0) return nullptr;
  Cell& newest = cell(put_ - 1);
  std::uint8_t expected = kOpen;
  if (!newest.state.compare_exchange_strong(expected, kBusy, std::memory_order_acquire))
    return nullptr;
  Batch& rows = newest.slot.rows;
  if (rows.rows() < kBatchRowsMax && rows.arena().used() < kBatchBytesMax) return &rows;
  publish();
  return nullptr;
}

bool ChannelQueue::has_room() const {
  return cell(put_).state.load(std::memory_order_acquire) == kFree;
}

void ChannelQueue::put(Batch&& rows, Epoch epoch, SteadyTime since) {
  Cell& next = cell(put_);
  MILLRACE_ASSERT(next.state.load(std::memory_order_acquire) == kFree);
  next.slot.rows = std::move(rows);
  next.slot.epoch = epoch;
  next.slot.since = since;
  ++put_;
  next.state.store(kOpen, std::memory_order_release);
}

void ChannelQueue::publish() { cell(put_ - 1).state.store(kOpen, std::memory_order_release); }

ChannelQueue::Slot* ChannelQueue::front() {
  Cell& oldest = cell(popped_);
  std::uint8_t state = kOpen;
  if (oldest.state.compare_exchange_strong(state, kTaken, std::memory_order_acquire) ||
      state == kTaken)
    return &oldest.slot;
  return nullptr;
}

void ChannelQueue::pop() {
  Cell& oldest = cell(popped_);
  MILLRACE_ASSERT(oldest.state.load(std::memory_order_relaxed) == kTaken);
  oldest.slot.rows = Batch();
  ++popped_;
  oldest.state.store(kFree, std::memory_order_release);
}

void ChannelQueue::clear() {
  while (front() != nullptr) pop();
}

}  // namespace millrace::connectors
