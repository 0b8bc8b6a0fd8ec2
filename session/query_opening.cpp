#include "session/query_opening.hpp"

#include "connectors/connector_registry.hpp"
#include "operators/computed_columns.hpp"
#include "operators/static_table.hpp"
#include "session/delivery_check.hpp"
#include "session/plan_identity.hpp"
#include "session/table_reloader.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace millrace::session {

namespace {

Result<std::shared_ptr<const operators::StaticTable>> load_table(
    const stream::StaticJoinSpec& spec) {
  MILLRACE_ASSIGN(formats::TableRows rows, connectors::load_static(spec.table));
  MILLRACE_TRY(operators::add_computed(rows, spec.computed));
  return operators::StaticTable::build(std::move(rows), spec.table_keys, spec.null_safe_keys);
}

/// Tables are loaded once per query and shared by its tasks; those with the option `reload` again
/// when they change.
class StaticTables {
 public:
  explicit StaticTables(LogFunction log)
      : reloader_(std::make_unique<TableReloader>(
            TableReloader::Access{connectors::static_stamp, load_table}, std::move(log))) {}

  Result<std::shared_ptr<const operators::StaticTable>> load(const stream::StaticJoinSpec& spec) {
    const std::string key = key_of(spec);
    if (const auto found = loaded_.find(key); found != loaded_.end()) return found->second;
    MILLRACE_ASSIGN(const std::int64_t interval_ms,
                    spec.table.options.get_duration_ms("reload", 0));
    std::string stamp;
    if (interval_ms > 0) {
      MILLRACE_ASSIGN(stamp, connectors::static_stamp(spec.table));
    }
    MILLRACE_ASSIGN(std::shared_ptr<const operators::StaticTable> table, load_table(spec));
    if (interval_ms > 0) {
      versions_[key] = std::make_shared<operators::TableVersions>(table);
      reloader_->add(spec, versions_[key], std::move(stamp), interval_ms);
    }
    loaded_.emplace(key, table);
    return table;
  }

  std::shared_ptr<operators::TableVersions> versions(const stream::StaticJoinSpec& spec) const {
    const auto found = versions_.find(key_of(spec));
    return found == versions_.end() ? nullptr : found->second;
  }

  /// Who looks after the tables that change, running; null when there are none.
  std::unique_ptr<TableReloader> start_reloading() {
    if (reloader_->is_empty()) return nullptr;
    reloader_->start();
    return std::move(reloader_);
  }

 private:
  // A name alone does not tell tables apart: two files in two folders, two VALUES.
  static std::string key_of(const stream::StaticJoinSpec& spec) {
    std::string key = spec.table.name + '\0' + spec.table.connector + '\0' +
                      std::to_string(reinterpret_cast<std::uintptr_t>(spec.table.host.get()));
    for (const Field& field : spec.table_schema)
      key += '\0' + field.name + '\0' + field.type.to_string();
    for (const Options::Entry& entry : spec.table.options.entries())
      key += '\0' + entry.canonical + '\0' + entry.value;
    for (const stream::BoundExpr& computed : spec.computed)
      key += '\0' + computed.text + '\0' + computed.type.to_string();
    for (std::size_t i = 0; i < spec.table_keys.size(); ++i) {
      key += '\0' + std::to_string(spec.table_keys[i]);
      if (spec.null_safe_keys.contains(i)) key += '?';
    }
    return key;
  }

  std::map<std::string, std::shared_ptr<const operators::StaticTable>> loaded_;
  std::map<std::string, std::shared_ptr<operators::TableVersions>> versions_;
  std::unique_ptr<TableReloader> reloader_;
};

}  // namespace

Result<BuiltQuery> open_query(stream::PhysicalPlan plan, const QuerySettings& settings,
                              const QueryEnvironment& environment, const OpeningPlace& place) {
  // Tasks may be built while the query runs, too: what they need lives as long as they may come.
  const connectors::ConnectorContext context{*environment.clock, environment.log,
                                             environment.cancelled};
  const auto tables = std::make_shared<StaticTables>(environment.log);
  ConnectorFactory connectors;
  connectors.make_source = [context](const stream::SourceSpec& spec) {
    return connectors::make_source(spec, context);
  };
  connectors.make_sink = [context](const stream::SinkSpec& spec) {
    return connectors::make_sink(spec, context);
  };
  connectors.load_table = [tables](const stream::StaticJoinSpec& spec) {
    return tables->load(spec);
  };
  connectors.table_versions = [tables](const stream::StaticJoinSpec& spec) {
    return tables->versions(spec);
  };

  BuildSettings build;
  MILLRACE_ASSIGN(build.trigger, triggers::parse_trigger(settings.trigger));
  MILLRACE_TRY(check_delivery(plan, build.trigger, !settings.checkpoint_folder.empty()));
  extend_timeouts(plan, build.trigger);
  build.clock = environment.clock;
  build.log = environment.log;
  build.disk = place.disk;
  build.checkpoint_folder = settings.checkpoint_folder;
  build.plan_identity = identity_of(plan);
  build.plan_details = details_of(plan);
  build.seed = place.seed;
  build.rows_max = place.rows_max;
  build.async_progress = settings.async_progress;
  MILLRACE_ASSIGN(BuiltQuery built, build_query(plan, connectors, build));
  built.reloader = tables->start_reloading();
  return built;
}

}  // namespace millrace::session
