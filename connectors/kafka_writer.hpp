#pragma once

#include "connectors/kafka_producer.hpp"
#include "stream/sink.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>

namespace millrace::connectors {

/// One task's way into a Kafka sink: turns the rows of a batch into produced records, in order.
/// Reads the columns value, key, headers, timestamp, topic and partition of its schema; nothing
/// inside a value steers a record. Owned and called by its task's thread.
class KafkaWriter final : public stream::SinkWriter {
 public:
  /// `topic` is where records go, or empty when the schema has a topic column. The producer has
  /// been primed and outlives the writer. `keeps_partitions`: a record without key and partition
  /// goes to the partition of its source's number (modulo), so that where it goes never depends on
  /// chance and a source partition stays in order; else the client's partitioner decides.
  [[nodiscard]] static Result<std::unique_ptr<KafkaWriter>> open(KafkaProducer& producer,
                                                                 const std::string& topic,
                                                                 const SchemaRef& schema,
                                                                 bool keeps_partitions);

  [[nodiscard]] bool is_ready() override { return producer_.is_ready(); }
  [[nodiscard]] Status write(const Batch& rows, Epoch epoch) override;

 private:
  struct Columns {
    std::size_t value = 0;
    std::optional<std::size_t> key;
    std::optional<std::size_t> headers;
    std::optional<std::size_t> timestamp;
    std::optional<std::size_t> topic;
    std::optional<std::size_t> partition;
  };

  KafkaWriter(KafkaProducer& producer, Columns columns, rd_kafka_topic_t* topic,
              std::int32_t keyless_partitions)
      : producer_(producer),
        columns_(columns),
        topic_(topic),
        keyless_partitions_(keyless_partitions) {}

  static Result<Columns> find_columns(const Schema& schema);
  [[nodiscard]] std::int64_t bytes_of(const Batch& rows, std::size_t row) const;
  Status write_row(const Batch& rows, std::size_t row, void* word, EpochLedger::Slot slot,
                   std::int64_t bytes);
  Result<rd_kafka_topic_t*> topic_of(const Batch& rows, std::size_t row);
  Result<std::int32_t> partition_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] std::int32_t default_partition_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] std::int64_t timestamp_ms_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] rd_kafka_headers_t* headers_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] Error row_error(const Batch& rows, std::size_t row, std::string_view topic,
                                std::string_view reason) const;

  KafkaProducer& producer_;
  const Columns columns_;
  rd_kafka_topic_t* const topic_;          ///< null: each row names its topic
  const std::int32_t keyless_partitions_;  ///< of topic_; 0: the client chooses
  std::map<std::string, rd_kafka_topic_t*, std::less<>> topics_;
};

}  // namespace millrace::connectors
