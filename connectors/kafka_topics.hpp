#pragma once

#include "millrace/error.hpp"

#include "connectors/kafka_client.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::connectors {

/// Why no topic can have this name, as a sentence; empty when one can.
[[nodiscard]] std::string topic_name_problem(std::string_view name);

/// Topics of a cluster by name, with their numbers of partitions. Blocks; starting thread only.
class KafkaTopics {
 public:
  /// How long the start of a query waits for a broker.
  static constexpr int kWaitMsMax = 30'000;

  explicit KafkaTopics(const KafkaClient& client) : client_(client) {}

  /// Asks for every topic at once: a request by name could create a topic on some clusters. Waits
  /// for a broker, at most so long (kUnavailable then), or until the start is called off.
  [[nodiscard]] Status refresh(std::chrono::milliseconds wait_max = std::chrono::hours(1'000'000));
  /// Number of partitions as of the last refresh; kNotFound names the nearest topic. Like all
  /// errors here it begins with whose client asks.
  [[nodiscard]] Result<std::int32_t> partitions_of(const std::string& topic) const;
  /// The error of a topic that is not there, naming the nearest one that is.
  [[nodiscard]] Error missing(const std::string& topic) const;
  /// Their names but for those of the cluster itself, which begin with __.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Whose client asks ("source clicks").
  [[nodiscard]] const std::string& owner() const;
  [[nodiscard]] bool has(const std::string& topic) const { return partitions_.contains(topic); }
  /// Creates a topic (replication as the cluster's default) and waits until a refresh shows it.
  [[nodiscard]] Status create(const std::string& topic, std::int32_t partitions);

 private:
  const KafkaClient& client_;
  std::map<std::string, std::int32_t, std::less<>> partitions_;  ///< how many, by topic
};

}  // namespace millrace::connectors
