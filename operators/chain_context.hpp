#pragma once

#include "millrace/clock.hpp"
#include "millrace/error.hpp"

#include "operators/operator_waker.hpp"
#include "operators/stage_metrics.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"

#include <functional>
#include <memory>
#include <string>

namespace millrace::operators {

class BadRecordLog;
class BadRecords;
class StaticTable;
class TableVersions;

/// What operators are made with: the same for all operators of one task. Clock and metrics are
/// borrows that outlive the chain; the functions are called while it is built only.
struct ChainContext {
  const Clock* clock = nullptr;
  StageMetrics* metrics = nullptr;
  Epoch first_epoch{};  ///< the epoch that the first rows belong to
  /// Set by the chain: an operator that waits for results keeps it and lends it to who brings them.
  std::shared_ptr<OperatorWaker> waker;
  std::string source;                            ///< the source's name, for messages
  stream::BadRecordSpec bad_record_spec;         ///< what becomes of its bad records
  std::shared_ptr<BadRecordLog> bad_record_log;  ///< null: silence
  BadRecords* bad_records = nullptr;  ///< the task's desk; the chain makes it for its operators
  std::function<Result<std::unique_ptr<stream::SinkWriter>>(const stream::SinkSpec&)> open_writer;
  std::function<Result<std::shared_ptr<const StaticTable>>(const stream::StaticJoinSpec&)>
      static_table;
  /// For a table that is read anew while the query runs, else null; empty: there is none.
  std::function<std::shared_ptr<TableVersions>(const stream::StaticJoinSpec&)> table_versions;
};

}  // namespace millrace::operators
