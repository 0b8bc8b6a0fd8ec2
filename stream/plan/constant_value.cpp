#include "stream/plan/constant_value.hpp"

#include "millrace/batch.hpp"

#include "stream/expression_evaluator.hpp"

namespace millrace::stream {

Result<Value> constant_value(const BoundExpr& expression) {
  if (expression.kind == BoundExpr::Kind::kLiteral) return expression.literal;
  BatchPool pool(make_schema({}));
  Batch one_row = pool.take();
  one_row.set_rows(1);
  EvaluationContext context(EvaluationContext::OnError::kCollect);
  context.begin(1);
  ExpressionEvaluator evaluator(expression);
  const auto column = evaluator.evaluate(one_row, context);
  if (context.has_errors()) return fail(ErrorCode::kInvalidArgument, context.errors()[0].message);
  return value_of(**column, 0);
}

}  // namespace millrace::stream
