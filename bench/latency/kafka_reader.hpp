#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace millrace::bench {

/// Reads a topic from its start. For one thread.
class KafkaReader {
 public:
  using OnRecord = std::function<void(std::string_view value, std::int64_t arrival_ns)>;

  static Result<std::unique_ptr<KafkaReader>> open(const std::string& servers,
                                                   const std::string& topic, int partitions);
  ~KafkaReader();

  /// Waits for a record up to `timeout_ms`, then takes those that are here already. Gives each
  /// record with the moment it was in our hands; returns how many.
  Result<std::size_t> read(int timeout_ms, const OnRecord& on_record);

 private:
  struct Connection;
  explicit KafkaReader(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace millrace::bench
