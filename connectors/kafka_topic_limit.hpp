#pragma once

#include "connectors/kafka_client.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace millrace::connectors {

/// How many bytes of records in one batch a topic takes at most: asks the cluster for the topic's
/// setting max.message.bytes. Empty when the cluster does not say (it may not be asked, or does not
/// know the request): the limit then shows when it refuses something. Blocks for some seconds at
/// most; starting thread, or the task's that meets a topic for the first time.
[[nodiscard]] std::optional<std::int64_t> fetch_kafka_topic_limit(const KafkaClient& client,
                                                                  const std::string& topic);

}  // namespace millrace::connectors
