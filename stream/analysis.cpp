#include "stream/analysis.hpp"

#include "millrace/assert.hpp"

#include "stream/expression_rewrite.hpp"
#include "stream/relation_analysis.hpp"
#include "stream/scope.hpp"
#include "stream/sink_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace millrace::stream {
namespace {

/// Walks the tree from the bottom up. Each visit gives the names that can be used above it and adds
/// relations and conditions to the one flat query.
class Analyzer {
 public:
  Analyzer(const Catalog& catalog, const Dialect& dialect) : catalog_(catalog), dialect_(dialect) {}

  Result<ResolvedQuery> run(const LogicalPlan& plan);

 private:
  Result<Scope> visit(const LogicalPlan& plan);
  Result<Scope> visit(const ScanNode& scan, std::int32_t position);
  Result<Scope> visit(const FilterNode& filter, std::int32_t position);
  Result<Scope> visit(const ProjectNode& project, std::int32_t position);
  Result<Scope> visit(const JoinNode& join, std::int32_t position);
  Result<Scope> visit(const AliasNode& alias, std::int32_t position);
  Result<Scope> visit(const WriteNode& write, std::int32_t position);

  Status add_condition(const Expr& condition, const Scope& scope);
  Status add_using(const std::string& name, const Scope& left, const Scope& right,
                   std::int32_t position);
  Status add_output(const Expr& expression, const Scope& input, Scope& output);
  Status set_outputs(const Scope& scope);
  Result<TableDefinition> definition_of(const std::string& name,
                                        const std::optional<TableDefinition>& definition,
                                        std::int32_t position) const;

  const Catalog& catalog_;
  const Dialect& dialect_;
  ResolvedQuery query_;
};

bool is_call(const Expr& expression, std::string_view function) {
  const ExprNode& node = expression.node();
  return node.kind == ExprNode::Kind::kCall && node.name == function && node.children.size() >= 2;
}

Error placed(Error error, std::int32_t position) {
  if (error.position < 0) error.position = position;
  return error;
}

bool is_operator(std::string_view function) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"and", "or", "not", "is_null", "is_not_null"});
  const bool is_word = std::isalpha(static_cast<unsigned char>(function[0])) != 0;
  return !is_word || std::ranges::find(kWords, function) != kWords.end();
}

// The name that an expression brings along when nobody gives it one: a column its own, a cast that
// of what it casts, a function call the function's. Operators have none.
std::string natural_name(const ExprNode& node) {
  switch (node.kind) {
    case ExprNode::Kind::kColumn:
    case ExprNode::Kind::kAlias:
      return node.name;
    case ExprNode::Kind::kCast:
    case ExprNode::Kind::kTryCast:
      return natural_name(*node.children[0]);
    case ExprNode::Kind::kCall:
      return is_operator(node.name) ? "" : node.name;
    default:
      return "";
  }
}

Result<ResolvedQuery> Analyzer::run(const LogicalPlan& plan) {
  MILLRACE_ASSIGN(const Scope scope, visit(plan));
  if (!query_.sink) MILLRACE_TRY(set_outputs(scope));
  return std::move(query_);
}

Result<Scope> Analyzer::visit(const LogicalPlan& plan) {
  MILLRACE_ASSERT(plan != nullptr);
  return std::visit([&](const auto& step) { return visit(step, plan->position); }, plan->step);
}

Result<Scope> Analyzer::visit(const ScanNode& scan, std::int32_t position) {
  MILLRACE_ASSIGN(TableDefinition definition, definition_of(scan.table, scan.definition, position));
  auto traits = catalog_.traits(definition, TableRole::kSource);
  if (!traits) return fail(placed(std::move(traits).error(), position));
  auto relation = resolve_relation(std::move(definition), std::move(*traits), scan.reading);
  if (!relation) return fail(placed(std::move(relation).error(), position));
  if (relation->dead_letters) {
    const auto letters = catalog_.traits(*relation->dead_letters, TableRole::kSink);
    if (!letters) return fail(placed(letters.error(), position));
  }
  relation->position = position;
  if (!query_.relations.empty()) {
    const Relation& last = query_.relations.back();
    relation->first_column = last.first_column + last.columns.size();
  }
  const std::string& qualifier = scan.alias.empty() ? relation->table.name : scan.alias;
  Scope scope = scope_of(*relation, qualifier);
  query_.relations.push_back(std::move(*relation));
  return scope;
}

