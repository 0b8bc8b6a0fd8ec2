#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace millrace::cli {

/// Turns SIGINT, SIGTERM and SIGHUP into a call: the first calls `on_stop` on a thread of this
/// class, another SIGINT or SIGTERM ends the process at once with 128 + its number; within a fifth
/// of a second it counts as the same one (`timeout` sends two). A terminal that goes away may send
/// SIGHUP twice, so that one never counts as another; ignored from the start (nohup), it stays so.
/// Make it before any other thread, which then inherits the blocked signals.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals() { end(); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Begins to wait. Once; `on_stop` may block, a second signal is seen nevertheless.
  void watch(std::function<void()> on_stop);
  /// Ends the waiting thread; a call of on_stop that runs is waited for. Idempotent.
  void end();

 private:
  void wait_for_signals(const std::function<void()>& on_stop);

  sigset_t signals_{};
  std::atomic<bool> is_ended_{false};
  std::thread watcher_;
};

}  // namespace millrace::cli
