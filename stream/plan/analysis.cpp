#include "stream/plan/analysis.hpp"

#include "millrace/assert.hpp"

#include "stream/plan/condition_analysis.hpp"
#include "stream/plan/constant_value.hpp"
#include "stream/plan/drawn_values.hpp"
#include "stream/plan/explode_analysis.hpp"
#include "stream/plan/expression_binder.hpp"
#include "stream/plan/join_analysis.hpp"
#include "stream/plan/relation_analysis.hpp"
#include "stream/plan/scope.hpp"
#include "stream/plan/sink_analysis.hpp"
#include "stream/plan/values_table.hpp"

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
  Result<Scope> visit(const ValuesNode& values, std::int32_t position);
  Result<Scope> visit(const FilterNode& filter, std::int32_t position);
  Result<Scope> visit(const ProjectNode& project, std::int32_t position);
  Result<Scope> visit(const WithColumnNode& node, std::int32_t position);
  Result<Scope> visit(const DropNode& drop, std::int32_t position);
  Result<Scope> visit(const RenameNode& rename, std::int32_t position);
  Result<Scope> visit(const JoinNode& join, std::int32_t position);
  Result<Scope> visit(const ExplodeNode& explode, std::int32_t position);
  Result<Scope> visit(const UnionNode& node, std::int32_t position);
  Result<Scope> visit(const BranchNode& branch, std::int32_t position);
  Result<Scope> visit(const AliasNode& alias, std::int32_t position);
  Result<Scope> visit(const WriteNode& write, std::int32_t position);

  Result<Scope> visit_input(const LogicalPlan& plan);
  Result<JoinSide> visit_side(const LogicalPlan& plan);
  Status add_output(const Expr& expression, const Scope& input, std::size_t relations_begin,
                    Scope& output);
  Result<std::vector<std::size_t>> known_columns(const Scope& scope, const std::string& name,
                                                 std::int32_t position) const;
  Status set_outputs(const Scope& scope);
  Result<TableDefinition> definition_of(const std::string& name,
                                        const std::optional<TableDefinition>& definition,
                                        std::int32_t position) const;

  const Catalog& catalog_;
  const Dialect& dialect_;
  ResolvedQuery query_;
};

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

/// Of a struct's field, as SQL's (s).f or field(s, 'f'); null of anything else.
const std::string* field_name(const ExprNode& call) {
  if (call.name != "field" || call.children.size() != 2) return nullptr;
  return std::get_if<std::string>(&call.children[1]->value.data);
}

// The name that an expression brings along when nobody gives it one: a column its own, a cast that
// of what it casts, a struct's field the field's, a function call the function's. Operators have
// none.
std::string natural_name(const ExprNode& node) {
  switch (node.kind) {
    case ExprNode::Kind::kColumn:
    case ExprNode::Kind::kAlias:
      return node.name;
    case ExprNode::Kind::kCast:
    case ExprNode::Kind::kTryCast:
      return natural_name(*node.children[0]);
    case ExprNode::Kind::kCall:
      if (const std::string* field = field_name(node)) return *field;
      return is_operator(node.name) ? "" : node.name;
    default:
      return "";
  }
}

bool names_column(const Options& options) {
  return std::ranges::any_of(options.entries(), [](const Options::Entry& entry) {
    return entry.canonical.ends_with("column");
  });
}

Result<ResolvedQuery> Analyzer::run(const LogicalPlan& plan) {
  MILLRACE_ASSIGN(const Scope scope, visit(plan));
  if (!query_.sink) MILLRACE_TRY(set_outputs(scope));
  for (const OutputColumn& output : query_.outputs)
    MILLRACE_TRY(check_constants(output.expression));
  return std::move(query_);
}

Result<Scope> Analyzer::visit(const LogicalPlan& plan) {
  MILLRACE_ASSERT(plan != nullptr);
  return std::visit([&](const auto& step) { return visit(step, plan->position); }, plan->step);
}

/// For a step that reads names: each stands for one value, however often it is read.
Result<Scope> Analyzer::visit_input(const LogicalPlan& plan) {
  const std::size_t begin = query_.relations.size();
  MILLRACE_ASSIGN(Scope scope, visit(plan));
  MILLRACE_TRY(settle_drawn(scope, begin, query_, dialect_));
  return scope;
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
  query_.add(std::move(*relation));
  const Relation& added = query_.relations.back();
  return scope_of(added, scan.alias.empty() ? added.table.name : scan.alias);
}

