#pragma once

#include "session/late_tasks.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace millrace::session {

/// Looks for new source partitions of a running query, on a thread of its own, and hands on a task
/// for each. No thread where no source can grow.
class PartitionWatch {
 public:
  /// Both are called on the watch's thread, between the constructor and the end of stop().
  PartitionWatch(std::unique_ptr<LateTasks> tasks, std::function<void(BuiltTask)> add,
                 std::function<void(Error)> fail);
  ~PartitionWatch() { stop(); }
  PartitionWatch(const PartitionWatch&) = delete;
  PartitionWatch& operator=(const PartitionWatch&) = delete;

  /// Waits for a look that is under way. Idempotent, not from the callbacks.
  void stop();

 private:
  void run(const std::stop_token& stopped);

  const std::unique_ptr<LateTasks> tasks_;
  const std::function<void(BuiltTask)> add_;
  const std::function<void(Error)> fail_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread thread_;
};

}  // namespace millrace::session
