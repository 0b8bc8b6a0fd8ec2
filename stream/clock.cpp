#include "millrace/clock.hpp"

#include <ctime>

namespace millrace {

namespace {

std::int64_t read_clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

WallTime SystemClock::wall() const { return WallTime(read_clock_ns(CLOCK_REALTIME) / 1000); }

SteadyTime SystemClock::steady() const { return SteadyTime(read_clock_ns(CLOCK_MONOTONIC)); }

}  // namespace millrace
