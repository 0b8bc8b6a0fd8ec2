#include "sql/select_builder.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace millrace::sql {

using formats::JsonValue;
using stream::LogicalPlan;
using stream::make_plan;

Result<LogicalPlan> SelectBuilder::build(const TreeNode& select) const {
  MILLRACE_TRY(check_supported(select));
  MILLRACE_ASSIGN(LogicalPlan plan, from(select));
  if (select.has("whereClause")) {
    MILLRACE_ASSIGN(Expr condition, expressions_.build(select.child("whereClause")));
    const std::int32_t position = select.position("whereClause");
    plan = make_plan(stream::FilterNode{std::move(plan), std::move(condition)}, position);
  }
  MILLRACE_ASSIGN(std::vector<Expr> expressions, targets(select));
  return make_plan(stream::ProjectNode{std::move(plan), std::move(expressions)},
                   select.position("targetList"));
}

Status SelectBuilder::check_supported(const TreeNode& select) const {
  constexpr auto kClauses = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"withClause", "WITH (a query before the SELECT)"},
      {"valuesLists", "VALUES"},
      {"intoClause", "SELECT INTO"},
      {"groupClause", "GROUP BY"},
      {"havingClause", "HAVING"},
      {"windowClause", "WINDOW"},
      {"sortClause", "ORDER BY"},
      {"limitCount", "LIMIT"},
      {"limitOffset", "OFFSET"},
      {"lockingClause", "FOR UPDATE"},
  });
  const std::string operation = select.text("op");
  if (operation.starts_with("SETOP_") && operation != "SETOP_NONE") {
    return not_supported(operation.substr(6), select.position("rarg"));
  }
  for (const auto& [member, name] : kClauses) {
    if (select.has(member)) return not_supported(name, select.position(member));
  }
  if (select.has("distinctClause")) {
    return not_supported("SELECT DISTINCT", select.position("targetList"));
  }
  if (!select.has("fromClause")) {
    return not_supported("SELECT without FROM", select.position("targetList"));
  }
  return {};
}

Result<LogicalPlan> SelectBuilder::from(const TreeNode& select) const {
  LogicalPlan plan;
  for (const JsonValue& entry : select.list("fromClause")) {
    const TreeNode node(entry);
    MILLRACE_ASSIGN(LogicalPlan next, item(node));
    plan = plan == nullptr
               ? std::move(next)
               : make_plan(stream::JoinNode{plan, std::move(next), {}, {}}, node.position());
  }
  return plan;
}

Result<LogicalPlan> SelectBuilder::item(const TreeNode& node) const {
  if (node.is("RangeVar")) return table(node);
  if (node.is("JoinExpr")) return join(node);
  if (node.is("RangeSubselect")) return sub_query(node);
  if (node.is("RangeFunction")) {
    return not_supported("a function in FROM", node.position());
  }
  return not_supported("this item of FROM", node.position());
}

Result<LogicalPlan> SelectBuilder::table(const TreeNode& node) const {
  MILLRACE_ASSIGN(std::string name, table_name(node));
  const TreeNode alias = node.plain_child("alias");
  if (!alias.list("colnames").empty()) {
    return not_supported("an alias with column names", node.position());
  }
  return make_plan(
      stream::ScanNode{std::move(name), {}, alias.text("aliasname"), stream::Reading::kAny},
      node.position());
}

Result<LogicalPlan> SelectBuilder::sub_query(const TreeNode& node) const {
  if (node.flag("lateral")) return not_supported("LATERAL", node.position());
  const TreeNode alias = node.plain_child("alias");
  if (!alias.list("colnames").empty()) {
    return not_supported("an alias with column names", node.position());
  }
  MILLRACE_ASSIGN(LogicalPlan plan, build(node.child("subquery")));
  return make_plan(stream::AliasNode{std::move(plan), alias.text("aliasname")}, node.position());
}

Result<LogicalPlan> SelectBuilder::join(const TreeNode& node) const {
  // The inner JOIN's tree has no place of its own; its right side is near.
  const std::int32_t position = node.position("rarg");
  const std::string kind = node.text("jointype");
  if (kind != "JOIN_INNER") return not_supported(kind.substr(5) + " JOIN", position);
  if (node.flag("isNatural")) return not_supported("NATURAL JOIN", position);
  if (node.has("alias")) return not_supported("an alias of a join", position);
  stream::JoinNode join;
  MILLRACE_ASSIGN(join.left, item(node.child("larg")));
  MILLRACE_ASSIGN(join.right, item(node.child("rarg")));
  if (node.has("quals")) {
    MILLRACE_ASSIGN(join.condition, expressions_.build(node.child("quals")));
  }
  for (const JsonValue& name : node.list("usingClause")) {
    join.using_columns.push_back(TreeNode(name).text("sval"));
  }
  return make_plan(std::move(join), position);
}

Result<std::vector<Expr>> SelectBuilder::targets(const TreeNode& select) const {
  std::vector<Expr> result;
  for (const JsonValue& entry : select.list("targetList")) {
    const TreeNode target(entry);
    MILLRACE_ASSIGN(Expr expression, expressions_.build(target.child("val")));
    if (target.has("name")) expression = expression.as(target.text("name"));
    result.push_back(std::move(expression));
  }
  return result;
}

Result<std::string> table_name(const TreeNode& range) {
  if (range.has("schemaname") || range.has("catalogname")) {
    return not_supported("a table name with a schema", range.position());
  }
  return range.text("relname");
}

}  // namespace millrace::sql
