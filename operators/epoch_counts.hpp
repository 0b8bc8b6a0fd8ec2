#pragma once

#include "stream/bad_record_policy.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace millrace::operators {

/// What was done within one epoch, or since a task's start. A plain value that adds up over tasks.
struct EpochCounts {
  std::int64_t rows_in = 0;   ///< taken from sources
  std::int64_t rows_out = 0;  ///< taken by sinks, dead letters not counted
  std::array<std::int64_t, stream::kBadRecordReasons> rows_bad{};  ///< by reason

  EpochCounts& operator+=(const EpochCounts& other) {
    rows_in += other.rows_in;
    rows_out += other.rows_out;
    for (std::size_t i = 0; i < rows_bad.size(); ++i) rows_bad[i] += other.rows_bad[i];
    return *this;
  }
  friend EpochCounts operator-(EpochCounts counts, const EpochCounts& other) {
    counts.rows_in -= other.rows_in;
    counts.rows_out -= other.rows_out;
    for (std::size_t i = 0; i < counts.rows_bad.size(); ++i)
      counts.rows_bad[i] -= other.rows_bad[i];
    return counts;
  }
  friend bool operator==(const EpochCounts&, const EpochCounts&) = default;
};

}  // namespace millrace::operators
