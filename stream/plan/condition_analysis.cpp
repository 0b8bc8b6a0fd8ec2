#include "stream/plan/condition_analysis.hpp"

#include "stream/plan/drawn_values.hpp"

#include <fmt/format.h>

namespace millrace::stream {

bool is_call(const Expr& expression, std::string_view function) {
  const ExprNode& node = expression.node();
  return node.kind == ExprNode::Kind::kCall && node.name == function && node.children.size() >= 2;
}

Status add_conditions(const Expr& condition, const Scope& scope, const Dialect& dialect,
                      std::size_t relations, std::vector<Condition>& target) {
  if (is_call(condition, "and")) {
    for (const auto& part : condition.node().children) {
      MILLRACE_TRY(add_conditions(Expr(part), scope, dialect, relations, target));
    }
    return {};
  }
  MILLRACE_ASSIGN(BoundExpr predicate, scope.resolve(condition, dialect));
  const std::int32_t position = condition.node().position;
  if (!predicate.type.is(TypeKind::kBoolean) && !predicate.type.is(TypeKind::kNull)) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("a condition must be boolean, {} is {}", condition.to_string(),
                                  predicate.type.to_string()),
                      position});
  }
  const std::size_t behind = is_drawn(predicate) ? relations : 0;
  Condition result{std::move(predicate), std::nullopt, position, behind};
  const bool is_null_safe = is_call(condition, "<=>");
  if (is_null_safe || is_call(condition, "=")) {
    MILLRACE_ASSIGN(BoundExpr left, scope.resolve(Expr(condition.node().children[0]), dialect));
    MILLRACE_ASSIGN(BoundExpr right, scope.resolve(Expr(condition.node().children[1]), dialect));
    result.equality = Condition::Equality{std::move(left), std::move(right), is_null_safe};
  }
  target.push_back(std::move(result));
  return {};
}

}  // namespace millrace::stream
