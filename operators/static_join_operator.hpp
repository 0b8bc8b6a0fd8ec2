#pragma once

#include "operators/bad_records.hpp"
#include "operators/operator.hpp"
#include "operators/passed_columns.hpp"
#include "operators/static_table.hpp"
#include "operators/table_versions.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/physical_plan.hpp"

#include <memory>
#include <vector>

namespace millrace::operators {

/// Inner join of the stream with a table in memory, on equality of keys. Each row of the stream is
/// followed by its matches in the table's row order; null keys match nothing. More matches than a
/// batch may have rows go on as several batches.
class StaticJoinOperator final : public Operator {
 public:
  /// The desk is a borrow that outlives the operator. `versions` is given for a table that changes:
  /// each epoch then sees one version of it, settled when its first rows come.
  StaticJoinOperator(const stream::StaticJoinSpec& spec, std::shared_ptr<const StaticTable> table,
                     BadRecords& bad_records, std::shared_ptr<TableVersions> versions = nullptr,
                     Epoch first_epoch = Epoch());

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;
  [[nodiscard]] Status on_epoch_end(const EpochInfo& info, Emitter& out) override;

 private:
  [[nodiscard]] Status find_matches(Batch& rows, Emitter& out);
  [[nodiscard]] bool has_null_key(std::size_t row) const;
  void fill(Batch& rows, Batch& result);
  [[nodiscard]] Status emit_part(Batch& rows, Emitter& out);
  [[nodiscard]] Status emit_last(Batch& rows, Emitter& out);

  BatchPool pool_;
  std::shared_ptr<const StaticTable> table_;
  const std::shared_ptr<TableVersions> versions_;
  Epoch epoch_;              ///< of the rows that come now
  bool has_version_ = true;  ///< `table_` is what the epoch sees
  std::vector<stream::ExpressionEvaluator> keys_;
  std::vector<std::size_t> stream_columns_;
  std::vector<std::size_t> table_columns_;
  PassedColumns passed_;  ///< the stream's columns, when every row goes on once
  BadRecords& bad_records_;
  stream::EvaluationContext context_;

  // Of the batch at hand; their memory is kept.
  std::vector<const Column*> key_values_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> stream_rows_;  ///< per match, ascending
  std::vector<std::uint32_t> table_rows_;   ///< per match
  std::vector<std::int64_t> positions_;
};

}  // namespace millrace::operators
