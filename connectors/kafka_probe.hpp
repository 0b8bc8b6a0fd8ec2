#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct rd_kafka_s;
struct rd_kafka_topic_s;

namespace millrace::connectors {

/// One record as a bare client writes and reads it. Null and empty differ.
struct KafkaProbeRecord {
  using Header = std::pair<std::string, std::optional<std::string>>;

  std::optional<std::string> key;
  std::optional<std::string> value;
  std::vector<Header> headers;
  std::int32_t partition = -1;    ///< -1: by the key, or anywhere
  std::int64_t offset = -1;       ///< of a record that was read
  std::int64_t timestamp_ms = 0;  ///< 0 when writing: now

  friend bool operator==(const KafkaProbeRecord&, const KafkaProbeRecord&) = default;
};

/// A plain Kafka client beside the engine: writes what the engine reads and reads what it wrote.
/// For the demo, the benchmarks and the tests; blocking, for one thread.
class KafkaProbe {
 public:
  /// Connects when first used.
  [[nodiscard]] static Result<std::unique_ptr<KafkaProbe>> open(std::string bootstrap_servers);
  ~KafkaProbe();
  KafkaProbe(const KafkaProbe&) = delete;
  KafkaProbe& operator=(const KafkaProbe&) = delete;

  /// Settings of a topic go along as the broker names them: {"cleanup.policy", "compact"}.
  [[nodiscard]] Status create_topic(
      const std::string& topic, std::int32_t partitions,
      const std::vector<std::pair<std::string, std::string>>& settings = {});
  /// Gives a topic more partitions, `partitions` in all.
  [[nodiscard]] Status grow_topic(const std::string& topic, std::int32_t partitions);
  /// Changes settings of a topic; those that are not named go back to the broker's.
  [[nodiscard]] Status alter_topic(
      const std::string& topic, const std::vector<std::pair<std::string, std::string>>& settings);
  [[nodiscard]] Status delete_topic(const std::string& topic);
  /// Drops the records of a partition below `offset`, as retention does.
  [[nodiscard]] Status delete_records(const std::string& topic, std::int32_t partition,
                                      std::int64_t offset);

  /// Hands a record over; flush() waits for all of them.
  [[nodiscard]] Status write(const std::string& topic, const KafkaProbeRecord& record);
  [[nodiscard]] Status flush(int wait_ms_max = 30'000);
  /// Writes the records in one transaction and commits or aborts it.
  [[nodiscard]] Status write_transaction(const std::string& topic,
                                         const std::vector<KafkaProbeRecord>& records,
                                         bool commits);

  /// Every record there is now, partition by partition, in order.
  [[nodiscard]] Result<std::vector<KafkaProbeRecord>> read_all(const std::string& topic);
  /// Reads records from now on (or from the beginning) and gives each to `see` until it says false
  /// or nothing came for `idle_ms_max`.
  [[nodiscard]] Status follow(const std::string& topic, bool from_beginning, int idle_ms_max,
                              const std::function<bool(const KafkaProbeRecord&)>& see);

 private:
  explicit KafkaProbe(std::string bootstrap_servers)
      : bootstrap_servers_(std::move(bootstrap_servers)) {}
  Result<rd_kafka_s*> producer();
  Result<rd_kafka_s*> transactional_producer();
  Result<rd_kafka_s*> consumer() const;

  const std::string bootstrap_servers_;
  rd_kafka_s* producer_ = nullptr;
  std::map<std::string, rd_kafka_topic_s*> topics_;  ///< of producer_: a first write waits for one
  rd_kafka_s* transactional_producer_ = nullptr;
};

}  // namespace millrace::connectors
