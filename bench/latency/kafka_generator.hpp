#pragma once

#include "millrace/error.hpp"

#include "bench/latency/schedule.hpp"

#include <memory>
#include <string>

namespace millrace::bench {

/// Writes clicks into a topic, record n into partition n mod partitions. For one thread.
class KafkaGenerator {
 public:
  static Result<std::unique_ptr<KafkaGenerator>> open(const std::string& servers,
                                                      const std::string& topic, int partitions);
  ~KafkaGenerator();

  /// Sends every record when it is due, on the calling thread, and returns when all are
  /// acknowledged. A late wake-up is made up for at once and never moves the schedule.
  Status send(const Schedule& schedule, int size_bytes);
  /// Sends `count` records as fast as the broker takes them.
  Status fill(std::uint64_t count, int size_bytes);

 private:
  struct Connection;
  explicit KafkaGenerator(std::unique_ptr<Connection> connection);
  Status produce(std::uint64_t seq, int size_bytes);
  Status finish();

  std::unique_ptr<Connection> connection_;
  std::string record_;
};

}  // namespace millrace::bench
