#pragma once

#include <cstdint>

namespace millrace::bench {

/// When each record is due, whatever happens to those before it: the heart of an open loop.
struct Schedule {
  std::int64_t start_ns = 0;  ///< steady time of record 0
  int rate = 1000;            ///< records a second
  std::uint64_t warm_up = 0;  ///< records that are sent and not counted
  std::uint64_t count = 0;    ///< all records, those of the warm-up among them

  [[nodiscard]] std::int64_t due_ns(std::uint64_t seq) const {
    return start_ns +
           static_cast<std::int64_t>(seq * 1'000'000'000ULL / static_cast<std::uint64_t>(rate));
  }
};

}  // namespace millrace::bench
