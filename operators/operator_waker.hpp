#pragma once

#include <atomic>
#include <functional>
#include <mutex>

namespace millrace::operators {

/// How those who bring results to an operator later (the thread of a call it made, a client's
/// callback) say that there are some: the task then runs `on_wake` of its operators, soon, on its
/// own thread. Any number of requests becomes one call, and none is lost: what was ready before
/// `wake` is seen by an `on_wake` after it.
///
/// Shared by a chain and whoever its operators hand it to (ChainContext::waker), who may keep it
/// longer than the task lives: a request then comes to nothing.
class OperatorWaker {
 public:
  /// Any thread, any time. Does not wait for the task.
  void wake();

  /// Says what runs the task; a request from before is made up for. `wake_task` may be called from
  /// any thread and must neither block nor call back.
  void connect(std::function<void()> wake_task);
  /// After it `wake_task` is not called any more, nor is a call under way. Idempotent.
  void disconnect();
  /// On the task's thread: whether somebody has asked since the last time.
  [[nodiscard]] bool take() {
    return is_wanted_.load(std::memory_order_relaxed) &&
           is_wanted_.exchange(false, std::memory_order_acq_rel);
  }

 private:
  void wake_task();

  std::atomic<bool> is_wanted_{false};
  std::mutex mutex_;
  std::function<void()> wake_task_;  ///< guarded by mutex_; empty while there is no task
};

}  // namespace millrace::operators
