#pragma once

#include "connectors/kafka_probe.hpp"

#include <string>
#include <utility>
#include <vector>

namespace millrace::support {

/// A record for one partition, without a key.
inline connectors::KafkaProbeRecord value_in(std::int32_t partition, std::string value,
                                             std::int64_t time_ms = 0) {
  connectors::KafkaProbeRecord record;
  record.partition = partition;
  record.value = std::move(value);
  record.timestamp_ms = time_ms;
  return record;
}

/// "null" for a null value.
inline std::vector<std::string> values_of(
    const std::vector<connectors::KafkaProbeRecord>& records) {
  std::vector<std::string> values;
  for (const auto& record : records) values.push_back(record.value.value_or("null"));
  return values;
}

}  // namespace millrace::support
