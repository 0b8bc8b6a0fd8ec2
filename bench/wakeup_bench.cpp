// How long an idle task takes to run after it is woken from another thread, under each wait policy:
// the time from wake() to the task's look at its input, at 2 ms gaps, so that a parked thread and
// its core sleep. In turn with it a bare thread is woken that waits on a futex and does nothing
// else: what the machine takes, whoever asks. Where threads run decides most of it, so there are
// three cases: where the kernel likes, woken on another core than the waker's, and on the same one.

#include "actors/actor_runtime.hpp"
#include "stream/latency_histogram.hpp"

#include <benchmark/benchmark.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
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

/// The calling thread on one core for as long as this lives; on any, if none is named.
class PinnedHere {
 public:
  explicit PinnedHere(std::optional<int> core) {
    pthread_getaffinity_np(pthread_self(), sizeof(before_), &before_);
    if (!core) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(*core), &one);
    pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
  }
  ~PinnedHere() { pthread_setaffinity_np(pthread_self(), sizeof(before_), &before_); }
  PinnedHere(const PinnedHere&) = delete;
  PinnedHere& operator=(const PinnedHere&) = delete;

 private:
  cpu_set_t before_{};
};

/// A thread that sleeps on a word in the kernel, and notes how late it wakes: the floor. The calls
/// are made plainly: std::atomic's wait yields before it sleeps and takes twice as long.
class BareThread {
 public:
  BareThread(const Clock& clock, std::optional<int> core)
      : clock_(clock), thread_([this, core] {
          const PinnedHere pinned(core);
          run();
        }) {}
  ~BareThread() {
    put(kStop);
    thread_.join();
  }
  BareThread(const BareThread&) = delete;
  BareThread& operator=(const BareThread&) = delete;

  void wake() {
    woken_at_.store(clock_.steady().value);
    put(kWork);
  }

  stream::LatencyHistogram latency;

 private:
  static constexpr int kNothing = 0, kWork = 1, kStop = 2;

  void put(int word) {
    word_.store(word);
    syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  void run() {
    for (;;) {
      while (word_.load() == kNothing)
        syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, kNothing, nullptr, nullptr, 0);
      if (word_.exchange(kNothing) == kStop) return;
      latency.record(clock_.steady().value - woken_at_.load());
    }
  }

  const Clock& clock_;
  std::atomic<int> word_{kNothing};
  std::atomic<std::int64_t> woken_at_{0};
  std::thread thread_;
};

/// One task that does nothing but look, hosted by actors.
struct ProbedQuery {
  ProbedQuery(const Clock& clock, RuntimeOptions options) {
    operators::ChainContext context;
    context.clock = &clock;
    context.metrics = &metrics;
    context.open_writer = [](const stream::SinkSpec&) {
      return Result<std::unique_ptr<stream::SinkWriter>>(std::make_unique<NullWriter>());
    };
    auto chain = operators::Chain::build({{stream::SinkSpec{}, {}}}, context);
    auto input = std::make_unique<ProbeInput>(clock);
    probe = input.get();
    QueryParts parts;
    parts.clock = &clock;
    parts.start = {1, 1, Epoch(0), {}};
    parts.tasks.push_back(
        std::make_unique<Task>(TaskId(0), "probe", std::move(input), std::move(*chain),
                               std::vector<stream::SinkWriter*>{}, std::vector<Channel*>{}));
    parts.committer = std::make_unique<Committer>();
    waker = &parts.tasks[0]->waker();
    runtime = std::make_unique<ActorRuntime>(std::move(parts), std::move(options), RuntimeEvents{});
    runtime->start();
  }

  operators::StageMetrics metrics;
  ProbeInput* probe = nullptr;
  Waker* waker = nullptr;
  std::unique_ptr<ActorRuntime> runtime;
};

void report(benchmark::State& state, const char* prefix, const stream::LatencyHistogram& latency) {
  const stream::LatencySnapshot seen = latency.snapshot();
  for (const auto& [name, quantile] : {std::pair{"p50_us", 0.5}, {"p90_us", 0.9}, {"p99_us", 0.99}})
    state.counters[std::string(prefix) + name] =
        static_cast<double>(seen.quantile_ns(quantile)) / 1e3;
}

/// Where the waking thread and the woken one run.
struct Places {
  std::optional<int> waker;
  std::optional<int> woken;
};
constexpr Places kAnywhere{};
constexpr Places kOtherCore{0, 1};
constexpr Places kSameCore{0, 0};

/// Counters: percentiles in µs, of the task and of the bare thread.
template <typename Policy>
void wakeup(benchmark::State& state, Places places) {
  constexpr std::chrono::milliseconds kGap{1};
  const SystemClock clock;
  const Policy policy;
  RuntimeOptions options;
  options.wait_policy = &policy;
  if (places.woken) options.cores = {*places.woken};
  const PinnedHere pinned(places.waker);
  ProbedQuery query(clock, std::move(options));
  BareThread bare(clock, places.woken);
  for (auto _ : state) {
    std::this_thread::sleep_for(kGap);
    bare.wake();
    std::this_thread::sleep_for(kGap);
    query.probe->woken_at.store(clock.steady().value);
    query.waker->wake();
  }
  std::this_thread::sleep_for(5 * kGap);  // for the last wake-up
  report(state, "", query.probe->latency);
  report(state, "bare_", bare.latency);
  query.runtime->shut_down();
}

void add(const char* name, void (*run)(benchmark::State&, Places), Places places) {
  benchmark::RegisterBenchmark(name, run, places)->Iterations(1500)->UseRealTime();
}

[[maybe_unused]] const bool kAdded = [] {
  add("wakeup/park", wakeup<ParkPolicy>, kAnywhere);
  add("wakeup/park/other_core", wakeup<ParkPolicy>, kOtherCore);
  add("wakeup/park/same_core", wakeup<ParkPolicy>, kSameCore);
  add("wakeup/adaptive", wakeup<AdaptivePolicy>, kAnywhere);
  add("wakeup/spin", wakeup<SpinPolicy>, kAnywhere);
  return true;
}();

}  // namespace
}  // namespace millrace::actors
