#include "operators/project_operator.hpp"

namespace millrace::operators {

ProjectOperator::ProjectOperator(const stream::ProjectSpec& spec, BadRecords& bad_records)
    : pool_(spec.output), bad_records_(bad_records), context_(bad_records.on_error()) {
  for (std::size_t target = 0; target < spec.expressions.size(); ++target) {
    const stream::BoundExpr& expression = spec.expressions[target];
    if (expression.is_column())
      passed_.add(target, expression.column);
    else
      computed_.push_back({target, stream::ExpressionEvaluator(expression)});
  }
}

Status ProjectOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  Batch result = pool_.take();
  context_.begin(rows.rows());
  // Everything that reads input columns comes before the first one changes hands.
  for (Computed& computed : computed_)
    MILLRACE_TRY(computed.expression.evaluate_into(result.column(computed.target), rows, context_));
  if (context_.has_errors()) [[unlikely]]
    MILLRACE_TRY(bad_records_.take(rows, context_));
  passed_.pass(rows, result);
  result.adopt(rows);
  if (context_.has_errors() && !bad_records_.keeps_rows(stream::BadRecordReason::kExpression))
      [[unlikely]] {
    if (bad_records_.kept().empty()) return {};
    result.gather(bad_records_.kept());
  }
  return out.emit(Port(0), std::move(result));
}

}  // namespace millrace::operators
