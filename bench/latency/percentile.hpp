#pragma once

#include "stream/latency_histogram.hpp"

#include <optional>

namespace millrace::bench {

/// A percentile is said only with so many samples beyond it.
inline constexpr double kSamplesBeyond = 100;

/// The quantile in µs, between the edges of its bucket by the samples that lie there: ratios of a
/// few percent are told apart although a bucket is three percent wide. Nothing when fewer than
/// kSamplesBeyond samples lie beyond it.
std::optional<double> percentile_us(const stream::LatencySnapshot& latency, double quantile);

}  // namespace millrace::bench
