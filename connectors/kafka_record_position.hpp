#pragma once

#include "formats/record_position.hpp"

#include <librdkafka/rdkafka.h>

#include <optional>

namespace millrace::connectors {

/// The position that a message bears in its header; nothing when it bears none.
[[nodiscard]] std::optional<formats::RecordPosition> record_position_of(
    const rd_kafka_message_t& message);

}  // namespace millrace::connectors
