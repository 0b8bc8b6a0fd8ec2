#pragma once

#include "connectors/connector_context.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"

#include <memory>

namespace millrace::connectors {

/// What analysis must know of a Kafka sink, or why its options cannot be right (an unknown name, a
/// bad value): found before anything is read.
[[nodiscard]] Result<stream::TableTraits> kafka_sink_traits(const stream::TableDefinition& table);

/// Opens a sink: one idempotent producer for all tasks, batches clocked by acknowledgements.
/// Nothing is asked of the brokers before prime(). `context.clock` outlives the sink.
[[nodiscard]] Result<std::unique_ptr<stream::Sink>> make_kafka_sink(
    const stream::SinkSpec& spec, const ConnectorContext& context);

}  // namespace millrace::connectors
