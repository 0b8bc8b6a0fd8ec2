#include "stream/plan/expression_rewrite.hpp"

#include "millrace/assert.hpp"

#include "stream/plan/expression_binder.hpp"

#include <algorithm>
#include <string>

namespace millrace::stream {
namespace {

std::string text_beside_and(const BoundExpr& condition) {
  const bool is_or = condition.kind == BoundExpr::Kind::kCall && condition.function->name == "or";
  return is_or ? "(" + condition.text + ")" : condition.text;
}

}  // namespace

BoundExpr substitute(const BoundExpr& expression, std::span<const BoundExpr> replacements) {
  if (expression.is_column()) {
    MILLRACE_ASSERT(expression.column < replacements.size());
    return replacements[expression.column];
  }
  BoundExpr result = expression;
  for (BoundExpr& child : result.children) child = substitute(child, replacements);
  return result;
}

BoundExpr renumbered(BoundExpr expression,
                     const std::function<std::size_t(std::size_t)>& renumber) {
  if (expression.is_column()) expression.column = renumber(expression.column);
  for (BoundExpr& child : expression.children) child = renumbered(std::move(child), renumber);
  return expression;
}

void collect_columns(const BoundExpr& expression, std::set<std::size_t>& columns) {
  if (expression.is_column()) columns.insert(expression.column);
  for (const BoundExpr& child : expression.children) collect_columns(child, columns);
}

Expr operand(std::size_t index) { return col(std::to_string(index)); }

Result<BoundExpr> combine(const Expr& pattern, std::vector<BoundExpr> operands,
                          const Dialect& dialect) {
  std::vector<InputField> fields;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    fields.push_back(InputField{"", std::to_string(i), operands[i].type, false});
  }
  MILLRACE_ASSIGN(const BoundExpr bound, stream::bind(pattern, fields, dialect));
  return substitute(bound, operands);
}

bool is_reproducible(const BoundExpr& expression) {
  const bool is_call = expression.kind == BoundExpr::Kind::kCall;
  if (is_call && !expression.function->is_reproducible) return false;
  return std::ranges::all_of(expression.children, &is_reproducible);
}

bool is_total(const BoundExpr& expression) {
  const bool is_call = expression.kind == BoundExpr::Kind::kCall;
  if (is_call && !expression.function->is_reproducible) return false;
  if (is_call && expression.function->can_fail && expression.mode == ErrorMode::kFail) return false;
  return std::ranges::all_of(expression.children, &is_total);
}

bool is_safe_cast(const DataType& source, const DataType& target) {
  return is_lossless(source, target) ||
         (source.is(TypeKind::kDecimal) && target.is(TypeKind::kDouble));
}

namespace {

Result<BoundExpr> both_of(BoundExpr left, BoundExpr right, const Dialect& dialect) {
  std::string text = text_beside_and(left) + " and " + text_beside_and(right);
  MILLRACE_ASSIGN(BoundExpr both,
                  combine(operand(0) && operand(1), {std::move(left), std::move(right)}, dialect));
  both.text = std::move(text);
  return both;
}

}  // namespace

Result<BoundExpr> all_of(std::vector<BoundExpr> conditions, const Dialect& dialect) {
  MILLRACE_ASSERT(!conditions.empty());
  // Neighbours first, so that thousands of conditions do not make a tree thousands of levels deep.
  while (conditions.size() > 1) {
    std::vector<BoundExpr> pairs;
    for (std::size_t i = 0; i + 1 < conditions.size(); i += 2) {
      MILLRACE_ASSIGN(BoundExpr both,
                      both_of(std::move(conditions[i]), std::move(conditions[i + 1]), dialect));
      pairs.push_back(std::move(both));
    }
    if (conditions.size() % 2 == 1) pairs.push_back(std::move(conditions.back()));
    conditions = std::move(pairs);
  }
  return std::move(conditions.front());
}

}  // namespace millrace::stream
