#include "connectors/kafka_limit_watch.hpp"

#include <utility>

namespace millrace::connectors {

KafkaLimitWatch::KafkaLimitWatch(std::chrono::milliseconds interval, std::function<void()> look)
    : interval_(interval), look_(std::move(look)), thread_([this] { run(); }) {}

KafkaLimitWatch::~KafkaLimitWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void KafkaLimitWatch::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, interval_, [this] { return is_stopping_; })) {
    lock.unlock();
    look_();
    lock.lock();
  }
}

}  // namespace millrace::connectors
