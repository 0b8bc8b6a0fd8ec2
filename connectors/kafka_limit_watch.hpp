#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace millrace::connectors {

/// Looks again and again how large a record the topics of a sink take, so that a limit that is
/// changed while the query runs is known before a broker refuses something. A thread of its own,
/// which sleeps in between. Owned by the sink's producer.
class KafkaLimitWatch {
 public:
  /// `look` asks and keeps the answers; called on the watch's thread every `interval`.
  KafkaLimitWatch(std::chrono::milliseconds interval, std::function<void()> look);
  /// Waits for a look that is under way.
  ~KafkaLimitWatch();

 private:
  void run();

  const std::chrono::milliseconds interval_;
  const std::function<void()> look_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace millrace::connectors
