#pragma once

#include "millrace/data_type.hpp"

#include "stream/table.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace millrace::connectors {

/// The columns of a Kafka record, in the order of kafka_record_fields().
enum class KafkaColumn {
  kKey,
  kValue,
  kTopic,
  kPartition,
  kOffset,
  kTimestamp,
  kTimestampType,  ///< 0: set by the producer, 1: set by the broker, -1: none
  kHeaders,        ///< keeps nulls, duplicates and order
};

/// Names and types of the record's columns: key, value, topic, partition, offset, timestamp,
/// timestampType, headers.
[[nodiscard]] const std::vector<Field>& kafka_record_fields();

/// The type of `headers`: array<struct<key string, value bytes>>.
[[nodiscard]] const DataType& kafka_headers_type();

/// What analysis must know of any table on Kafka, read or written: a stream whose rows are decoded
/// from a record's value.
[[nodiscard]] stream::TableTraits kafka_table_traits();

/// Finds a record column by its name in any case, with or without underscores.
[[nodiscard]] std::optional<KafkaColumn> kafka_column(std::string_view name);

}  // namespace millrace::connectors
