#pragma once

#include "connectors/connector_context.hpp"
#include "formats/table_rows.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"
#include "stream/table.hpp"

#include <memory>
#include <string>

namespace millrace::connectors {

/// What analysis must know of a table that is read. Checks the connector's name and every option
/// name and value that can be checked without asking anybody: kNotFound and kInvalidArgument name
/// the nearest valid one.
[[nodiscard]] Result<stream::TableTraits> source_traits(const stream::TableDefinition& table);
/// The same for a table that is written.
[[nodiscard]] Result<stream::TableTraits> sink_traits(const stream::TableDefinition& table);

/// Opens the source of a stream. `context.clock` outlives it.
[[nodiscard]] Result<std::unique_ptr<stream::Source>> make_source(const stream::SourceSpec& spec,
                                                                  const ConnectorContext& context);
/// Opens a sink. `context.clock` outlives it.
[[nodiscard]] Result<std::unique_ptr<stream::Sink>> make_sink(const stream::SinkSpec& spec,
                                                              const ConnectorContext& context);

/// Reads a whole static table.
[[nodiscard]] Result<formats::TableRows> load_static(const stream::TableDefinition& table);

/// What changes when a static table does: to be compared, without meaning otherwise.
[[nodiscard]] Result<std::string> static_stamp(const stream::TableDefinition& table);

}  // namespace millrace::connectors
