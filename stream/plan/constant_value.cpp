#include "stream/plan/constant_value.hpp"

#include "millrace/batch.hpp"

#include "stream/expression_evaluator.hpp"
#include "stream/functions/registry.hpp"

#include <algorithm>

namespace millrace::stream {

bool is_call_of_literals(const BoundExpr& expression) {
  return expression.kind == BoundExpr::Kind::kCall && expression.function->is_reproducible &&
         std::ranges::all_of(expression.children, [](const auto& child) {
           return child.kind == BoundExpr::Kind::kLiteral;
         });
}

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

Status check_constants(const BoundExpr& expression) {
  if (expression.kind != BoundExpr::Kind::kCall) return {};
  if (is_call_of_literals(expression)) {
    auto value = constant_value(expression);
    if (value) return {};
    return fail(Error{value.error().code, value.error().message, expression.position});
  }
  // A function that decides itself what it evaluates always does so with its first argument.
  const bool is_lazy = expression.function->lazy != nullptr;
  const std::size_t evaluated = is_lazy ? 1 : expression.children.size();
  for (std::size_t i = 0; i < std::min(evaluated, expression.children.size()); ++i)
    MILLRACE_TRY(check_constants(expression.children[i]));
  return {};
}

}  // namespace millrace::stream
