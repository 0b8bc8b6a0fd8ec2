#include "stream/plan/explode_analysis.hpp"

#include "stream/plan/relation_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace millrace::stream {
namespace {

constexpr auto kCalls =
    std::to_array<std::string_view>({"explode", "explode_outer", "posexplode", "posexplode_outer"});

Result<BoundExpr> resolve_list(const Expr& call, const Scope& scope, const Dialect& dialect) {
  const ExprNode& node = call.node();
  if (node.children.size() != 1) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("{} takes one array or map", node.name), node.position});
  }
  MILLRACE_ASSIGN(BoundExpr list, scope.resolve(Expr(node.children[0]), dialect));
  if (list.type.is(TypeKind::kArray) || list.type.is(TypeKind::kMap)) return list;
  return fail(Error{ErrorCode::kInvalidArgument,
                    fmt::format("{} takes an array or a map, {} is {}", node.name, list.text,
                                list.type.to_string()),
                    node.position});
}

std::vector<Field> columns_of(const ExplodedList& exploded, const std::string& name) {
  std::vector<Field> columns;
  if (exploded.has_position) columns.push_back({"pos", TypeKind::kInt32});
  for (const Field& field : exploded.list.type.fields()) columns.push_back(field);
  if (exploded.list.type.is(TypeKind::kArray)) columns.back().name = name.empty() ? "col" : name;
  return columns;
}

}  // namespace

bool is_explode(const Expr& expression) {
  const ExprNode& node = expression.node();
  return node.kind == ExprNode::Kind::kCall && std::ranges::find(kCalls, node.name) != kCalls.end();
}

Result<std::vector<ScopeColumn>> add_exploded(const Expr& call, const std::string& name,
                                              const Scope& scope, std::size_t relations_begin,
                                              ResolvedQuery& query, const Dialect& dialect) {
  const ExprNode& node = call.node();
  ExplodedList exploded;
  MILLRACE_ASSIGN(exploded.list, resolve_list(call, scope, dialect));
  exploded.keeps_empty = node.name.ends_with("_outer");
  exploded.has_position = node.name.starts_with("pos");
  const std::vector<Field> columns = columns_of(exploded, name);
  if (!name.empty() && columns.size() > 1) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("{} gives {} columns, which one name cannot call: leave {} away "
                                  "and rename them behind it",
                                  call.to_string(), columns.size(), name),
                      node.position});
  }

  Relation relation;
  relation.table.name = call.to_string();
  for (const Field& field : columns) relation.columns.push_back({field, true});
  relation.exploded = std::move(exploded);
  relation.position = node.position;
  for (std::size_t i = relations_begin; i < query.relations.size(); ++i) relation.behind.insert(i);
  query.add(std::move(relation));
  return scope_of(query.relations.back(), "").columns();
}

}  // namespace millrace::stream
