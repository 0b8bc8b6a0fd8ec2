#include "stream/plan/drawn_values.hpp"

#include "stream/functions/registry.hpp"
#include "stream/plan/expression_rewrite.hpp"

#include <algorithm>

namespace millrace::stream {
namespace {

// A list of the one value: each row is followed by itself, with the value beside it.
Result<Relation> relation_of(const ScopeColumn& column, const Dialect& dialect) {
  Relation relation;
  relation.table.name = column.expression.text;
  relation.columns.push_back({{column.field.name, column.field.type}, true});
  ExplodedList list;
  MILLRACE_ASSIGN(list.list, combine(call("array", {operand(0)}), {column.expression}, dialect));
  list.list.text = "array(" + column.expression.text + ")";
  relation.exploded = std::move(list);
  return relation;
}

}  // namespace

bool is_drawn(const BoundExpr& expression) {
  if (expression.kind == BoundExpr::Kind::kCall && expression.function->is_drawn) return true;
  return std::ranges::any_of(expression.children, &is_drawn);
}

Status settle_drawn(Scope& scope, std::size_t relations_begin, ResolvedQuery& query,
                    const Dialect& dialect) {
  for (ScopeColumn& column : scope.columns()) {
    if (!is_drawn(column.expression)) continue;
    MILLRACE_ASSIGN(Relation relation, relation_of(column, dialect));
    for (std::size_t i = relations_begin; i < query.relations.size(); ++i)
      relation.behind.insert(i);
    query.add(std::move(relation));
    column.expression.kind = BoundExpr::Kind::kColumn;
    column.expression.column = query.relations.back().first_column;
    column.expression.text = column.field.name;
    column.expression.function = nullptr;
    column.expression.children.clear();
  }
  return {};
}

}  // namespace millrace::stream