Result<Scope> Analyzer::visit(const ValuesNode& values, std::int32_t position) {
  std::vector<std::string> names = values.names;
  if (values.is_select) {
    for (const Expr& expression : values.rows.front())
      names.push_back(natural_name(expression.node()));
  }
  MILLRACE_ASSIGN(TableDefinition definition, values_table(values, std::move(names), dialect_));
  Relation relation;
  for (const Field& column : definition.columns) relation.columns.push_back({column, false});
  relation.table = std::move(definition);
  relation.position = position;
  query_.add(std::move(relation));
  return scope_of(query_.relations.back(), "");
}

Result<Scope> Analyzer::visit(const FilterNode& filter, std::int32_t) {
  MILLRACE_ASSIGN(Scope scope, visit_input(filter.input));
  const std::size_t before = query_.conditions.size();
  MILLRACE_TRY(add_conditions(filter.condition, scope, dialect_, query_.relations.size(),
                              query_.conditions));
  // Those behind the first are for the rows that meet it.
  MILLRACE_TRY(check_constants(query_.conditions[before].predicate));
  return scope;
}

Result<Scope> Analyzer::visit(const ProjectNode& project, std::int32_t) {
  const std::size_t begin = query_.relations.size();
  MILLRACE_ASSIGN(const Scope input, visit_input(project.input));
  Scope output;
  for (const Expr& expression : project.expressions) {
    MILLRACE_TRY(add_output(expression, input, begin, output));
  }
  for (const ScopeColumn& column : input.columns()) {
    const bool is_of_record = column.field.hidden && !column.is_merged;
    if (is_of_record && output.find(column.field.name, false) == nullptr) output.add(column);
  }
  return output;
}

Result<Scope> Analyzer::visit(const WithColumnNode& node, std::int32_t) {
  MILLRACE_ASSIGN(Scope scope, visit_input(node.input));
  MILLRACE_ASSIGN(BoundExpr bound, scope.resolve(node.expression, dialect_));
  ScopeColumn column{InputField{"", node.name, bound.type, false}, std::move(bound)};
  const auto old = scope.visible(node.name);
  if (old.empty()) {
    scope.add(std::move(column));
  } else {
    for (const std::size_t place : old) scope.columns()[place] = column;
  }
  return scope;
}

Result<Scope> Analyzer::visit(const DropNode& drop, std::int32_t position) {
  MILLRACE_ASSIGN(Scope scope, visit(drop.input));
  for (const std::string& name : drop.columns) {
    MILLRACE_ASSIGN(const auto places, known_columns(scope, name, position));
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      scope.columns().erase(scope.columns().begin() + static_cast<std::ptrdiff_t>(*place));
    }
  }
  return scope;
}

Result<Scope> Analyzer::visit(const RenameNode& rename, std::int32_t position) {
  MILLRACE_ASSIGN(Scope scope, visit(rename.input));
  MILLRACE_ASSIGN(const auto places, known_columns(scope, rename.from, position));
  for (const std::size_t place : places) scope.columns()[place].field.name = rename.to;
  return scope;
}

Result<Scope> Analyzer::visit(const JoinNode& join, std::int32_t position) {
  MILLRACE_ASSIGN(JoinSide left, visit_side(join.left));
  MILLRACE_ASSIGN(JoinSide right, visit_side(join.right));
  return resolve_join(join, std::move(left), std::move(right), query_, dialect_, position);
}

Result<JoinSide> Analyzer::visit_side(const LogicalPlan& plan) {
  JoinSide side;
  side.relations_begin = query_.relations.size();
  side.conditions_begin = query_.conditions.size();
  MILLRACE_ASSIGN(side.scope, visit_input(plan));
  side.relations_end = query_.relations.size();
  side.conditions_end = query_.conditions.size();
  return side;
}

Result<Scope> Analyzer::visit(const ExplodeNode& explode, std::int32_t) {
  const std::size_t begin = query_.relations.size();
  MILLRACE_ASSIGN(Scope scope, visit_input(explode.input));
  MILLRACE_ASSIGN(std::vector<ScopeColumn> columns,
                  add_exploded(explode, scope, begin, query_, dialect_));
  for (ScopeColumn& column : columns) scope.add(std::move(column));
  return scope;
}

Result<Scope> Analyzer::visit(const UnionNode&, std::int32_t) {
  MILLRACE_ASSERT(!"a union is one query for each of its branches");
  return Scope();
}

