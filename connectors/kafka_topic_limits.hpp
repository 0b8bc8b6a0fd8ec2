#pragma once

#include "connectors/kafka_client.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace millrace::connectors {

/// How large a batch of records each of these topics takes at most, by name: asks the cluster for
/// their setting max.message.bytes. A topic is missing in the answer when the cluster does not say
/// (it is not allowed to be asked, or does not know the request): its limit shows when it refuses
/// something. Blocks for some seconds at most; starting thread only.
[[nodiscard]] std::map<std::string, std::int64_t, std::less<>> fetch_kafka_topic_limits(
    const KafkaClient& client, const std::vector<std::string>& topics);

}  // namespace millrace::connectors
