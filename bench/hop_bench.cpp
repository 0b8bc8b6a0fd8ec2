// The hop between two tasks: a channel whose ends both spin, pinned to two cores. For the hop to a
// task that sleeps see wakeup_bench.cpp.

#include "actors/channel.hpp"

#include <benchmark/benchmark.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <thread>

namespace millrace::actors {
namespace {

/// Keeps the calling thread on one core for as long as this lives.
class Pinned {
 public:
  explicit Pinned(unsigned core) {
    pthread_getaffinity_np(pthread_self(), sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core % std::thread::hardware_concurrency(), &one);
    pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
  }
  ~Pinned() { pthread_setaffinity_np(pthread_self(), sizeof(before_), &before_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_;
};

/// A one-row batch goes to the other thread and back: half of it is a hop.
void busy_hop(benchmark::State& state) {
  BatchPool pool(make_schema({{"value", TypeKind::kInt64}}));
  Channel there, back;
  std::atomic<bool> stopping{false};
  std::thread echo([&] {
    const Pinned pinned(1);
    Element element;
    while (!stopping.load(std::memory_order_relaxed))
      if (there.pop(element)) back.push(std::move(element));
  });
  const Pinned pinned(0);
  Element element;
  for (auto _ : state) {
    Batch batch = pool.take();
    batch.resize(1);
    batch.column(0).values<std::int64_t>()[0] = 1;
    there.push(Element::of_rows(std::move(batch)));
    while (!back.pop(element)) {
    }
    element.rows = Batch();
  }
  stopping.store(true);
  echo.join();
  element = Element();
  state.counters["hop_ns"] =
      benchmark::Counter(static_cast<double>(2 * state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(busy_hop)->UseRealTime();

/// One thread, no other: what push and pop themselves cost.
void push_and_pop(benchmark::State& state) {
  Channel channel;
  Element element;
  for (auto _ : state) {
    channel.push(Element::of_barrier(Epoch(1), WallTime(0)));
    benchmark::DoNotOptimize(channel.pop(element));
  }
}
BENCHMARK(push_and_pop);

}  // namespace
}  // namespace millrace::actors
