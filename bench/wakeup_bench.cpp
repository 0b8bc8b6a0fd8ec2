// How long a parked task takes to run after it is woken from another thread: the price of `park`.
// The time from wake() to the task's look at its input, at 2 ms gaps, so that the thread sleeps.

#include "actors/actor_runtime.hpp"
#include "stream/latency_histogram.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace millrace::actors {
namespace {

class NullWriter final : public stream::SinkWriter {
 public:
  bool is_ready() override { return true; }
  Status write(const Batch&, Epoch) override { return {}; }
};

/// An input that only notes when it is looked at.
class ProbeInput final : public TaskInput {
 public:
  explicit ProbeInput(const Clock& clock) : clock_(clock) {}
  Result<InputEvent::Kind> next(InputEvent& event) override {
    if (const std::int64_t woken = woken_at.exchange(0); woken != 0)
      latency.record(clock_.steady().value - woken);
    event.kind = InputEvent::Kind::kIdle;
    return event.kind;
  }

  std::atomic<std::int64_t> woken_at{0};
  stream::LatencyHistogram latency;

 private:
  const Clock& clock_;
};

/// Argument: worker threads (0: a thread per task). Counters: percentiles in µs.
void parked_wakeup(benchmark::State& state) {
  const SystemClock clock;
  operators::StageMetrics metrics;
  operators::ChainContext context;
  context.clock = &clock;
  context.metrics = &metrics;
  context.open_writer = [](const stream::SinkSpec&) {
    return Result<std::unique_ptr<stream::SinkWriter>>(std::make_unique<NullWriter>());
  };
  auto chain = operators::Chain::build({{stream::SinkSpec{}, {}}}, context);
  auto input = std::make_unique<ProbeInput>(clock);
  ProbeInput& probe = *input;

  QueryParts parts;
  parts.clock = &clock;
  parts.start = {1, 1, Epoch(0), {}};
  parts.tasks.push_back(
      std::make_unique<Task>(TaskId(0), "probe", std::move(input), std::move(*chain),
                             std::vector<stream::SinkWriter*>{}, std::vector<Channel*>{}));
  parts.committer = std::make_unique<Committer>();
  Waker& waker = parts.tasks[0]->waker();
  ActorRuntime runtime(std::move(parts), {static_cast<std::size_t>(state.range(0))}, {});
  runtime.start();
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    probe.woken_at.store(clock.steady().value);
    waker.wake();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // for the last wake-up
  const stream::LatencySnapshot seen = probe.latency.snapshot();
  runtime.shut_down();
  state.counters["p50_us"] = static_cast<double>(seen.quantile_ns(0.5)) / 1e3;
  state.counters["p90_us"] = static_cast<double>(seen.quantile_ns(0.9)) / 1e3;
  state.counters["p99_us"] = static_cast<double>(seen.quantile_ns(0.99)) / 1e3;
}
BENCHMARK(parked_wakeup)->Arg(1)->Arg(0)->Iterations(2000)->UseRealTime();

}  // namespace
}  // namespace millrace::actors
