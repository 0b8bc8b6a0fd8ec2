#pragma once

#include "millrace/strong.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace millrace::operators {

/// Says which epoch may be written by producers that take turns, one epoch each. An epoch's rows
/// may be written when every record of the one before is acknowledged, or the rows of a source
/// partition could change places, and when its producer is free: the epoch that it wrote before is
/// decided.
///
///   epoch N: waits -> is written -> flushed -> decided, and its producer free for N + producers
///
/// Any thread; `may_write` is one atomic load.
class EpochRotation {
 public:
  explicit EpochRotation(std::size_t producers) : writes_(producers) {}

  /// The first epoch may be written.
  void start(Epoch first);
  [[nodiscard]] bool may_write(Epoch epoch) const {
    return epoch.value <= writable_.load(std::memory_order_acquire);
  }
  /// Which producer writes it.
  [[nodiscard]] std::size_t producer_of(Epoch epoch) const {
    return static_cast<std::size_t>(epoch.value) % writes_.size();
  }
  /// Every record of the epoch that may be written is acknowledged, and no more will come. True:
  /// the next one may be written from now on.
  [[nodiscard]] bool note_flushed(Epoch epoch);
  /// The epoch is decided. True: another one may be written from now on.
  [[nodiscard]] bool note_decided(Epoch epoch);

 private:
  [[nodiscard]] bool begin_next();

  std::atomic<std::int64_t> writable_{-1};    ///< the newest epoch that may be written
  std::mutex mutex_;                          ///< guards what follows
  bool is_flushed_ = false;                   ///< that epoch
  std::vector<std::optional<Epoch>> writes_;  ///< each producer's; none: it is free
};

}  // namespace millrace::operators
