#pragma once

#include "connectors/connector_context.hpp"
#include "formats/table_rows.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"
#include "stream/table.hpp"

#include <memory>

namespace millrace::connectors {

// The connectors `memory` and `channel`: tables whose rows the host program holds. A definition of
// one carries the program's object; one that came from SQL alone has none and is refused, naming
// what makes one.

[[nodiscard]] Result<stream::TableTraits> host_source_traits(const stream::TableDefinition& table);
[[nodiscard]] Result<stream::TableTraits> host_sink_traits(const stream::TableDefinition& table);
[[nodiscard]] Result<std::unique_ptr<stream::Source>> make_host_source(
    const stream::SourceSpec& spec, const ConnectorContext& context);
[[nodiscard]] Result<std::unique_ptr<stream::Sink>> make_host_sink(const stream::SinkSpec& spec,
                                                                   const ConnectorContext& context);
[[nodiscard]] Result<formats::TableRows> load_host_table(const stream::TableDefinition& table);

}  // namespace millrace::connectors
