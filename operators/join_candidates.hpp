#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "operators/static_table.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::operators {

/// What is told of the rows that a batch's rows are matched with.
enum class CandidateMode {
  kAll,        ///< every candidate
  kAllOrNone,  ///< every candidate; kNoRow for a row without one
  kAllAndEnd,  ///< every candidate, then kNoRow behind each row's last
  kFirst,      ///< the first candidate alone
  kNone,       ///< kNoRow for a row without candidates, nothing for others
};

/// Finds the table's rows that may match a batch's rows: those with equal keys, or all of them when
/// there are no keys. Candidates come row by row, in the table's order.
class JoinCandidates {
 public:
  JoinCandidates(const stream::StaticJoinSpec& spec, std::shared_ptr<const StaticTable> table,
                 CandidateMode mode, stream::EvaluationContext::OnError on_error);

  /// Looks into another version of the table from the next batch on.
  void set_table(std::shared_ptr<const StaticTable> table) { table_ = std::move(table); }
  /// Takes up a batch: `fill` speaks of its rows then.
  [[nodiscard]] Status begin(Batch& rows);
  /// The rows of the batch on whose keys an expression failed.
  [[nodiscard]] const stream::EvaluationContext& failures() const { return context_; }
  /// Replaces the lists by the next pairs, at most kBatchRowsMax. True when there are more.
  bool fill(std::vector<std::uint32_t>& stream_rows, std::vector<std::uint32_t>& table_rows);

 private:
  [[nodiscard]] std::uint32_t first_candidate(std::size_t row) const;
  [[nodiscard]] std::uint32_t next_candidate(std::uint32_t candidate) const;
  [[nodiscard]] bool has_null_key(std::size_t row) const;
  void enter_row();
  void advance();

  std::shared_ptr<const StaticTable> table_;
  CandidateMode mode_;
  std::vector<stream::ExpressionEvaluator> keys_;
  std::vector<bool> is_null_safe_;  ///< per key
  stream::EvaluationContext context_;

  // Of the batch at hand; their memory is kept.
  std::vector<const Column*> key_values_;
  std::vector<std::uint64_t> hashes_;
  std::size_t rows_ = 0;
  std::size_t row_ = 0;          ///< the pair to come: its row, rows_ at the end
  std::uint32_t candidate_ = 0;  ///< and its candidate or kNoRow
};

}  // namespace millrace::operators
