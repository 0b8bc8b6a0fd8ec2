#include "sql/select_builder.hpp"

#include "stream/plan/explode_analysis.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace millrace::sql {

using formats::JsonValue;
using stream::LogicalPlan;
using stream::make_plan;

namespace {

/// [NOT] EXISTS (SELECT ...) or x [NOT] IN (SELECT ...), a conjunct of WHERE.
struct SubQueryTest {
  TreeNode link;
  bool is_negated = false;
};

std::optional<SubQueryTest> sub_query_test(const TreeNode& node) {
  const bool is_negation = node.is("BoolExpr") && node.text("boolop") == "NOT_EXPR";
  const TreeNode inner = is_negation ? TreeNode(node.list("args").front()) : node;
  if (!inner.is("SubLink")) return std::nullopt;
  const std::string kind = inner.text("subLinkType");
  // IN has no operator; x = ANY (SELECT ...) says the same, and x <> ALL (SELECT ...) is NOT IN.
  const std::string sign = last_name(inner.list("operName"));
  const bool is_in = kind == "ANY_SUBLINK" && (sign.empty() || sign == "=");
  const bool is_not_in = kind == "ALL_SUBLINK" && sign == "<>" && !is_negation;
  if (kind != "EXISTS_SUBLINK" && !is_in && !is_not_in) return std::nullopt;
  return SubQueryTest{inner, is_negation || is_not_in};
}

/// Takes the conjuncts of a condition apart.
void split_conditions(const TreeNode& node, std::vector<SubQueryTest>& tests,
                      std::vector<TreeNode>& conditions) {
  if (const auto test = sub_query_test(node)) {
    tests.push_back(*test);
  } else if (node.is("BoolExpr") && node.text("boolop") == "AND_EXPR") {
    for (const JsonValue& part : node.list("args"))
      split_conditions(TreeNode(part), tests, conditions);
  } else {
    conditions.push_back(node);
  }
}

// A union is refused where its branches are known.
bool has_one_column(const stream::LogicalNode& plan) {
  if (const auto* values = std::get_if<stream::ValuesNode>(&plan.step))
    return values->rows.front().size() == 1;
  const auto* project = std::get_if<stream::ProjectNode>(&plan.step);
  return project == nullptr || (project->expressions.size() == 1 &&
                                project->expressions.front().node().kind != ExprNode::Kind::kStar);
}

// FROM a ANTI JOIN b: other engines have such a join, PostgreSQL's grammar reads a table that is
// called anti, and an inner join of it: the opposite rows.
Status check_is_no_join_word(const TreeNode& left) {
  const std::string name = left.plain_child("alias").text("aliasname");
  if (name != "anti" && name != "semi") return {};
  return fail(
      Error{ErrorCode::kInvalidArgument,
            fmt::format("{} JOIN is written WHERE {}EXISTS (SELECT 1 FROM b WHERE b.x = "
                        "a.x); a table that is called {} needs another name beside JOIN",
                        name == "anti" ? "ANTI" : "SEMI", name == "anti" ? "NOT " : "", name),
            left.position()});
}

JoinKind join_kind(const TreeNode& join) {
  const std::string kind = join.text("jointype");
  if (kind == "JOIN_LEFT") return JoinKind::kLeft;
  if (kind == "JOIN_RIGHT") return JoinKind::kRight;
  if (kind == "JOIN_FULL") return JoinKind::kFull;
  return join.has("quals") || join.has("usingClause") ? JoinKind::kInner : JoinKind::kCross;
}

/// Whether a function is the first item: it may name what stands before in the list of FROM.
bool begins_with_function(const TreeNode& node) {
  return node.is("RangeFunction") ||
         (node.is("JoinExpr") && begins_with_function(node.child("larg")));
}

/// A table of one row without columns.
LogicalPlan one_row() {
  LogicalPlan row = make_plan(stream::ValuesNode{{{lit(true)}}, {"row"}});
  return make_plan(stream::DropNode{std::move(row), {"row"}});
}

bool is_true(const Expr& condition) {
  const auto* value = std::get_if<bool>(&condition.node().value.data);
  return condition.node().kind == ExprNode::Kind::kLiteral && value != nullptr && *value;
}

}  // namespace

Result<LogicalPlan> SelectBuilder::build(const TreeNode& select) const {
  MILLRACE_TRY(check_supported(select));
  if (select.text("op") == "SETOP_UNION") return union_of(select);
  if (select.has("valuesLists")) return values(select);
  if (!select.has("fromClause")) return row(select);
  MILLRACE_ASSIGN(LogicalPlan plan, from(select));
  if (select.has("whereClause")) {
    MILLRACE_ASSIGN(plan, where(std::move(plan), select));
  }
  MILLRACE_ASSIGN(std::vector<Expr> expressions, targets(select));
  return make_plan(stream::ProjectNode{std::move(plan), std::move(expressions)},
                   select.position("targetList"));
}

