#include "stream/plan/explode_analysis.hpp"

#include "stream/plan/expression_rewrite.hpp"
#include "stream/plan/relation_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace millrace::stream {
namespace {

constexpr auto kCalls = std::to_array<std::string_view>(
    {"explode", "explode_outer", "posexplode", "posexplode_outer", "unnest", "unnest_outer"});

Result<BoundExpr> resolve_list(const Expr& call, const Scope& scope, const Dialect& dialect) {
  const ExprNode& node = call.node();
  if (node.children.size() != 1) {
    return fail(
        Error{ErrorCode::kInvalidArgument,
              fmt::format(
                  "{} takes one array or map{}", node.name,
                  node.children.size() > 1 ? ": bring several together with arrays_zip(a, b)" : ""),
              node.position});
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
  if (exploded.list.type.is(TypeKind::kArray)) columns.back().name = name;
  return columns;
}

/// What an element is called that nobody names.
const char* element_name(const Expr& call) {
  return call.node().name.starts_with("unnest") ? "unnest" : "col";
}

std::vector<ScopeColumn> add_relation(const Expr& call, const std::string& name,
                                      ExplodedList exploded, std::size_t relations_begin,
                                      ResolvedQuery& query) {
  Relation relation;
  relation.table.name = call.to_string();
  for (const Field& field : columns_of(exploded, name.empty() ? element_name(call) : name))
    relation.columns.push_back({field, true});
  relation.exploded = std::move(exploded);
  relation.position = call.node().position;
  for (std::size_t i = relations_begin; i < query.relations.size(); ++i) relation.behind.insert(i);
  query.add(std::move(relation));
  return scope_of(query.relations.back(), "").columns();
}

Result<ExplodedList> exploded_list(const Expr& call, const Scope& scope, const Dialect& dialect) {
  const std::string& function = call.node().name;
  ExplodedList exploded;
  MILLRACE_ASSIGN(exploded.list, resolve_list(call, scope, dialect));
  exploded.keeps_empty = function.ends_with("_outer");
  exploded.has_position = function.starts_with("pos");
  return exploded;
}

Status check_alias(const ExplodeNode& explode, const Scope& scope) {
  for (const ScopeColumn& column : scope.columns()) {
    if (explode.alias.empty() || column.field.qualifier != explode.alias) continue;
    return fail(
        Error{ErrorCode::kInvalidArgument,
              fmt::format("two tables are called {}: give one another name with AS", explode.alias),
              explode.call.node().position});
  }
  return {};
}

// Of AS t(x) the element's own; FROM s, unnest(s.tags) AS tag names the one element, too.
std::string name_of_element(const ExplodeNode& explode) {
  const std::string& function = explode.call.node().name;
  const std::size_t place = function.starts_with("pos") ? 1 : 0;
  if (explode.columns.size() > place) return explode.columns[place];
  return function.starts_with("unnest") ? explode.alias : explode.name;
}

Status give_names(const ExplodeNode& explode, std::vector<ScopeColumn>& columns) {
  for (ScopeColumn& column : columns) column.field.qualifier = explode.alias;
  if (explode.columns.size() > columns.size()) {
    return fail(Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} names {} columns, and there {} {}", explode.alias, explode.columns.size(),
                    columns.size() == 1 ? "is" : "are", columns.size()),
        explode.call.node().position});
  }
  for (std::size_t i = 0; i < explode.columns.size(); ++i)
    columns[i].field.name = explode.columns[i];
  return {};
}

/// The place from 1, of one from 0.
Result<ScopeColumn> ordinality_of(const ScopeColumn& place, const Dialect& dialect) {
  const Expr from_one = operand(0).cast(TypeKind::kInt64) + lit(std::int64_t{1});
  MILLRACE_ASSIGN(BoundExpr expression, combine(from_one, {place.expression}, dialect));
  expression.text = "ordinality";
  return ScopeColumn{InputField{"", "ordinality", TypeKind::kInt64, false}, std::move(expression)};
}

}  // namespace

bool is_explode(const Expr& expression) {
  const ExprNode& node = expression.node();
  return node.kind == ExprNode::Kind::kCall && std::ranges::find(kCalls, node.name) != kCalls.end();
}

Result<std::vector<ScopeColumn>> add_exploded(const Expr& call, const std::string& name,
                                              const Scope& scope, std::size_t relations_begin,
                                              ResolvedQuery& query, const Dialect& dialect) {
  MILLRACE_ASSIGN(ExplodedList exploded, exploded_list(call, scope, dialect));
  const std::size_t count = exploded.list.type.fields().size() + (exploded.has_position ? 1 : 0);
  if (!name.empty() && count > 1) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("{} gives {} columns, which one name cannot call: leave {} away "
                                  "and rename them behind it",
                                  call.to_string(), count, name),
                      call.node().position});
  }
  return add_relation(call, name, std::move(exploded), relations_begin, query);
}

Result<std::vector<ScopeColumn>> add_exploded(const ExplodeNode& explode, const Scope& scope,
                                              std::size_t relations_begin, ResolvedQuery& query,
                                              const Dialect& dialect) {
  MILLRACE_TRY(check_alias(explode, scope));
  const bool names_itself = explode.alias.empty();
  if (names_itself) {
    return add_exploded(explode.call, explode.name, scope, relations_begin, query, dialect);
  }
  MILLRACE_ASSIGN(ExplodedList exploded, exploded_list(explode.call, scope, dialect));
  const bool gives_place = exploded.has_position;
  if (explode.has_ordinality) exploded.has_position = true;
  std::vector<ScopeColumn> columns = add_relation(explode.call, name_of_element(explode),
                                                  std::move(exploded), relations_begin, query);
  if (explode.has_ordinality) {
    MILLRACE_ASSIGN(ScopeColumn ordinality, ordinality_of(columns.front(), dialect));
    columns.push_back(std::move(ordinality));
    if (!gives_place) columns.erase(columns.begin());
  }
  MILLRACE_TRY(give_names(explode, columns));
  return columns;
}

}  // namespace millrace::stream
