#pragma once

#include "millrace/log.hpp"

#include "actors/query_parts.hpp"
#include "operators/stage_metrics.hpp"
#include "operators/table_versions.hpp"
#include "session/table_reloader.hpp"
#include "state/disk.hpp"
#include "stream/plan/physical_plan.hpp"
#include "triggers/trigger.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::session {

/// Where a query's connectors come from: the real ones, or doubles in tests and the simulator.
struct ConnectorFactory {
  std::function<Result<std::unique_ptr<stream::Source>>(const stream::SourceSpec&)> make_source;
  std::function<Result<std::unique_ptr<stream::Sink>>(const stream::SinkSpec&)> make_sink;
  std::function<Result<std::shared_ptr<const operators::StaticTable>>(
      const stream::StaticJoinSpec&)>
      load_table;
  /// See operators::ChainContext; may be empty.
  std::function<std::shared_ptr<operators::TableVersions>(const stream::StaticJoinSpec&)>
      table_versions;
};

/// What a query is built from besides its plan. Clock and disk are borrows that outlive the parts.
struct BuildSettings {
  const Clock* clock = nullptr;
  LogFunction log;                ///< never empty
  state::Disk* disk = nullptr;    ///< used when there is a checkpoint folder
  std::string checkpoint_folder;  ///< empty: nothing is kept
  std::string plan_identity;      ///< JSON; a checkpoint of another identity is refused
  std::string plan_details = "{}";
  std::uint64_t seed = 0;  ///< of checkpoint and attempt ids
  triggers::Trigger trigger;
  bool async_progress = false;           ///< plans do not wait for the checkpoint's disk
  std::size_t rows_max = kBatchRowsMax;  ///< rows in a source's batches
};

class LateTasks;

/// How a query's progress calls things.
struct ProgressLabels {
  std::string query;
  std::string id;
  std::string run_id;
  std::vector<std::pair<std::string, std::string>> sources;  ///< name and description
  std::string sink;
};

/// A query ready to be hosted by a runtime.
struct BuiltQuery {
  BuiltQuery();
  BuiltQuery(BuiltQuery&& other) noexcept;
  BuiltQuery& operator=(BuiltQuery&& other) noexcept;
  ~BuiltQuery();

  actors::QueryParts parts;
  std::vector<std::unique_ptr<operators::StageMetrics>> metrics;  ///< one per task; outlive parts
  std::unique_ptr<LateTasks> late_tasks;    ///< for partitions that come later; gone before parts
  std::unique_ptr<TableReloader> reloader;  ///< runs; null when no table is read anew
  Epoch durable{};                          ///< the newest that is, by the checkpoint; or -1
  ProgressLabels labels;
  std::string summary;  ///< "4 partitions of clicks, from epoch 17"
};

/// Opens sources, sinks, static tables and the checkpoint, recovers, builds one task per source
/// partition and primes the connectors. What a start fixes for good is left for the runtime's
/// begin, so that one that comes to nothing, of this query or of one started with it, fixes
/// nothing.
[[nodiscard]] Result<BuiltQuery> build_query(const stream::PhysicalPlan& plan,
                                             const ConnectorFactory& connectors,
                                             const BuildSettings& settings);

}  // namespace millrace::session