Status SelectBuilder::check_supported(const TreeNode& select) const {
  constexpr auto kClauses = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"withClause", "WITH (a query before the SELECT: write CREATE VIEW)"},
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
  if (operation == "SETOP_INTERSECT" || operation == "SETOP_EXCEPT") {
    return not_supported(operation.substr(6), select.position("rarg"));
  }
  if (operation == "SETOP_UNION" && !select.flag("all")) {
    return fail(
        Error{ErrorCode::kNotSupported,
              "UNION without ALL is not supported yet: it drops rows that were there before, for "
              "which every row would have to be kept; write UNION ALL",
              select.position("rarg")});
  }
  for (const auto& [member, name] : kClauses) {
    if (select.has(member)) return not_supported(name, select.position(member));
  }
  if (select.has("distinctClause")) {
    return not_supported("SELECT DISTINCT", select.position("targetList"));
  }
  if (!select.has("fromClause") && select.has("whereClause")) {
    return not_supported("WHERE without FROM", select.position("whereClause"));
  }
  return {};
}

Result<LogicalPlan> SelectBuilder::union_of(const TreeNode& select) const {
  MILLRACE_ASSIGN(LogicalPlan left, build(select.plain_child("larg")));
  MILLRACE_ASSIGN(LogicalPlan right, build(select.plain_child("rarg")));
  return make_plan(stream::UnionNode{std::move(left), std::move(right)}, select.position("rarg"));
}

Result<LogicalPlan> SelectBuilder::values(const TreeNode& select) const {
  stream::ValuesNode values;
  for (const JsonValue& list : select.list("valuesLists")) {
    std::vector<Expr> row;
    for (const JsonValue& item : TreeNode(list).list("items")) {
      MILLRACE_ASSIGN(Expr value, expressions_.build(TreeNode(item)));
      row.push_back(std::move(value));
    }
    values.rows.push_back(std::move(row));
  }
  return make_plan(std::move(values), select.position("valuesLists"));
}

// SELECT without FROM is one row.
Result<LogicalPlan> SelectBuilder::row(const TreeNode& select) const {
  const std::int32_t position = select.position("targetList");
  MILLRACE_ASSIGN(std::vector<Expr> expressions, targets(select));
  for (const Expr& expression : expressions) {
    if (expression.node().kind != ExprNode::Kind::kStar) continue;
    return fail(Error{ErrorCode::kInvalidArgument,
                      "there is nothing for * to stand for: the SELECT has no FROM", position});
  }
  return make_plan(stream::ValuesNode{{std::move(expressions)}, {}, true}, position);
}

Result<LogicalPlan> SelectBuilder::from(const TreeNode& select) const {
  LogicalPlan plan;
  for (const JsonValue& entry : select.list("fromClause")) {
    const TreeNode node(entry);
    if (plan != nullptr && begins_with_function(node)) {
      MILLRACE_ASSIGN(plan, item(node, std::move(plan)));
      continue;
    }
    MILLRACE_ASSIGN(LogicalPlan next, item(node));
    plan = plan == nullptr
               ? std::move(next)
               : make_plan(stream::JoinNode{plan, std::move(next), {}, {}}, node.position());
  }
  return plan;
}

Result<LogicalPlan> SelectBuilder::item(const TreeNode& node, LogicalPlan before) const {
  if (node.is("RangeVar")) return table(node);
  if (node.is("JoinExpr")) return join(node, std::move(before));
  if (node.is("RangeSubselect")) return sub_query(node);
  if (node.is("RangeFunction")) {
    return table_function(before == nullptr ? one_row() : std::move(before), node, false);
  }
  if (node.is("RangeTableSample")) return not_supported("TABLESAMPLE", node.position());
  return not_supported("this item of FROM", node.position());
}

