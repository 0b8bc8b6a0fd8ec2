#include "stream/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace millrace::stream {

namespace {

constexpr std::uint64_t kSubSteps = std::uint64_t{1} << LatencyHistogram::kSubBits;

}  // namespace

std::size_t LatencyHistogram::bucket_of(std::int64_t ns) {
  if (ns < static_cast<std::int64_t>(kSubSteps)) return ns < 0 ? 0 : static_cast<std::size_t>(ns);
  const auto value = static_cast<std::uint64_t>(ns);
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kSubBits;
  if (shift >= kOctaves) return kBuckets - 1;
  return (static_cast<std::size_t>(shift + 1) << kSubBits) + ((value >> shift) & (kSubSteps - 1));
}

std::uint64_t LatencyHistogram::upper_edge_ns(std::size_t bucket) {
  if (bucket < kSubSteps) return bucket;
  const auto shift = static_cast<int>(bucket >> kSubBits) - 1;
  const std::uint64_t step = bucket & (kSubSteps - 1);
  return ((kSubSteps + step + 1) << shift) - 1;
}

LatencySnapshot LatencyHistogram::snapshot() const {
  LatencySnapshot copy;
  copy.buckets.reserve(kBuckets);
  for (const auto& bucket : buckets_) {
    copy.buckets.push_back(bucket.load(std::memory_order_relaxed));
    copy.count += copy.buckets.back();
  }
  copy.max_ns = static_cast<std::uint64_t>(max_ns_.load(std::memory_order_relaxed));
  return copy;
}

std::uint64_t LatencySnapshot::quantile_ns(double quantile) const {
  if (count == 0) return 0;
  const double wanted = std::ceil(std::clamp(quantile, 0.0, 1.0) * static_cast<double>(count));
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    seen += buckets[bucket];
    if (seen >= rank) return std::min(LatencyHistogram::upper_edge_ns(bucket), max_ns);
  }
  return max_ns;
}

void LatencySnapshot::merge(const LatencySnapshot& other) {
  if (buckets.size() < other.buckets.size()) buckets.resize(other.buckets.size());
  for (std::size_t bucket = 0; bucket < other.buckets.size(); ++bucket)
    buckets[bucket] += other.buckets[bucket];
  count += other.count;
  max_ns = std::max(max_ns, other.max_ns);
}

LatencySnapshot LatencySnapshot::since(const LatencySnapshot& earlier) const {
  LatencySnapshot difference = *this;
  difference.max_ns = 0;
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    if (bucket < earlier.buckets.size()) difference.buckets[bucket] -= earlier.buckets[bucket];
    if (difference.buckets[bucket] != 0)
      difference.max_ns = std::min(LatencyHistogram::upper_edge_ns(bucket), max_ns);
  }
  difference.count = count - earlier.count;
  return difference;
}

}  // namespace millrace::stream
