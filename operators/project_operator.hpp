#pragma once

#include "operators/operator.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/physical_plan.hpp"

#include <vector>

namespace millrace::operators {

/// Makes one output column per expression. A column that only goes on changes hands without a
/// copy; a second use of it, and everything computed, is written into a column of the new batch.
class ProjectOperator final : public Operator {
 public:
  explicit ProjectOperator(const stream::ProjectSpec& spec);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  struct Computed {
    std::size_t target;
    stream::ExpressionEvaluator expression;
  };
  struct Passed {
    std::size_t target;
    std::size_t source;
  };

  BatchPool pool_;
  std::vector<Computed> computed_;
  std::vector<Passed> moved_;   ///< first use of an input column
  std::vector<Passed> copied_;  ///< further uses
  stream::EvaluationContext context_;
};

}  // namespace millrace::operators
