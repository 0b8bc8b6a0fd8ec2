#pragma once

#include "operators/bad_records.hpp"
#include "operators/operator.hpp"
#include "operators/passed_columns.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <vector>

namespace millrace::operators {

/// Makes one output column per expression. A column that only goes on changes hands without a
/// copy; a second use of it, and everything computed, is written into a column of the new batch.
class ProjectOperator final : public Operator {
 public:
  /// The desk is a borrow that outlives the operator.
  ProjectOperator(const stream::ProjectSpec& spec, BadRecords& bad_records);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  struct Computed {
    std::size_t target;
    stream::ExpressionEvaluator expression;
  };

  BatchPool pool_;
  std::vector<Computed> computed_;
  PassedColumns passed_;
  BadRecords& bad_records_;
  stream::EvaluationContext context_;
};

}  // namespace millrace::operators
