#pragma once

#include "connectors/kafka_probe.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace millrace::demo {

/// Writes made-up clicks to a topic at a steady rate from a thread of its own, until stopped.
class ClickGenerator {
 public:
  ClickGenerator(std::string bootstrap_servers, std::string topic, int rate);
  ~ClickGenerator();

  /// Nothing is written before it. Once.
  void start();
  void stop();
  /// Why it ended early; empty while all is well. After stop().
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// Record number `seq` as JSON, the same in every run but for the time.
  [[nodiscard]] static std::string make_click(std::int64_t seq, std::int64_t now_us);

 private:
  void run();
  Status write_up_to(connectors::KafkaProbe& probe, std::int64_t wanted, std::int64_t& written);

  const std::string bootstrap_servers_;
  const std::string topic_;
  const int rate_;
  std::string fault_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace millrace::demo
