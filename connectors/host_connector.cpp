#include "connectors/host_connector.hpp"

#include "millrace/host_table.hpp"

#include "stream/host_table.hpp"

#include <fmt/format.h>

#include <array>

namespace millrace::connectors {
namespace {

using stream::HostRole;

constexpr auto kSinkOptions = std::to_array<std::string_view>({"exactly_once"});

Status check_has_host(const stream::TableDefinition& table) {
  if (table.host != nullptr) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("connector '{}' is a table of the host program: make it there (millrace/"
                          "{}.hpp) and name it with Session::create_table",
                          table.connector, table.connector));
}

}  // namespace

Result<stream::TableTraits> host_source_traits(const stream::TableDefinition& table) {
  MILLRACE_TRY(check_has_host(table));
  if (table.host->role() == HostRole::kSink) {
    return fail(ErrorCode::kNotSupported,
                fmt::format("{} {} is a sink and cannot be read", table.connector, table.name));
  }
  MILLRACE_TRY(table.options.check_known(table.connector + " source", {}));
  stream::TableTraits traits;
  traits.is_stream = table.host->role() == HostRole::kSource;
  return traits;
}

Result<stream::TableTraits> host_sink_traits(const stream::TableDefinition& table) {
  MILLRACE_TRY(check_has_host(table));
  if (table.host->role() != HostRole::kSink) {
    return fail(ErrorCode::kNotSupported,
                fmt::format("{} {} is no sink and cannot be written", table.connector, table.name));
  }
  MILLRACE_TRY(table.options.check_known(table.connector + " sink", kSinkOptions));
  return stream::TableTraits{};
}

Result<std::unique_ptr<stream::Source>> make_host_source(const stream::SourceSpec& spec,
                                                         const ConnectorContext& context) {
  MILLRACE_TRY(check_has_host(spec.table));
  return spec.table.host->open_source(context.clock);
}

Result<std::unique_ptr<stream::Sink>> make_host_sink(const stream::SinkSpec& spec,
                                                     const ConnectorContext& context) {
  MILLRACE_TRY(check_has_host(spec.table));
  return spec.table.host->open_sink(spec.schema, context.clock);
}

Result<formats::TableRows> load_host_table(const stream::TableDefinition& table) {
  MILLRACE_TRY(check_has_host(table));
  formats::TableRows rows(make_schema(table.columns));
  MILLRACE_ASSIGN(rows.rows, table.host->load(rows.columns, rows.arena));
  return rows;
}

}  // namespace millrace::connectors

namespace millrace {

const std::string& HostTable::name() const { return host_->name(); }

const std::vector<Field>& HostTable::columns() const { return host_->columns(); }

}  // namespace millrace
