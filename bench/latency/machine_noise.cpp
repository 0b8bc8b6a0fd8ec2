#include "bench/latency/machine_noise.hpp"

#include "bench/latency/steady_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace millrace::bench {

MachineNoise measure_machine_noise(double seconds) {
  MachineNoise noise;
  noise.seconds = seconds;
  getloadavg(&noise.load_average, 1);
  const auto end = steady_ns() + static_cast<std::int64_t>(seconds * 1e9);
  std::int64_t worst_ns = 0;
  for (auto before = steady_ns(); before < end;) {
    const auto now = steady_ns();
    const auto gap = now - before;
    if (gap > 100'000) ++noise.gaps_over_100_us;
    worst_ns = std::max(worst_ns, gap);
    before = now;
  }
  noise.worst_gap_us = static_cast<double>(worst_ns) / 1e3;
  return noise;
}

std::string describe(const MachineNoise& noise) {
  return fmt::format(
      "noise floor: one thread reading the clock for {:.1f} s met {} gaps over 100 us, the worst "
      "{:.0f} us; load average {:.2f}",
      noise.seconds, noise.gaps_over_100_us, noise.worst_gap_us, noise.load_average);
}

}  // namespace millrace::bench
