#pragma once

#include "bench/latency/latency_run.hpp"
#include "bench/latency/machine_noise.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::bench {

/// All runs of one subject at one rate.
struct LatencyRow {
  Subject subject;
  std::vector<LatencyRun> runs;
};

/// Everything measured at one rate, over topics of so many partitions.
struct LatencyTable {
  int rate = 0;
  int partitions = 0;
  std::vector<LatencyRow> rows;
};

/// The table for people: medians over the repeats, and their ratios to the best forwarder setting.
/// A percentile is given only where 100 samples lie beyond it in every run; the last column block
/// merges the samples of all repeats and goes as far as those allow. Each row of Millrace has a
/// verdict: its worst among p50, p99 and CPU against the settings' bars.
std::string to_text(const Settings& settings, const LatencyTable& table);

/// The same, run by run, as JSON.
std::string to_json(const Settings& settings, const MachineNoise& noise,
                    const std::vector<LatencyTable>& tables);

/// How many records were missing, doubled or unexpected in all runs.
std::uint64_t faults_in(const std::vector<LatencyTable>& tables);

}  // namespace millrace::bench