Result<Scope> Analyzer::visit(const BranchNode& branch, std::int32_t) {
  MILLRACE_ASSIGN(const Scope input, visit(branch.input));
  Scope output;
  for (const ScopeColumn& column : input.columns()) {
    if (column.field.hidden) continue;
    const Field& field = branch.columns[output.columns().size()];
    MILLRACE_ASSIGN(BoundExpr cast, bind_cast(column.expression, field.type, dialect_));
    output.columns().push_back({InputField{"", field.name, field.type, false}, std::move(cast)});
  }
  MILLRACE_ASSERT(output.columns().size() == branch.columns.size());
  return output;
}

Result<Scope> Analyzer::visit(const AliasNode& alias, std::int32_t position) {
  MILLRACE_ASSIGN(Scope scope, visit(alias.input));
  scope.requalify(alias.alias);
  std::size_t renamed = 0;
  for (ScopeColumn& column : scope.columns()) {
    if (renamed == alias.columns.size()) break;
    if (!column.field.hidden) column.field.name = alias.columns[renamed++];
  }
  if (renamed < alias.columns.size()) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("{} names {} columns, and there {} {}", alias.alias,
                                  alias.columns.size(), renamed == 1 ? "is" : "are", renamed),
                      position});
  }
  return scope;
}

Result<Scope> Analyzer::visit(const WriteNode& write, std::int32_t position) {
  MILLRACE_ASSIGN(Scope scope, visit(write.input));
  MILLRACE_ASSIGN(TableDefinition definition,
                  definition_of(write.table, write.definition, position));
  // A column that an option names may be written as well.
  if (names_column(definition.options)) MILLRACE_TRY(settle_drawn(scope, 0, query_, dialect_));
  MILLRACE_TRY(set_outputs(scope));
  auto traits = catalog_.traits(definition, TableRole::kSink);
  if (!traits) return fail(placed(std::move(traits).error(), position));
  auto sink = resolve_sink(query_, scope, std::move(definition), std::move(*traits), dialect_);
  if (!sink) return fail(placed(std::move(sink).error(), position));
  query_.sink = std::move(*sink);
  return scope;
}

/// The visible columns of that name, of which there is one at least.
Result<std::vector<std::size_t>> Analyzer::known_columns(const Scope& scope,
                                                         const std::string& name,
                                                         std::int32_t position) const {
  auto places = scope.visible(name);
  if (!places.empty()) return places;
  auto problem = scope.resolve(col(name), dialect_);
  if (!problem) return fail(placed(std::move(problem).error(), position));
  return fail(Error{ErrorCode::kInvalidArgument,
                    fmt::format("{} is no column of the rows here that has this name alone", name),
                    position});
}

Status Analyzer::add_output(const Expr& expression, const Scope& input, std::size_t relations_begin,
                            Scope& output) {
  const ExprNode& node = expression.node();
  if (node.kind == ExprNode::Kind::kStar) {
    MILLRACE_ASSIGN(const auto columns, input.expand(node));
    for (const ScopeColumn* column : columns) {
      output.columns().push_back({column->field, column->expression});
      output.columns().back().field.hidden = false;
    }
    return {};
  }
  const bool is_named = node.kind == ExprNode::Kind::kAlias;
  const Expr value = is_named ? Expr(node.children[0]) : expression;
  if (is_explode(value)) {
    MILLRACE_ASSIGN(const auto columns, add_exploded(value, is_named ? node.name : "", input,
                                                     relations_begin, query_, dialect_));
    for (const ScopeColumn& column : columns) output.columns().push_back(column);
    return {};
  }
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

void ResolvedQuery::add(Relation relation) {
  if (!relations.empty()) {
    relation.first_column = relations.back().first_column + relations.back().columns.size();
  }
  relations.push_back(std::move(relation));
}

std::size_t ResolvedQuery::relation_of(std::size_t column) const {
  std::size_t index = relations.size() - 1;
  while (relations[index].first_column > column) --index;
  return index;
}

bool ResolvedQuery::has_stream() const {
  return std::ranges::any_of(relations,
                             [](const Relation& relation) { return relation.traits.is_stream; });
}

std::vector<Field> columns_of(const std::vector<OutputColumn>& outputs) {
  std::vector<Field> columns;
  for (const OutputColumn& output : outputs)
    columns.push_back({output.name, output.expression.type});
  return columns;
}

const RelationColumn& ResolvedQuery::column(std::size_t column) const {
  const Relation& relation = relations[relation_of(column)];
  return relation.columns[column - relation.first_column];
}

}  // namespace millrace::stream
