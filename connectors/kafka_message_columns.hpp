#pragma once

#include "millrace/batch.hpp"

#include "connectors/kafka_record.hpp"

#include <librdkafka/rdkafka.h>

#include <span>
#include <vector>

namespace millrace::connectors {

/// Copies Kafka messages into the columns of a batch: only those asked for, bytes into the batch's
/// arena, the values of one batch side by side. Owned by a reader; called on its task's thread; no
/// allocation of its own once the batch is warm.
class KafkaMessageColumns {
 public:
  explicit KafkaMessageColumns(std::vector<KafkaColumn> columns) : columns_(std::move(columns)) {}

  /// Fills every column and the positions for `messages`, which are records, not errors.
  void fill(std::span<rd_kafka_message_t* const> messages, Batch& out) const;

 private:
  const std::vector<KafkaColumn> columns_;
};

/// What the record adds to a batch's bytes: key and value.
[[nodiscard]] inline std::size_t byte_count(const rd_kafka_message_t& message) {
  return message.key_len + message.len;
}

}  // namespace millrace::connectors
