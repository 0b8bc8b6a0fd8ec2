#pragma once

#include <cstdint>
#include <string>

namespace millrace::bench {

/// What the machine does to a thread that only reads the clock: the floor under every tail.
struct MachineNoise {
  double seconds = 0;
  std::uint64_t gaps_over_100_us = 0;
  double worst_gap_us = 0;
  double load_average = 0;  ///< of the last minute: who else is at work
};

/// Reads the clock in a loop for so long and notes the holes.
MachineNoise measure_machine_noise(double seconds);

/// "noise floor: ..." for people.
std::string describe(const MachineNoise& noise);

}  // namespace millrace::bench
