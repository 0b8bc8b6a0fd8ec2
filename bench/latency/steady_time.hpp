#pragma once

#include <time.h>

#include <cstdint>

namespace millrace::bench {

/// CLOCK_MONOTONIC in ns: one clock for all processes of the host.
inline std::int64_t steady_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// Sleeps until that moment; returns at once when it is over.
inline void sleep_until_ns(std::int64_t moment_ns) {
  const timespec moment{static_cast<time_t>(moment_ns / 1'000'000'000),
                        static_cast<long>(moment_ns % 1'000'000'000)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nullptr) != 0) {
  }
}

}  // namespace millrace::bench
