#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace millrace::actors {

/// Turns any number of reasons to run a task into at most one outstanding wake-up. `wake` from any
/// thread; `begin_step` on the task's thread before it looks for work, so that a reason that comes
/// after the look wakes again and none is lost.
class Waker {
 public:
  /// Installs what a wake-up does (a runtime posts a message), once. A wake-up from before is made
  /// up for. `post` may be called from any thread and must not block.
  void connect(std::function<void()> post) {
    function_ = std::move(post);
    post_.store(&function_, std::memory_order_release);
    if (pending_.load(std::memory_order_acquire)) function_();
  }

  void wake() {
    if (pending_.exchange(true, std::memory_order_acq_rel)) return;
    if (const std::function<void()>* post = post_.load(std::memory_order_acquire)) (*post)();
  }
  void begin_step() { pending_.exchange(false, std::memory_order_acq_rel); }
  [[nodiscard]] bool is_pending() const { return pending_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> pending_{false};
  std::atomic<const std::function<void()>*> post_{nullptr};
  std::function<void()> function_;
};

}  // namespace millrace::actors
