#pragma once

#include "millrace/strong.hpp"

#include "triggers/trigger.hpp"

#include <cstdint>

namespace millrace::triggers {

/// How long a query that found nothing to do waits before it looks again, when no source has told
/// of rows meanwhile. (The anchor looks every 10 ms, T-1; sources here tell of rows.)
inline constexpr std::int64_t kPollingDelayMs = 100;

/// The next whole multiple of the interval after `now_ms`, floor division; at 0, now itself. T-2.
[[nodiscard]] std::int64_t next_on_grid_ms(std::int64_t now_ms, std::int64_t interval_ms);

/// Says when the next epoch of the planned drive is to be planned. A pure decision over times that
/// are passed in; owned by the coordinator, called on its thread.
///
/// Intervals lie on a grid of the wall clock (T-2), which is looked at once, at the start: a wall
/// clock that is set afterwards neither repeats an epoch nor holds one back. An epoch that takes
/// longer than the interval makes the next one late, not a burst of those that were missed.
class PlannedTrigger {
 public:
  /// `wall` and `steady` are of the same moment, when the query starts.
  PlannedTrigger(const Trigger& trigger, WallTime wall, SteadyTime steady);

  /// Whether the arrival of rows is a reason to plan at once.
  [[nodiscard]] bool starts_on_input() const { return interval_ms_ == 0; }
  /// When to plan next, after the plan that was asked for at `asked` and `found` an epoch or not.
  [[nodiscard]] SteadyTime next(SteadyTime asked, bool found) const;
  /// Whether an epoch that was planned at `begun` and is over at `now` took so long that the next
  /// one is late.
  [[nodiscard]] bool is_behind(SteadyTime begun, SteadyTime now) const;
  [[nodiscard]] std::int64_t interval_ms() const { return interval_ms_; }

 private:
  std::int64_t interval_ms_;
  bool is_bounded_;              ///< the query ends when it has read what was there at its start
  std::int64_t wall_offset_ns_;  ///< wall clock less steady clock
};

}  // namespace millrace::triggers
