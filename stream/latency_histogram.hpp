#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace millrace::stream {

/// A copy of a histogram at one moment: what tables and percentiles are made from. Plain value.
struct LatencySnapshot {
  std::vector<std::uint64_t> buckets;
  std::uint64_t count = 0;
  std::uint64_t max_ns = 0;

  /// The value below which `quantile` (0..1) of the samples lie, in ns: the upper edge of its
  /// bucket, at most 1/32 above the truth. 0 when empty.
  [[nodiscard]] std::uint64_t quantile_ns(double quantile) const;
  /// Adds another snapshot's samples.
  void merge(const LatencySnapshot& other);
  /// What came since `earlier`, a snapshot of the same histogram; max is then the top bucket's
  /// edge.
  [[nodiscard]] LatencySnapshot since(const LatencySnapshot& earlier) const;
};

/// Log-linear histogram of nanoseconds: 32 steps per doubling, from 1 ns to 2^44 ns (five hours).
/// `record` is for one writer thread at a time, or for several with `record_shared`; `snapshot` for
/// any thread. No lock, no allocation in record.
class LatencyHistogram {
 public:
  static constexpr int kSubBits = 5;
  static constexpr int kOctaves = 40;
  static constexpr std::size_t kBuckets = (static_cast<std::size_t>(kOctaves) + 1) << kSubBits;

  /// Adds `times` samples of `ns` (negative counts as 0). One writer.
  void record(std::int64_t ns, std::uint64_t times = 1) {
    auto& bucket = buckets_[bucket_of(ns)];
    bucket.store(bucket.load(std::memory_order_relaxed) + times, std::memory_order_relaxed);
    note_max(ns);
  }
  /// The same for several writers.
  void record_shared(std::int64_t ns, std::uint64_t times = 1) {
    buckets_[bucket_of(ns)].fetch_add(times, std::memory_order_relaxed);
    std::int64_t seen = max_ns_.load(std::memory_order_relaxed);
    while (ns > seen && !max_ns_.compare_exchange_weak(seen, ns, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] LatencySnapshot snapshot() const;

  [[nodiscard]] static std::size_t bucket_of(std::int64_t ns);
  /// Largest value that falls into the bucket.
  [[nodiscard]] static std::uint64_t upper_edge_ns(std::size_t bucket);

 private:
  void note_max(std::int64_t ns) {
    if (ns > max_ns_.load(std::memory_order_relaxed)) [[unlikely]]
      max_ns_.store(ns, std::memory_order_relaxed);
  }

  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<std::int64_t> max_ns_{0};
};

}  // namespace millrace::stream
