#pragma once

#include "millrace/error.hpp"

#include "connectors/kafka_settings.hpp"

#include <stop_token>

namespace millrace::connectors {

/// Knocks at the brokers with TLS where these settings have none, and without where they have it:
/// kInvalidArgument, with the setting that would be right, when one answers to that; good
/// otherwise. Says nothing of us, no password and no key. Blocks for a few seconds at most.
[[nodiscard]] Status check_kafka_layer(const KafkaSettings& settings, std::stop_token cancelled);

}  // namespace millrace::connectors
