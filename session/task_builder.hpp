#pragma once

#include "actors/source_input.hpp"
#include "actors/task.hpp"
#include "operators/bad_record_log.hpp"
#include "operators/stage_metrics.hpp"
#include "session/query_builder.hpp"
#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace millrace::session {

/// A task and what it counts, which outlives it.
struct BuiltTask {
  std::unique_ptr<operators::StageMetrics> metrics;
  std::unique_ptr<actors::Task> task;
};

/// Where a task begins.
struct TaskStart {
  std::int64_t position = 0;
  std::deque<actors::FixedRange> replay;  ///< epochs to read again, first
  Epoch first_epoch{};
  std::int64_t end = stream::kNoLimit;  ///< first position that is not read any more
  std::string memo;                     ///< SourceReader::memo() at `position`
};

/// Builds the tasks of one query, when it starts and later: a reader of one source partition and
/// the chain behind it. Owned by who builds; one thread at a time. Sources, sinks and clock are
/// borrows that outlive the tasks.
class TaskBuilder {
 public:
  TaskBuilder(std::vector<stream::ChainSpec> chains, ConnectorFactory connectors,
              const Clock& clock, std::shared_ptr<operators::BadRecordLog> bad_record_log,
              std::size_t rows_max, actors::SourceDrive drive)
      : chains_(std::move(chains)),
        connectors_(std::move(connectors)),
        clock_(clock),
        bad_record_log_(std::move(bad_record_log)),
        rows_max_(rows_max),
        drive_(drive) {}

  /// The name by which writers that resume know a source partition. Before the first task.
  using HistoryName =
      std::function<std::string(const std::string& source, const std::string& partition)>;
  void name_histories(HistoryName name) { history_name_ = std::move(name); }
  /// The sink that a table is written by.
  void add_sink(const std::string& table, stream::Sink& sink) { sinks_[table] = &sink; }
  [[nodiscard]] stream::Sink* sink_of(const std::string& table) const;
  /// A task for one partition of a chain's source. Fetching begins at once. Ids ascend from 0.
  [[nodiscard]] Result<BuiltTask> build(std::size_t chain, stream::Source& source,
                                        const stream::SourcePartition& partition, TaskStart start);
  [[nodiscard]] const std::string& source_name(std::size_t chain) const {
    return chains_[chain].source.table.name;
  }

 private:
  [[nodiscard]] Status resume(stream::SinkWriter& writer, stream::WriterPlace place) const;

  const std::vector<stream::ChainSpec> chains_;
  const ConnectorFactory connectors_;
  const Clock& clock_;
  const std::shared_ptr<operators::BadRecordLog> bad_record_log_;  ///< shared by all tasks
  const std::size_t rows_max_;
  const actors::SourceDrive drive_;
  std::map<std::string, stream::Sink*> sinks_;
  HistoryName history_name_;  ///< empty: no sink resumes
  std::int32_t next_id_ = 0;
};

}  // namespace millrace::session
