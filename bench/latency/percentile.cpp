#include "bench/latency/percentile.hpp"

#include <algorithm>

namespace millrace::bench {

std::optional<double> percentile_us(const stream::LatencySnapshot& latency, double quantile) {
  const auto count = static_cast<double>(latency.count);
  // The small allowance keeps 10,000 samples enough for p99 in binary fractions.
  if (count * (1 - quantile) < kSamplesBeyond - 1e-6) return std::nullopt;
  const double rank = count * quantile;
  double below = 0;
  for (std::size_t bucket = 0; bucket < latency.buckets.size(); ++bucket) {
    const auto here = static_cast<double>(latency.buckets[bucket]);
    if (here == 0 || below + here < rank) {
      below += here;
      continue;
    }
    const auto edge_of = [](std::size_t index) {
      return static_cast<double>(stream::LatencyHistogram::upper_edge_ns(index));
    };
    const double low = bucket == 0 ? 0 : edge_of(bucket - 1);
    const double high = std::min(edge_of(bucket), static_cast<double>(latency.max_ns));
    return (low + (high - low) * (rank - below) / here) / 1e3;
  }
  return static_cast<double>(latency.max_ns) / 1e3;
}

}  // namespace millrace::bench
