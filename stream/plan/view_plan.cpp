#include "stream/plan/view_plan.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace millrace::stream {
namespace {

void strip(Expr& expression) {
  ExprNode node = expression.node();
  node.position = -1;
  for (auto& child : node.children) {
    Expr inner(child);
    strip(inner);
    child = std::make_shared<const ExprNode>(inner.node());
  }
  expression = Expr(std::move(node));
}

void strip(std::vector<Expr>& expressions) {
  for (Expr& expression : expressions) strip(expression);
}

}  // namespace

LogicalPlan without_positions(const LogicalPlan& plan) {
  return std::visit(
      [](auto step) {
        if constexpr (requires { step.input; }) step.input = without_positions(step.input);
        if constexpr (requires { step.left; }) {
          step.left = without_positions(step.left);
          step.right = without_positions(step.right);
        }
        if constexpr (requires { step.expression; }) strip(step.expression);
        if constexpr (requires { step.expressions; }) strip(step.expressions);
        if constexpr (requires { step.call; }) strip(step.call);
        if constexpr (requires { step.rows; })
          for (std::vector<Expr>& row : step.rows) strip(row);
        if constexpr (requires { step.condition.has_value(); }) {
          if (step.condition) strip(*step.condition);
        } else if constexpr (requires { step.condition; }) {
          strip(step.condition);
        }
        return make_plan(std::move(step));
      },
      plan->step);
}

}  // namespace millrace::stream