// The rows of a list beside those of `input`, whose columns it may name.
Result<LogicalPlan> SelectBuilder::table_function(LogicalPlan input, const TreeNode& node,
                                                  bool keeps_empty) const {
  const auto& functions = node.list("functions");
  if (functions.size() != 1 || node.flag("is_rowsfrom")) {
    return not_supported("ROWS FROM (write the functions one after the other)", node.position());
  }
  const auto& parts = TreeNode(functions.front()).list("items");
  if (parts.empty()) return not_supported("this item of FROM", node.position());
  if (!node.list("coldeflist").empty()) {
    return not_supported("types of a function's columns (write AS name(column, ...))",
                         node.position());
  }
  MILLRACE_ASSIGN(Expr call, row_making_call(TreeNode(parts.front())));
  if (keeps_empty && !call.node().name.ends_with("_outer")) {
    ExprNode outer = call.node();
    outer.name += "_outer";
    call = Expr(std::move(outer));
  }
  const TreeNode alias = node.plain_child("alias");
  stream::ExplodeNode explode{std::move(input), std::move(call), ""};
  explode.alias = alias.text("aliasname");
  for (const JsonValue& name : alias.list("colnames"))
    explode.columns.push_back(TreeNode(name).text("sval"));
  if (explode.alias.empty()) explode.alias = last_name(TreeNode(parts.front()).list("funcname"));
  explode.has_ordinality = node.flag("ordinality");
  return make_plan(std::move(explode), node.position());
}

Result<Expr> SelectBuilder::row_making_call(const TreeNode& node) const {
  const std::string name = node.is("FuncCall") ? last_name(node.list("funcname")) : "";
  if (name == "generate_series") {
    return not_supported("generate_series (write unnest(sequence(1, 10)))", node.position());
  }
  MILLRACE_ASSIGN(Expr call, expressions_.build(node));
  if (stream::is_explode(call)) return call;
  return not_supported(
      fmt::format("{} in FROM (those that make rows are unnest, explode, explode_outer, posexplode "
                  "and posexplode_outer)",
                  name.empty() ? "this expression" : "function " + name),
      node.position());
}

Result<LogicalPlan> SelectBuilder::table(const TreeNode& node) const {
  MILLRACE_ASSIGN(std::string name, table_name(node));
  const TreeNode alias = node.plain_child("alias");
  LogicalPlan plan = make_plan(
      stream::ScanNode{std::move(name), {}, alias.text("aliasname"), stream::Reading::kAny},
      node.position());
  if (alias.list("colnames").empty()) return plan;
  return aliased(std::move(plan), alias, node.position());
}

Result<LogicalPlan> SelectBuilder::sub_query(const TreeNode& node) const {
  if (node.flag("lateral")) {
    return not_supported("LATERAL before a sub-query (only a function can be: LATERAL unnest(...))",
                         node.position());
  }
  MILLRACE_ASSIGN(LogicalPlan plan, build(node.child("subquery")));
  return aliased(std::move(plan), node.plain_child("alias"), node.position());
}

LogicalPlan SelectBuilder::aliased(LogicalPlan plan, const TreeNode& alias, std::int32_t position) {
  std::vector<std::string> columns;
  for (const JsonValue& name : alias.list("colnames"))
    columns.push_back(TreeNode(name).text("sval"));
  // VALUES have no names before these.
  const auto* values = std::get_if<stream::ValuesNode>(&plan->step);
  if (values != nullptr && !values->is_select && columns.size() <= values->rows.front().size()) {
    plan = make_plan(stream::ValuesNode{values->rows, std::exchange(columns, {})}, plan->position);
  }
  return make_plan(stream::AliasNode{std::move(plan), alias.text("aliasname"), std::move(columns)},
                   position);
}

Result<LogicalPlan> SelectBuilder::join(const TreeNode& node, LogicalPlan before) const {
  // The inner JOIN's tree has no place of its own; its right side is near.
  const std::int32_t position = node.position("rarg");
  if (node.has("alias") || node.has("join_using_alias"))
    return not_supported("an alias of a join", position);
  MILLRACE_TRY(check_is_no_join_word(node.child("larg")));
  MILLRACE_ASSIGN(LogicalPlan left, item(node.child("larg"), std::move(before)));
  const TreeNode right = node.child("rarg");
  if (right.is("RangeFunction")) return joined(std::move(left), right, node);
  stream::JoinNode join;
  join.kind = join_kind(node);
  join.is_natural = node.flag("isNatural");
  if (join.is_natural && join.kind == JoinKind::kCross) join.kind = JoinKind::kInner;
  join.left = std::move(left);
  MILLRACE_ASSIGN(join.right, item(right));
  if (node.has("quals")) {
    MILLRACE_ASSIGN(join.condition, expressions_.build(node.child("quals")));
  }
  for (const JsonValue& name : node.list("usingClause")) {
    join.using_columns.push_back(TreeNode(name).text("sval"));
  }
  return make_plan(std::move(join), position);
}

