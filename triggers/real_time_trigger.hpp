#pragma once

#include "millrace/strong.hpp"

#include <cstdint>

namespace millrace::triggers {

/// An epoch is closed only while fewer than this many are closed and not yet committed.
inline constexpr int kClosedEpochsMax = 2;

/// The running epoch as the coordinator sees it.
struct RunningEpoch {
  SteadyTime started;          ///< when it began: the moment the epoch before it was closed
  bool saw_input = false;      ///< a row, a timer or a watermark move; without any it is not closed
  int closed_uncommitted = 0;  ///< earlier epochs that are closed and not committed
};

/// Says when the running epoch of the open drive is to be closed. A pure decision over times that
/// are passed in; owned by the coordinator, called on its thread. It never catches up: after a
/// stall one epoch is closed, and the next a whole interval later.
class RealTimeTrigger {
 public:
  explicit RealTimeTrigger(std::int64_t interval_ms);

  /// Whether to close the running epoch now. Ask at next_check(), and after every commit (a full
  /// pair of closed epochs may have held back a close that is overdue).
  [[nodiscard]] bool should_close(SteadyTime now, const RunningEpoch& running) const;
  /// When to ask next: the first whole interval from the epoch's start that lies after `now`, so
  /// that an idle query keeps its rhythm and a row after a pause is committed within an interval.
  [[nodiscard]] SteadyTime next_check(SteadyTime now, const RunningEpoch& running) const;

 private:
  std::int64_t interval_ns_;
};

}  // namespace millrace::triggers
