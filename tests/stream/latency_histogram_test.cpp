#include "stream/latency_histogram.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

TEST(LatencyHistogram, PutsEveryValueBelowTheEdgeOfItsBucket) {
  std::uint64_t previous_edge = 0;
  for (std::size_t bucket = 1; bucket < LatencyHistogram::kBuckets; ++bucket) {
    const std::uint64_t edge = LatencyHistogram::upper_edge_ns(bucket);
    EXPECT_EQ(LatencyHistogram::bucket_of(static_cast<std::int64_t>(edge)), bucket);
    EXPECT_EQ(LatencyHistogram::bucket_of(static_cast<std::int64_t>(previous_edge + 1)), bucket);
    EXPECT_LE(edge - previous_edge, edge / 32 + 1);
    previous_edge = edge;
  }
}

TEST(LatencyHistogram, TakesNegativeAndHugeTimes) {
  LatencyHistogram histogram;
  histogram.record(-5);
  histogram.record(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(histogram.snapshot().buckets.front(), 1u);
  EXPECT_EQ(histogram.snapshot().buckets.back(), 1u);
}

TEST(LatencyHistogram, GivesQuantiles) {
  LatencyHistogram histogram;
  for (int ns = 1; ns <= 1000; ++ns) histogram.record(ns);
  const LatencySnapshot snapshot = histogram.snapshot();

  EXPECT_EQ(snapshot.count, 1000u);
  EXPECT_EQ(snapshot.max_ns, 1000u);
  EXPECT_EQ(snapshot.quantile_ns(0.5), 503u);
  EXPECT_EQ(snapshot.quantile_ns(0.99), 991u);
  EXPECT_EQ(snapshot.quantile_ns(1.0), 1000u);
  EXPECT_EQ(LatencySnapshot().quantile_ns(0.5), 0u);
}

TEST(LatencyHistogram, SubtractsAnEarlierSnapshotAndMerges) {
  LatencyHistogram histogram;
  histogram.record(1'000'000);
  const LatencySnapshot earlier = histogram.snapshot();
  histogram.record_shared(10, 3);
  LatencySnapshot later = histogram.snapshot().since(earlier);

  EXPECT_EQ(later.count, 3u);
  EXPECT_EQ(later.max_ns, 10u);
  EXPECT_EQ(later.quantile_ns(1.0), 10u);
  later.merge(earlier);
  EXPECT_EQ(later.count, 4u);
  EXPECT_EQ(later.max_ns, 1'000'000u);
}

}  // namespace
}  // namespace millrace::stream
