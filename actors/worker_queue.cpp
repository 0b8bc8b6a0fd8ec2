#include "actors/worker_queue.hpp"

#include "millrace/assert.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace millrace::actors {

namespace {

constexpr std::size_t kFirstCapacity = 16;
constexpr int kGlancesPerLook = 32;  // between two looks at the clock, about a microsecond

// Tells the core that this is a wait, so that its sibling gets the execution units.
void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// The kernel's wait on a word, plainly: that of the standard library yields several times before it
// sleeps, which at a thousand wake-ups a second is a few percent of a query's CPU.
static_assert(sizeof(std::atomic<int>) == sizeof(int));

void sleep_while_zero(std::atomic<int>& word) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

void wake_sleeper(std::atomic<int>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

WorkerQueue::WorkerQueue(const WaitPolicy& wait, const Clock& clock)
    : wait_(wait), clock_(clock), ring_(kFirstCapacity) {}

void WorkerQueue::push(void* job) {
  MILLRACE_ASSERT(job != nullptr);
  {
    const std::lock_guard lock(mutex_);
    if (held_ == ring_.size()) grow();
    ring_[(first_ + held_++) % ring_.size()] = job;
  }
  // One thread pops, so only the push that ends emptiness can find it asleep.
  if (count_.fetch_add(1) == 0 && asleep_.load()) wake_sleeper(count_);
}

void* WorkerQueue::pop() {
  for (;;) {
    if (void* const job = try_pop()) return job;
    wait_for_job();
  }
}

void* WorkerQueue::try_pop() {
  if (count_.load() == 0) return nullptr;
  count_.fetch_sub(1);
  const std::lock_guard lock(mutex_);
  MILLRACE_ASSERT(held_ > 0);
  void* const job = ring_[first_];
  first_ = (first_ + 1) % ring_.size();
  --held_;
  return job;
}

void WorkerQueue::wait_for_job() {
  const SteadyTime idle_since = clock_.steady();
  while (wait_.looks_again(idle_since, clock_.steady())) {
    for (int glance = 0; glance < kGlancesPerLook; ++glance) {
      if (count_.load(std::memory_order_relaxed) > 0) return;
      relax();
    }
  }
  sleep_until_job();
}

// Either the push sees `asleep_`, or this sees the push.
void WorkerQueue::sleep_until_job() {
  asleep_.store(true);
  while (count_.load() == 0) sleep_while_zero(count_);
  asleep_.store(false);
}

void WorkerQueue::grow() {
  std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
  first_ = 0;
  ring_.resize(ring_.size() * 2);
}

}  // namespace millrace::actors
