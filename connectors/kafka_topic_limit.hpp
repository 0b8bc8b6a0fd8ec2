#pragma once

#include "connectors/kafka_client.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace millrace::connectors {

/// How many bytes of records in one batch each topic takes at most: asks the cluster for the
/// topics' setting max.message.bytes. A topic is missing when the cluster does not say (it may not
/// be asked, or does not know the request): the limit then shows when it refuses something. Blocks
/// for some seconds at most.
[[nodiscard]] std::map<std::string, std::int64_t> fetch_kafka_topic_limits(
    const KafkaClient& client, const std::vector<std::string>& topics);

}  // namespace millrace::connectors