Result<Scope> Analyzer::visit(const FilterNode& filter, std::int32_t) {
  MILLRACE_ASSIGN(Scope scope, visit(filter.input));
  MILLRACE_TRY(add_condition(filter.condition, scope));
  return scope;
}

Result<Scope> Analyzer::visit(const ProjectNode& project, std::int32_t) {
  MILLRACE_ASSIGN(const Scope input, visit(project.input));
  Scope output;
  for (const Expr& expression : project.expressions) {
    MILLRACE_TRY(add_output(expression, input, output));
  }
  for (const ScopeColumn& column : input.columns()) {
    if (column.field.hidden && output.find(column.field.name, false) == nullptr) {
      output.add(column);
    }
  }
  return output;
}

Result<Scope> Analyzer::visit(const JoinNode& join, std::int32_t position) {
  MILLRACE_ASSIGN(Scope left, visit(join.left));
  MILLRACE_ASSIGN(Scope right, visit(join.right));
  for (const ScopeColumn& column : right.columns()) {
    const auto& qualifier = column.field.qualifier;
    const bool taken = std::ranges::any_of(left.columns(), [&](const ScopeColumn& other) {
      return !qualifier.empty() && other.field.qualifier == qualifier;
    });
    if (taken) {
      return fail(
          Error{ErrorCode::kInvalidArgument,
                fmt::format("two tables are called {}: give one another name with AS", qualifier),
                position});
    }
  }
  for (const std::string& name : join.using_columns) {
    MILLRACE_TRY(add_using(name, left, right, position));
  }
  const auto is_used = [&](const ScopeColumn& column) {
    return !column.field.hidden &&
           std::ranges::find(join.using_columns, column.field.name) != join.using_columns.end();
  };
  // As in SQL, the columns of USING come first and once; the right one keeps its qualified name.
  std::ranges::stable_partition(left.columns(), is_used);
  for (ScopeColumn& column : right.columns()) {
    if (is_used(column)) column.field.hidden = true;
    left.columns().push_back(std::move(column));
  }
  if (join.condition) MILLRACE_TRY(add_condition(*join.condition, left));
  return left;
}

Result<Scope> Analyzer::visit(const AliasNode& alias, std::int32_t) {
  MILLRACE_ASSIGN(Scope scope, visit(alias.input));
  scope.requalify(alias.alias);
  return scope;
}

Result<Scope> Analyzer::visit(const WriteNode& write, std::int32_t position) {
  MILLRACE_ASSIGN(Scope scope, visit(write.input));
  MILLRACE_TRY(set_outputs(scope));
  MILLRACE_ASSIGN(TableDefinition definition,
                  definition_of(write.table, write.definition, position));
  auto traits = catalog_.traits(definition, TableRole::kSink);
  if (!traits) return fail(placed(std::move(traits).error(), position));
  auto sink = resolve_sink(query_, scope, std::move(definition), std::move(*traits), dialect_);
  if (!sink) return fail(placed(std::move(sink).error(), position));
  query_.sink = std::move(*sink);
  return scope;
}

