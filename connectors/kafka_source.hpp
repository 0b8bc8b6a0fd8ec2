#pragma once

#include "connectors/connector_context.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/source.hpp"

#include <memory>

namespace millrace::connectors {

/// What analysis must know of a Kafka source, or why its options cannot be right (an unknown name,
/// a bad value): found before anything is read.
[[nodiscard]] Result<stream::TableTraits> kafka_source_traits(const stream::TableDefinition& table);

/// Opens a source over one or more topics: one client, explicit positions, one queue per partition.
/// No consumer group: what has been read is the checkpoint's business. Nothing is asked of the
/// brokers yet. `context.clock` outlives the source.
[[nodiscard]] Result<std::unique_ptr<stream::Source>> make_kafka_source(
    const stream::SourceSpec& spec, const ConnectorContext& context);

}  // namespace millrace::connectors
