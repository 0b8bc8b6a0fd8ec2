#include "operators/project_operator.hpp"

#include "operators/row_numbers.hpp"

#include <set>

namespace millrace::operators {

ProjectOperator::ProjectOperator(const stream::ProjectSpec& spec) : pool_(spec.output) {
  std::set<std::size_t> used;
  for (std::size_t target = 0; target < spec.expressions.size(); ++target) {
    const stream::BoundExpr& expression = spec.expressions[target];
    if (!expression.is_column())
      computed_.push_back({target, stream::ExpressionEvaluator(expression)});
    else if (used.insert(expression.column).second)
      moved_.push_back({target, expression.column});
    else
      copied_.push_back({target, expression.column});
  }
}

Status ProjectOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  Batch result = pool_.take();
  context_.begin(rows.rows());
  // Everything that reads input columns comes before the first one changes hands.
  for (Computed& computed : computed_)
    MILLRACE_TRY(computed.expression.evaluate_into(result.column(computed.target), rows, context_));
  for (const Passed& copied : copied_)
    result.column(copied.target).gather_from(rows.column(copied.source), all_rows(rows.rows()));
  for (const Passed& moved : moved_) result.swap_column(moved.target, rows, moved.source);
  result.adopt(rows);
  return out.emit(Port(0), std::move(result));
}

}  // namespace millrace::operators