Status Analyzer::add_condition(const Expr& condition, const Scope& scope) {
  if (is_call(condition, "and")) {
    for (const auto& part : condition.node().children) {
      MILLRACE_TRY(add_condition(Expr(part), scope));
    }
    return {};
  }
  MILLRACE_ASSIGN(BoundExpr predicate, scope.resolve(condition, dialect_));
  const std::int32_t position = condition.node().position;
  if (!predicate.type.is(TypeKind::kBoolean) && !predicate.type.is(TypeKind::kNull)) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("a condition must be boolean, {} is {}", condition.to_string(),
                                  predicate.type.to_string()),
                      position});
  }
  Condition result{std::move(predicate), std::nullopt, position};
  if (is_call(condition, "=")) {
    MILLRACE_ASSIGN(BoundExpr left, scope.resolve(Expr(condition.node().children[0]), dialect_));
    MILLRACE_ASSIGN(BoundExpr right, scope.resolve(Expr(condition.node().children[1]), dialect_));
    result.equality = {std::move(left), std::move(right)};
  }
  query_.conditions.push_back(std::move(result));
  return {};
}

Status Analyzer::add_using(const std::string& name, const Scope& left, const Scope& right,
                           std::int32_t position) {
  const ScopeColumn* left_column = left.find(name, false);
  const ScopeColumn* right_column = right.find(name, false);
  if (left_column == nullptr || right_column == nullptr) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("the {} side of JOIN ... USING has no column {}",
                                  left_column == nullptr ? "left" : "right", name),
                      position});
  }
  auto predicate = combine(operand(0) == operand(1),
                           {left_column->expression, right_column->expression}, dialect_);
  if (!predicate) {
    return fail(Error{
        ErrorCode::kInvalidArgument,
        fmt::format("USING ({}) cannot compare {} with {}", name,
                    left_column->field.type.to_string(), right_column->field.type.to_string()),
        position});
  }
  predicate->text = fmt::format("{}.{} = {}.{}", left_column->field.qualifier, name,
                                right_column->field.qualifier, name);
  query_.conditions.push_back(
      Condition{std::move(*predicate), std::pair(left_column->expression, right_column->expression),
                position});
  return {};
}

Status Analyzer::add_output(const Expr& expression, const Scope& input, Scope& output) {
  const ExprNode& node = expression.node();
  if (node.kind == ExprNode::Kind::kStar) {
    MILLRACE_ASSIGN(const auto columns, input.expand(node));
    for (const ScopeColumn* column : columns) output.columns().push_back(*column);
    return {};
  }
  const bool is_named = node.kind == ExprNode::Kind::kAlias;
  const Expr value = is_named ? Expr(node.children[0]) : expression;
  MILLRACE_ASSIGN(BoundExpr bound, input.resolve(value, dialect_));
  InputField field{"", natural_name(node), bound.type, false};
  if (!is_named && node.kind == ExprNode::Kind::kColumn) {
    // A plain column keeps its own spelling and its table.
    MILLRACE_ASSIGN(const ScopeColumn* column, input.find(node));
    field.qualifier = column->field.qualifier;
    field.name = column->field.name;
  }
  output.columns().push_back(ScopeColumn{std::move(field), std::move(bound)});
  return {};
}

Status Analyzer::set_outputs(const Scope& scope) {
  for (const ScopeColumn& column : scope.columns()) {
    if (column.field.hidden) continue;
    query_.outputs.push_back(OutputColumn{column.field.name, column.expression, -1});
  }
  return {};
}

Result<TableDefinition> Analyzer::definition_of(const std::string& name,
                                                const std::optional<TableDefinition>& definition,
                                                std::int32_t position) const {
  if (definition) return *definition;
  auto found = catalog_.table(name);
  if (!found) return fail(placed(std::move(found).error(), position));
  return found;
}

}  // namespace

Result<ResolvedQuery> analyze(const LogicalPlan& plan, const Catalog& catalog,
                              const Dialect& dialect) {
  return Analyzer(catalog, dialect).run(plan);
}

std::size_t ResolvedQuery::relation_of(std::size_t column) const {
  std::size_t index = relations.size() - 1;
  while (relations[index].first_column > column) --index;
  return index;
}

const RelationColumn& ResolvedQuery::column(std::size_t column) const {
  const Relation& relation = relations[relation_of(column)];
  return relation.columns[column - relation.first_column];
}

}  // namespace millrace::stream
