#pragma once

#include "operators/bad_records.hpp"
#include "operators/operator.hpp"
#include "operators/picked_rows.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::operators {

/// Makes a row for every element of an array or entry of a map, in their order. More elements than
/// a batch may have rows go on as several batches.
class ExplodeOperator final : public Operator {
 public:
  /// The desk is a borrow that outlives the operator.
  ExplodeOperator(const stream::ExplodeSpec& spec, BadRecords& bad_records);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  [[nodiscard]] Status add_row(const Column& list, std::size_t row, Batch& rows, Emitter& out);
  [[nodiscard]] Status add(std::size_t row, std::uint32_t element, std::uint32_t place,
                           const Column& list, Batch& rows, Emitter& out);
  [[nodiscard]] Batch make_result(const Column& list);
  void fill_places(Column& column) const;

  BatchPool pool_;
  stream::ExpressionEvaluator list_;
  BadRecords& bad_records_;
  stream::EvaluationContext context_;
  bool keeps_empty_;
  bool has_position_;
  std::size_t passed_columns_;
  std::vector<std::size_t> made_columns_;
  PickedRows picked_;

  // Of the batch at hand, per output row; their memory is kept.
  std::vector<std::uint32_t> input_rows_;
  std::vector<std::uint32_t> elements_;  ///< rows of the list's children, or kNoRow
  std::vector<std::uint32_t> places_;    ///< in the list, from 0
};

}  // namespace millrace::operators
