#pragma once

#include "millrace/clock.hpp"

#include "actors/wait_policy.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace millrace::actors {

/// What waits for one worker thread, oldest first, and how that thread waits for it: it looks again
/// for as long as the wait policy says, then sleeps in the kernel. A push to a worker that is awake
/// makes no system call. Holds borrows and knows nothing of them, so that it serves any runtime;
/// allocates only when more wait than ever before. `push` from any thread, `pop` from the worker's.
class WorkerQueue {
 public:
  /// Policy and clock are borrows that outlive the queue.
  WorkerQueue(const WaitPolicy& wait, const Clock& clock);
  WorkerQueue(const WorkerQueue&) = delete;
  WorkerQueue& operator=(const WorkerQueue&) = delete;

  void push(void* job);
  /// Waits for a job.
  [[nodiscard]] void* pop();
  /// The oldest job, or null when there is none.
  [[nodiscard]] void* try_pop();

 private:
  void wait_for_job();
  void sleep_until_job();
  void grow();

  const WaitPolicy& wait_;
  const Clock& clock_;
  std::atomic<int> count_{0};        ///< jobs in the ring; the word that a sleeping worker watches
  std::atomic<bool> asleep_{false};  ///< or about to be: a push must make the system call
  std::mutex mutex_;                 ///< guards the ring, for a few instructions
  std::vector<void*> ring_;
  std::size_t first_ = 0;
  std::size_t held_ = 0;
};

}  // namespace millrace::actors
