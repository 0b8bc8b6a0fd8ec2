#include "connectors/connector_registry.hpp"

#include "millrace/options.hpp"

#include "connectors/file_table.hpp"
#include "connectors/host_connector.hpp"
#include "connectors/kafka_sink.hpp"
#include "connectors/kafka_source.hpp"
#include "connectors/line_file_sink.hpp"
#include "stream/plan/dead_letter_planning.hpp"
#include "stream/plan/values_table.hpp"

#include <fmt/format.h>

#include <array>

namespace millrace::connectors {
namespace {

using stream::TableDefinition;
using stream::TableTraits;

// One connector; what it cannot do is null.
struct Connector {
  std::string_view name;
  Result<TableTraits> (*source_traits)(const TableDefinition&);
  Result<TableTraits> (*sink_traits)(const TableDefinition&);
  Result<std::unique_ptr<stream::Source>> (*make_source)(const stream::SourceSpec&,
                                                         const ConnectorContext&);
  Result<std::unique_ptr<stream::Sink>> (*make_sink)(const stream::SinkSpec&,
                                                     const ConnectorContext&);
  Result<formats::TableRows> (*load_static)(const TableDefinition&);
};

constexpr std::array kConnectors = {
    Connector{"kafka", kafka_source_traits, kafka_sink_traits, make_kafka_source, make_kafka_sink,
              nullptr},
    Connector{"file", file_table_traits, nullptr, nullptr, nullptr, load_file_table},
    Connector{"memory", host_source_traits, host_sink_traits, make_host_source, make_host_sink,
              load_host_table},
    Connector{"channel", host_source_traits, host_sink_traits, make_host_source, make_host_sink,
              nullptr},
};

// Not for tables of users', so no error names it.
constexpr Connector kDeadLetterFile = {stream::kDeadLetterFileConnector,
                                       nullptr,
                                       line_file_sink_traits,
                                       nullptr,
                                       make_line_file_sink,
                                       nullptr};

Result<const Connector*> find(const TableDefinition& table) {
  if (table.connector == kDeadLetterFile.name) return &kDeadLetterFile;
  std::vector<std::string_view> names;
  for (const auto& connector : kConnectors) {
    if (connector.name == table.connector) return &connector;
    names.push_back(connector.name);
  }
  if (table.connector.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("table {} names no connector; there are: {}", table.name,
                            fmt::join(names, ", ")));
  }
  const auto nearest = nearest_name(table.connector, names);
  return fail(
      ErrorCode::kNotFound,
      fmt::format("table {} names an unknown connector: {} ({})", table.name, table.connector,
                  nearest ? "the nearest is " + *nearest
                          : fmt::format("there are: {}", fmt::join(names, ", "))));
}

tl::unexpected<Error> cannot(const TableDefinition& table, std::string_view doing) {
  return fail(ErrorCode::kNotSupported,
              fmt::format("table {}: connector {} cannot {}", table.name, table.connector, doing));
}

// An error of an option, or of what a static table is read from, says which table it is about.
template <typename T>
Result<T> named(const TableDefinition& table, Result<T> result) {
  if (result) return result;
  return fail(result.error().code, fmt::format("table {}: {}", table.name, result.error().message));
}

}  // namespace

Result<TableTraits> source_traits(const TableDefinition& table) {
  MILLRACE_ASSIGN(const auto* connector, find(table));
  if (connector->source_traits == nullptr) return cannot(table, "be read");
  return named(table, connector->source_traits(table));
}

Result<TableTraits> sink_traits(const TableDefinition& table) {
  MILLRACE_ASSIGN(const auto* connector, find(table));
  if (connector->sink_traits == nullptr) return cannot(table, "be written");
  return named(table, connector->sink_traits(table));
}

Result<std::unique_ptr<stream::Source>> make_source(const stream::SourceSpec& spec,
                                                    const ConnectorContext& context) {
  MILLRACE_ASSIGN(const auto* connector, find(spec.table));
  if (connector->make_source == nullptr) return cannot(spec.table, "be read as a stream");
  return connector->make_source(spec, context);
}

Result<std::unique_ptr<stream::Sink>> make_sink(const stream::SinkSpec& spec,
                                                const ConnectorContext& context) {
  MILLRACE_ASSIGN(const auto* connector, find(spec.table));
  if (connector->make_sink == nullptr) return cannot(spec.table, "be written");
  return connector->make_sink(spec, context);
}

Result<formats::TableRows> load_static(const TableDefinition& table) {
  if (table.connector == stream::kInlineConnector) return load_host_table(table);
  MILLRACE_ASSIGN(const auto* connector, find(table));
  if (connector->load_static == nullptr) return cannot(table, "be read as a static table");
  return named(table, connector->load_static(table));
}

Result<std::string> static_stamp(const TableDefinition& table) {
  if (table.connector != "file") return cannot(table, "be read anew");
  return named(table, file_table_stamp(table));
}

}  // namespace millrace::connectors
