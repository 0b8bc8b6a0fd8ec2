#include "bench/latency/percentile.hpp"

#include <gtest/gtest.h>

namespace millrace::bench {
namespace {

stream::LatencySnapshot evenly(int samples, std::int64_t step_ns) {
  stream::LatencyHistogram histogram;
  for (int i = 1; i <= samples; ++i) histogram.record(i * step_ns);
  return histogram.snapshot();
}

TEST(Percentile, GoesAsFarAsAHundredSamplesLieBeyondIt) {
  const auto latency = evenly(10'000, 100);

  EXPECT_TRUE(percentile_us(latency, 0.99).has_value());
  EXPECT_FALSE(percentile_us(latency, 0.991).has_value());
}

TEST(Percentile, LiesCloserThanABucketIsWide) {
  const auto latency = evenly(10'000, 100);

  EXPECT_NEAR(*percentile_us(latency, 0.5), 500.0, 1.0);
  EXPECT_NEAR(*percentile_us(latency, 0.99), 990.0, 2.0);
}

TEST(Percentile, OfEqualSamplesIsNotAboveThem) {
  stream::LatencyHistogram histogram;
  histogram.record(1'000'000, 1000);

  EXPECT_LE(*percentile_us(histogram.snapshot(), 0.9), 1000.0);
}

TEST(Percentile, OfNothingIsNothing) {
  EXPECT_FALSE(percentile_us(stream::LatencyHistogram().snapshot(), 0.5).has_value());
}

}  // namespace
}  // namespace millrace::bench
