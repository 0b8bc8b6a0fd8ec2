// What one closed epoch costs on the disk below the working folder: offsets/N, prepared/N.<attempt>
// and commits/N, durable, with retention. The commit thread pays it; no task waits for it.

#include "millrace/assert.hpp"
#include "millrace/clock.hpp"

#include "state/checkpoint.hpp"
#include "state/posix_disk.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::bench {
namespace {

constexpr std::int64_t kEpochs = 200;

/// A disk that refuses ends the measurement.
void require(const Status& status) { MILLRACE_ASSERT(status.has_value()); }

/// A checkpoint of its own in the working folder, gone when the benchmark is over.
class BenchCheckpoint {
 public:
  explicit BenchCheckpoint(std::int64_t partitions) : partitions_(partitions) {
    state::CheckpointOptions options;
    options.folder = folder_;
    checkpoint_ = state::Checkpoint::open(disk_, clock_, options).value();
    MILLRACE_ASSERT(checkpoint_->restart().has_value());
    require(checkpoint_->write_start({}));
  }
  ~BenchCheckpoint() {
    checkpoint_.reset();
    std::filesystem::remove_all(folder_);
  }
  BenchCheckpoint(const BenchCheckpoint&) = delete;
  BenchCheckpoint& operator=(const BenchCheckpoint&) = delete;

  /// Gives the time of one epoch in ns.
  std::int64_t run(std::int64_t n) {
    state::OffsetsRecord offsets;
    offsets.epoch = Epoch(n);
    offsets.time = clock_.wall();
    for (std::int64_t p = 0; p < partitions_; ++p) {
      offsets.ranges["clicks"]["clicks-" + std::to_string(p)] = {n, n + 1};
    }
    state::PreparedRecord prepared;
    prepared.epoch = Epoch(n);
    prepared.attempt = checkpoint_->attempt();

    const SteadyTime begin = clock_.steady();
    require(checkpoint_->write_closed(offsets, prepared));
    require(checkpoint_->write_commit({Epoch(n), checkpoint_->attempt(), std::nullopt}));
    require(checkpoint_->retain(clock_.wall()));
    return clock_.steady().value - begin.value;
  }

 private:
  std::int64_t partitions_;
  std::string folder_ = "checkpoint_bench." + std::to_string(::getpid());
  SystemClock clock_;
  state::PosixDisk disk_;
  std::unique_ptr<state::Checkpoint> checkpoint_;
};

/// Puts the quantiles of the measured times beside the mean, which a busy disk makes meaningless.
void report(benchmark::State& bench, std::vector<std::int64_t> times_ns) {
  std::sort(times_ns.begin(), times_ns.end());
  const auto quantile_us = [&](std::size_t percent) {
    return static_cast<double>(times_ns[times_ns.size() * percent / 100]) / 1000.0;
  };
  bench.counters["min_us"] = quantile_us(0);
  bench.counters["p50_us"] = quantile_us(50);
  bench.counters["p90_us"] = quantile_us(90);
}

/// Argument: source partitions.
void closed_epoch(benchmark::State& bench) {
  BenchCheckpoint checkpoint(bench.range(0));
  std::vector<std::int64_t> times_ns;
  std::int64_t n = 0;
  for (auto _ : bench) times_ns.push_back(checkpoint.run(n++));
  report(bench, std::move(times_ns));
}

/// The disk's own price, to compare with: one durable file, of which an epoch has three.
void durable_file(benchmark::State& bench) {
  const std::string folder = "checkpoint_bench." + std::to_string(::getpid());
  const SystemClock clock;
  state::PosixDisk disk;
  require(disk.create_folders(folder));
  std::vector<std::int64_t> times_ns;
  for (auto _ : bench) {
    const std::string name = folder + "/" + std::to_string(times_ns.size());
    const SteadyTime begin = clock.steady();
    require(disk.write_file(folder + "/.tmp", std::string(500, 'x'), state::Durability::kSynced));
    require(disk.rename_new(folder + "/.tmp", name));
    require(disk.sync_folder(folder));
    times_ns.push_back(clock.steady().value - begin.value);
  }
  std::filesystem::remove_all(folder);
  report(bench, std::move(times_ns));
}

BENCHMARK(durable_file)->Iterations(kEpochs)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(closed_epoch)
    ->Arg(4)
    ->Arg(64)
    ->Iterations(kEpochs)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace millrace::bench
