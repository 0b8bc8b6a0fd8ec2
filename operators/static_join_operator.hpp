#pragma once

#include "operators/bad_records.hpp"
#include "operators/join_candidates.hpp"
#include "operators/join_residual.hpp"
#include "operators/operator.hpp"
#include "operators/picked_rows.hpp"
#include "operators/static_table.hpp"
#include "operators/table_versions.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace millrace::operators {

/// Join of the stream with a table in memory. Each row of the stream is followed by its matches in
/// the table's row order, or stands for itself where the kind of join says so. More matches than a
/// batch may have rows go on as several batches.
class StaticJoinOperator final : public Operator {
 public:
  /// The desk is a borrow that outlives the operator. `versions` is given for a table that changes:
  /// each epoch then sees one version of it, settled when its first rows come.
  StaticJoinOperator(const stream::StaticJoinSpec& spec, std::shared_ptr<const StaticTable> table,
                     BadRecords& bad_records, std::shared_ptr<TableVersions> versions = nullptr,
                     Epoch first_epoch = Epoch());

  void on_join(Epoch first) override { epoch_ = first; }
  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;
  [[nodiscard]] Status on_epoch_end(const EpochInfo& info, Emitter& out) override;

 private:
  void settle_version();
  void fill_table_columns(Batch& result);
  [[nodiscard]] Status emit(Batch& rows, bool is_last, Emitter& out);

  BatchPool pool_;
  std::shared_ptr<const StaticTable> table_;
  const std::shared_ptr<TableVersions> versions_;
  Epoch epoch_;              ///< of the rows that come now
  bool has_version_ = true;  ///< `table_` is what the epoch sees
  BadRecords& bad_records_;
  JoinCandidates candidates_;
  std::optional<JoinResidual> residual_;
  std::size_t passed_columns_;
  std::vector<std::size_t> table_columns_;
  PickedRows picked_;

  // Of the batch at hand; their memory is kept.
  std::vector<std::uint32_t> stream_rows_;  ///< per match, ascending
  std::vector<std::uint32_t> table_rows_;   ///< per match
};

}  // namespace millrace::operators
