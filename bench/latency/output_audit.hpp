#pragma once

#include "millrace/error.hpp"

#include "bench/latency/schedule.hpp"
#include "stream/latency_histogram.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace::bench {

/// What the program ends with when so many records, over all its runs, were missing, doubled or
/// unexpected: success for none.
[[nodiscard]] Status check_output(std::uint64_t faults);

/// Checks the output off against what was sent, and times it. `note` is called by the reader's
/// thread, `arrived` by any; the rest after the reader has ended.
class OutputAudit {
 public:
  explicit OutputAudit(const Schedule& schedule);

  /// Takes one output record that was in the reader's hands at that moment.
  void note(std::string_view record, std::int64_t arrival_ns);

  [[nodiscard]] bool is_complete() const { return arrived() == expected_; }
  [[nodiscard]] std::uint64_t arrived() const { return arrived_.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint64_t expected() const { return expected_; }
  [[nodiscard]] std::uint64_t missing() const { return expected_ - arrived(); }
  [[nodiscard]] std::uint64_t doubled() const { return doubled_; }
  /// Records that should have been dropped, or that nobody sent.
  [[nodiscard]] std::uint64_t unexpected() const { return unexpected_; }

  /// Latencies of the records behind the warm-up.
  [[nodiscard]] stream::LatencySnapshot latency() const { return latency_.snapshot(); }
  /// Records a second that came through, measured at the output behind the warm-up and scaled to
  /// the input.
  [[nodiscard]] double achieved_rate() const;
  [[nodiscard]] std::int64_t last_arrival_ns() const { return last_arrival_ns_; }
  [[nodiscard]] std::int64_t longest_gap_ns() const { return longest_gap_ns_; }

 private:
  void note_arrival(std::int64_t arrival_ns);

  Schedule schedule_;
  std::vector<bool> seen_;
  stream::LatencyHistogram latency_;
  std::uint64_t expected_ = 0;
  std::uint64_t measured_ = 0;
  std::uint64_t measured_inputs_ = 0;
  std::uint64_t measured_expected_ = 0;
  std::uint64_t doubled_ = 0;
  std::uint64_t unexpected_ = 0;
  bool has_arrival_ = false;
  std::int64_t last_arrival_ns_ = 0;
  std::int64_t longest_gap_ns_ = 0;
  std::atomic<std::uint64_t> arrived_{0};
};

}  // namespace millrace::bench
