#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace millrace::connectors {

/// Counts, per epoch, the records handed to a client and not acknowledged yet, and says when an
/// epoch that gets no more of them has none left: once per epoch and in epoch order. Each epoch has
/// a counter of its own, so that epoch N is done while N+1 flows.
///
///   count(N) = 1 (until sealed) + records handed over - records acknowledged;  0: flushed
///
/// Any thread; no lock per record, one per epoch. Never calls back under its lock.
class EpochLedger {
 public:
  /// So many epochs may have unacknowledged records at the same time.
  static constexpr std::size_t kSlots = 16;
  /// Where an epoch's counter is: small enough to travel with each record.
  using Slot = std::uint8_t;

  static Slot slot_of(Epoch epoch) {
    return static_cast<Slot>(static_cast<std::uint64_t>(epoch.value) % kSlots);
  }

  /// Installs what is called when an epoch is flushed; before the first record.
  void on_flushed(std::function<void(Epoch)> callback) { on_flushed_ = std::move(callback); }

  /// Counts records before they are handed over, and gives the slot they must be given back with.
  [[nodiscard]] Result<Slot> add(Epoch epoch, std::int64_t records);
  /// Takes records back: acknowledged, or never handed over after all.
  void subtract(Slot slot, std::int64_t records);
  /// Says that no more records of this epoch will be added. Epochs are sealed in order.
  void seal(Epoch epoch);
  /// A record is lost: no epoch is called flushed from now on.
  void stop() { is_stopped_.store(true); }

 private:
  // A cache line each: threads of different epochs do not meet.
  struct alignas(64) Counter {
    std::atomic<std::int64_t> unacknowledged{1};
  };

  void finish(Slot slot);
  void report();

  std::array<Counter, kSlots> counters_;
  std::atomic<bool> is_stopped_{false};
  std::atomic<std::int64_t> flushed_up_to_{INT64_MIN};  ///< the first epoch that is not
  std::function<void(Epoch)> on_flushed_;

  std::mutex mutex_;  ///< guards what follows
  std::array<Epoch, kSlots> sealed_{};
  std::size_t sealed_first_ = 0;
  std::size_t sealed_count_ = 0;
  std::array<bool, kSlots> is_finished_{};
  bool is_reporting_ = false;
};

}  // namespace millrace::connectors
