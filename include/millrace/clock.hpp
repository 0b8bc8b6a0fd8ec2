#pragma once

#include "millrace/strong.hpp"

#include <atomic>

namespace millrace {

/// Tells the time. Nobody calls the operating system's clock except through one of these, so that
/// a whole query can run on a clock that a test moves. Thread-safe; never fails.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Wall time in µs UTC. May step when the host's clock is set.
  [[nodiscard]] virtual WallTime wall() const = 0;
  /// Steady time in ns; costs no system call on Linux (vDSO).
  [[nodiscard]] virtual SteadyTime steady() const = 0;
};

/// The host's clocks.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] WallTime wall() const override;
  [[nodiscard]] SteadyTime steady() const override;
};

/// A clock that moves only when told to. Wall and steady time advance together.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(WallTime start = WallTime(0)) : wall_us_(start.value) {}

  [[nodiscard]] WallTime wall() const override { return WallTime(wall_us_.load()); }
  [[nodiscard]] SteadyTime steady() const override { return SteadyTime(steady_ns_.load()); }

  /// Moves both clocks forward.
  void advance_us(std::int64_t us) {
    wall_us_.fetch_add(us);
    steady_ns_.fetch_add(us * 1000);
  }
  /// Sets the wall clock alone, as a host whose clock is corrected does.
  void set_wall(WallTime time) { wall_us_.store(time.value); }

 private:
  std::atomic<std::int64_t> wall_us_;
  std::atomic<std::int64_t> steady_ns_{0};
};

}  // namespace millrace
