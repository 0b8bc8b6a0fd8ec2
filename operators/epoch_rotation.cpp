#include "operators/epoch_rotation.hpp"

#include "millrace/assert.hpp"

namespace millrace::operators {

void EpochRotation::start(Epoch first) {
  const std::lock_guard lock(mutex_);
  writes_[producer_of(first)] = first;
  writable_.store(first.value, std::memory_order_release);
}

bool EpochRotation::note_flushed(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  MILLRACE_ASSERT(epoch.value == writable_.load() && !is_flushed_);
  is_flushed_ = true;
  return begin_next();
}

bool EpochRotation::note_decided(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  std::optional<Epoch>& written = writes_[producer_of(epoch)];
  MILLRACE_ASSERT(written == epoch);
  written.reset();
  return begin_next();
}

bool EpochRotation::begin_next() {
  const Epoch next(writable_.load() + 1);
  std::optional<Epoch>& writer = writes_[producer_of(next)];
  if (!is_flushed_ || writer) return false;
  writer = next;
  is_flushed_ = false;
  writable_.store(next.value, std::memory_order_release);
  return true;
}

}  // namespace millrace::operators
