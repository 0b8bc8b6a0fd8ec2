#pragma once

#include "connectors/connector_context.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"

#include <memory>

namespace millrace::connectors {

/// What analysis must know of a file that dead letters are written to, or why its path cannot be.
[[nodiscard]] Result<stream::TableTraits> line_file_sink_traits(
    const stream::TableDefinition& table);

/// Opens a file (option path) to which each row's `value` is appended as one line. The file is made
/// when it is missing; its folder must be there. An epoch counts as flushed when its lines are on
/// disk. Writing is done by a thread of the sink's own, which sleeps while there is nothing.
/// `context.clock` outlives the sink.
[[nodiscard]] Result<std::unique_ptr<stream::Sink>> make_line_file_sink(
    const stream::SinkSpec& spec, const ConnectorContext& context);

}  // namespace millrace::connectors
