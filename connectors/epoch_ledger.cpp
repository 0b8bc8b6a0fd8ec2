#include "connectors/epoch_ledger.hpp"

#include "millrace/assert.hpp"

#include <string>

namespace millrace::connectors {

Result<EpochLedger::Slot> EpochLedger::add(Epoch epoch, std::int64_t records) {
  const auto first = flushed_up_to_.load(std::memory_order_relaxed);
  if (first != INT64_MIN && epoch.value - first >= static_cast<std::int64_t>(kSlots)) [[unlikely]] {
    return fail(ErrorCode::kInternal, "epoch " + std::to_string(epoch.value) +
                                          " is written while epoch " + std::to_string(first) +
                                          " is not flushed");
  }
  const Slot slot = slot_of(epoch);
  counters_[slot].unacknowledged.fetch_add(records, std::memory_order_relaxed);
  return slot;
}

void EpochLedger::subtract(Slot slot, std::int64_t records) {
  if (records == 0) return;
  const auto before = counters_[slot].unacknowledged.fetch_sub(records, std::memory_order_acq_rel);
  MILLRACE_DEBUG_ASSERT(before >= records);
  if (before == records) [[unlikely]]
    finish(slot);
}

void EpochLedger::seal(Epoch epoch) {
  {
    const std::lock_guard lock(mutex_);
    MILLRACE_ASSERT(sealed_count_ < kSlots);
    sealed_[(sealed_first_ + sealed_count_++) % kSlots] = epoch;
  }
  subtract(slot_of(epoch), 1);
}

// The one thread that took the counter to zero. Nobody adds to it until the epoch is reported.
void EpochLedger::finish(Slot slot) {
  counters_[slot].unacknowledged.store(1);
  {
    const std::lock_guard lock(mutex_);
    is_finished_[slot] = true;
  }
  report();
}

// One thread reports at a time, so that the order holds; what finishes meanwhile it reports too.
void EpochLedger::report() {
  std::unique_lock lock(mutex_);
  if (is_reporting_) return;
  is_reporting_ = true;
  while (sealed_count_ > 0 && is_finished_[slot_of(sealed_[sealed_first_])]) {
    const Epoch epoch = sealed_[sealed_first_];
    is_finished_[slot_of(epoch)] = false;
    sealed_first_ = (sealed_first_ + 1) % kSlots;
    --sealed_count_;
    flushed_up_to_.store(epoch.next().value, std::memory_order_relaxed);
    lock.unlock();
    if (!is_stopped_.load() && on_flushed_) on_flushed_(epoch);
    lock.lock();
  }
  is_reporting_ = false;
}

}  // namespace millrace::connectors
