#pragma once

#include "bench/latency/subject.hpp"
#include "stream/latency_histogram.hpp"

namespace millrace::bench {

/// What one run of one subject gave.
struct LatencyRun {
  stream::LatencySnapshot latency;  ///< due to be sent -> read, behind the warm-up
  double offered_rate = 0;
  double achieved_rate = 0;
  double cpu_seconds = 0;  ///< of the subject's process over the measured seconds
  std::int64_t resident_bytes = 0;
  std::int64_t peak_resident_bytes = 0;
  std::uint64_t missing = 0;
  std::uint64_t doubled = 0;
  std::uint64_t unexpected = 0;
};

/// Starts the subject on fresh topics, sends on schedule, reads to the end, stops it.
Result<LatencyRun> run_latency(const Settings& settings, Workspace& workspace,
                               const Subject& subject, int rate);

}  // namespace millrace::bench
