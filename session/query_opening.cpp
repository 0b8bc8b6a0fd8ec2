#include "session/query_opening.hpp"

#include "connectors/connector_registry.hpp"
#include "formats/json_document.hpp"
#include "operators/static_table.hpp"

#include <map>
#include <utility>

namespace millrace::session {

namespace {

/// What must stay the same for a checkpoint to be this query's: the sources and what they read. A
/// stateless query may change everything else (semantics ).
std::string identity_of(const stream::PhysicalPlan& plan) {
  formats::JsonValue sources = formats::JsonValue::object();
  for (const stream::ChainSpec& chain : plan.chains) {
    const stream::TableDefinition& table = chain.source.table;
    formats::JsonValue source = formats::JsonValue::object();
    source.set("connector", table.connector);
    for (const char* option : {"topic", "subscribe", "subscribe_pattern", "assign"})
      if (const auto value = table.options.get(option)) source.set(option, *value);
    sources.set(table.name, std::move(source));
  }
  formats::JsonValue identity = formats::JsonValue::object();
  identity.set("sources", std::move(sources));
  return identity.dump();
}

/// Tables are loaded once per query and shared by its tasks.
class StaticTables {
 public:
  Result<std::shared_ptr<const operators::StaticTable>> load(const stream::StaticJoinSpec& spec) {
    std::string key = spec.table.name;
    for (const std::size_t column : spec.table_keys) key += '\0' + std::to_string(column);
    if (const auto found = loaded_.find(key); found != loaded_.end()) return found->second;
    MILLRACE_ASSIGN(formats::TableRows rows, connectors::load_static(spec.table));
    MILLRACE_ASSIGN(std::shared_ptr<const operators::StaticTable> table,
                    operators::StaticTable::build(std::move(rows), spec.table_keys));
    loaded_.emplace(std::move(key), table);
    return table;
  }

 private:
  std::map<std::string, std::shared_ptr<const operators::StaticTable>> loaded_;
};

}  // namespace

Result<BuiltQuery> open_query(const stream::PhysicalPlan& plan, const QuerySettings& settings,
                              const QueryEnvironment& environment, const OpeningPlace& place) {
  const connectors::ConnectorContext context{*environment.clock, environment.log,
                                             environment.cancelled};
  StaticTables tables;
  ConnectorFactory connectors;
  connectors.make_source = [&context](const stream::SourceSpec& spec) {
    return connectors::make_source(spec, context);
  };
  connectors.make_sink = [&context](const stream::SinkSpec& spec) {
    return connectors::make_sink(spec, context);
  };
  connectors.load_table = [&tables](const stream::StaticJoinSpec& spec) {
    return tables.load(spec);
  };

  BuildSettings build;
  build.clock = environment.clock;
  build.log = environment.log;
  build.disk = place.disk;
  build.checkpoint_folder = settings.checkpoint_folder;
  build.plan_identity = identity_of(plan);
  build.seed = place.seed;
  build.rows_max = place.rows_max;
  MILLRACE_ASSIGN(build.trigger, triggers::parse_trigger(settings.trigger));
  return build_query(plan, connectors, build);
}

}  // namespace millrace::session