// A function's rows belong to the row on its left: they are no table of their own to be joined.
Result<LogicalPlan> SelectBuilder::joined(LogicalPlan left, const TreeNode& right,
                                          const TreeNode& join) const {
  const JoinKind kind = join_kind(join);
  const bool is_left = kind == JoinKind::kLeft;
  if (kind == JoinKind::kRight || kind == JoinKind::kFull) {
    return not_supported("a RIGHT or FULL JOIN of a function (write it on the right of LEFT JOIN)",
                         right.position());
  }
  if (join.flag("isNatural") || !join.list("usingClause").empty()) {
    return not_supported("USING beside a function in FROM (write ON with the condition)",
                         right.position());
  }
  MILLRACE_ASSIGN(LogicalPlan plan, table_function(std::move(left), right, is_left));
  if (!join.has("quals")) return plan;
  MILLRACE_ASSIGN(Expr condition, expressions_.build(join.child("quals")));
  if (is_true(condition)) return plan;
  if (is_left) {
    return not_supported(
        "a condition other than true of a LEFT JOIN of a function (write ON true, "
        "and filter the array: filter(array, x -> ...))",
        join.position("quals"));
  }
  return make_plan(stream::FilterNode{std::move(plan), std::move(condition)},
                   join.position("quals"));
}

Result<LogicalPlan> SelectBuilder::where(LogicalPlan plan, const TreeNode& select) const {
  std::vector<SubQueryTest> tests;
  std::vector<TreeNode> conditions;
  split_conditions(select.child("whereClause"), tests, conditions);
  if (!conditions.empty()) {
    MILLRACE_ASSIGN(Expr condition, expressions_.build_all(conditions));
    const std::int32_t position = conditions.front().position();
    plan = make_plan(stream::FilterNode{std::move(plan), std::move(condition)}, position);
  }
  for (const auto& [link, is_negated] : tests) {
    const bool is_exists = link.text("subLinkType") == "EXISTS_SUBLINK";
    MILLRACE_ASSIGN(plan, is_exists ? exists(std::move(plan), link, is_negated)
                                    : in(std::move(plan), link, is_negated));
  }
  return plan;
}

// The rows of the sub-query are not asked for, only whether there is one: what it selects does not
// matter.
Result<LogicalPlan> SelectBuilder::exists(LogicalPlan plan, const TreeNode& link,
                                          bool is_negated) const {
  const TreeNode select = link.child("subselect");
  MILLRACE_TRY(check_supported(select));
  if (!select.has("fromClause")) {
    return not_supported("EXISTS over anything but SELECT ... FROM", link.position());
  }
  MILLRACE_TRY(targets(select));
  stream::JoinNode join;
  join.left = std::move(plan);
  MILLRACE_ASSIGN(join.right, from(select));
  join.kind = is_negated ? JoinKind::kLeftAnti : JoinKind::kLeftSemi;
  join.sub_query = is_negated ? "NOT EXISTS" : "EXISTS";
  if (select.has("whereClause")) {
    MILLRACE_ASSIGN(join.condition, expressions_.build(select.child("whereClause")));
  }
  return make_plan(std::move(join), link.position());
}

Result<LogicalPlan> SelectBuilder::in(LogicalPlan plan, const TreeNode& link,
                                      bool is_negated) const {
  const TreeNode select = link.child("subselect");
  MILLRACE_ASSIGN(LogicalPlan right, build(select));
  if (!has_one_column(*right)) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      "IN (SELECT ...) compares with one column: name it", link.position()});
  }
  // A word of SQL, so that no name of the query's is meant by it.
  const std::string name = "in";
  MILLRACE_ASSIGN(const Expr subject, expressions_.build(link.child("testexpr")));
  const Expr value = col(name + "." + name);
  right = make_plan(stream::AliasNode{std::move(right), name, {name}}, link.position());
  const auto tested = [&](LogicalPlan left, const Expr& condition) {
    stream::JoinNode join;
    join.left = std::move(left);
    join.right = right;
    join.condition = condition;
    join.kind = is_negated ? JoinKind::kLeftAnti : JoinKind::kLeftSemi;
    join.sub_query = is_negated ? "NOT IN" : "IN";
    return make_plan(std::move(join), link.position());
  };
  plan = tested(std::move(plan), subject == value);
  if (!is_negated) return plan;
  // NOT IN is true only where nothing is unknown: no null in the sub-query, and if the subject is
  // null, no row at all. Both are said as equalities, so that they are looked up, too.
  const Expr always = subject.is_null() || subject.is_not_null();
  plan = tested(std::move(plan), value.is_null() == always);
  const Expr any_row = value.is_null() || value.is_not_null();
  return tested(std::move(plan), any_row == case_when({subject.is_null(), lit(true)}));
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
