#pragma once

#include "operators/bad_records.hpp"
#include "operators/operator.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/plan/physical_plan.hpp"

namespace millrace::operators {

/// Keeps the rows for which a condition is true, in place: not those for which it is false or null.
class FilterOperator final : public Operator {
 public:
  /// The desk is a borrow that outlives the operator.
  FilterOperator(const stream::FilterSpec& spec, BadRecords& bad_records);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  stream::ExpressionEvaluator predicate_;
  BadRecords& bad_records_;
  stream::EvaluationContext context_;
};

}  // namespace millrace::operators
