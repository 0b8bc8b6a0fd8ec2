#pragma once

#include "operators/epoch_counts.hpp"
#include "stream/bad_record_policy.hpp"
#include "stream/latency_histogram.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace millrace::operators {

/// What one task's chain measures: written by the task's thread only, once per batch; read by copy
/// from any thread. Latencies count once per row of the batch they were taken on.
struct StageMetrics {
  stream::LatencyHistogram decode;  ///< bytes to columns
  stream::LatencyHistogram chain;   ///< taken from the source to handed to the sink, all of it
  std::atomic<std::int64_t> rows_out{0};  ///< taken by sinks, dead letters not counted
  std::string source;                     ///< the source's name; set before the first row
  std::array<std::atomic<std::int64_t>, stream::kBadRecordReasons> rows_bad{};  ///< by reason

  void count_bad(stream::BadRecordReason reason) {
    add(rows_bad[static_cast<std::size_t>(reason)], 1);
  }
  [[nodiscard]] std::int64_t bad(stream::BadRecordReason reason) const {
    return rows_bad[static_cast<std::size_t>(reason)].load(std::memory_order_relaxed);
  }

  /// Both of them, as they are; rows_in is not the chain's to know.
  [[nodiscard]] EpochCounts counts() const {
    EpochCounts counts;
    counts.rows_out = rows_out.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < rows_bad.size(); ++i)
      counts.rows_bad[i] = rows_bad[i].load(std::memory_order_relaxed);
    return counts;
  }

  /// Adds to a counter of which the caller is the only writer: no locked instruction.
  static void add(std::atomic<std::int64_t>& counter, std::int64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
};

}  // namespace millrace::operators
