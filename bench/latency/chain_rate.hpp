#pragma once

#include <optional>

namespace millrace::bench {

/// Records a second of the job's chain on one core without any Kafka, measured now by the benchmark
/// program beside this one; nothing when that is not there or has no records of this size.
std::optional<double> measure_chain_rate(int size_bytes);

}  // namespace millrace::bench
