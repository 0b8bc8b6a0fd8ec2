#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "operators/bad_records.hpp"
#include "operators/static_table.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::operators {

/// Decides which candidates of a left, semi or anti join are matches, where equal keys are not the
/// whole condition. Candidates come row by row, kNoRow behind each row's last; a row's may be
/// spread over several calls. Where the condition fails on a pair of rows, the stream's row is bad:
/// it goes as the policy for bad records says, with all its pairs that are not on their way yet.
class JoinResidual {
 public:
  /// The desk is a borrow that outlives this.
  JoinResidual(const stream::ResidualSpec& spec, stream::StaticJoinKind kind,
               std::shared_ptr<const StaticTable> table, BadRecords& bad_records);

  /// Looks into another version of the table from the next batch on.
  void set_table(std::shared_ptr<const StaticTable> table) { table_ = std::move(table); }
  /// A new batch: no row of it has matched yet.
  void begin() {
    has_matched_ = false;
    has_bad_rows_ = false;
  }
  /// Keeps the pairs that go on: matches (of a semi join the first), and kNoRow of rows without a
  /// match where the join's kind wants those.
  [[nodiscard]] Status settle(const Batch& rows, std::vector<std::uint32_t>& stream_rows,
                              std::vector<std::uint32_t>& table_rows);

 private:
  [[nodiscard]] Status take_failures(const Batch& rows, std::span<const std::uint32_t> stream_rows,
                                     std::span<const std::uint32_t> table_rows);
  [[nodiscard]] bool goes_on(bool is_match, bool is_end);

  stream::StaticJoinKind kind_;
  std::shared_ptr<const StaticTable> table_;
  std::vector<std::size_t> stream_columns_;
  std::vector<std::size_t> table_columns_;
  BatchPool pool_;
  stream::ExpressionEvaluator predicate_;
  BadRecords& bad_records_;
  stream::EvaluationContext context_;
  bool has_matched_ = false;   ///< the row at hand
  bool has_bad_rows_ = false;  ///< then these are known
  stream::RowSet bad_rows_;
};

}  // namespace millrace::operators
