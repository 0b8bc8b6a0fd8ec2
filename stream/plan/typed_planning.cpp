#include "stream/plan/typed_planning.hpp"

#include "millrace/described.hpp"

#include "stream/plan/physical_planner.hpp"
#include "stream/plan/typed_rows.hpp"
#include "stream/plan/union_branches.hpp"

#include <utility>
#include <variant>

namespace millrace::stream {
namespace {

constexpr const char* kTyped = "typed";

/// What takes the rows from below, until the function does.
class TypedTarget final : public HostTable {
 public:
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return kTyped; }
  [[nodiscard]] HostRole role() const override { return HostRole::kSink; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }

 private:
  const std::string name_ = kTyped;
  const std::vector<Field> columns_;
};

/// Knows that target besides the tables there are.
class TypedCatalog final : public Catalog {
 public:
  explicit TypedCatalog(const Catalog& tables) : tables_(tables) {}
  [[nodiscard]] Result<TableDefinition> table(std::string_view name) const override {
    return tables_.table(name);
  }
  [[nodiscard]] LogicalPlan view(std::string_view name) const override {
    return tables_.view(name);
  }
  [[nodiscard]] Result<TableTraits> traits(const TableDefinition& table,
                                           TableRole role) const override {
    if (role == TableRole::kSink && table.connector == kTyped) return TableTraits{};
    return tables_.traits(table, role);
  }

 private:
  const Catalog& tables_;
};

Expr plain_column(const std::string& name) {
  ExprNode node;
  node.kind = ExprNode::Kind::kColumn;
  node.name = name;
  return Expr(std::move(node));
}

// The function's inputs, in order, written to the target.
Result<LogicalPlan> plan_of_inputs(const TypedRows& rows, const Catalog& catalog,
                                   const Dialect& dialect) {
  const TypedFunction& function = *rows.function();
  MILLRACE_ASSIGN(const PlanShape below, shape_of(rows.input(), catalog, dialect));
  MILLRACE_TRY(match_columns(function.row_name, function.inputs, below.columns));

  std::vector<Expr> inputs;
  for (const Field& input : function.inputs) inputs.push_back(plain_column(input.name));
  TableDefinition target{kTyped, kTyped, {}, {}, std::make_shared<TypedTarget>()};
  return make_plan(WriteNode{make_plan(ProjectNode{rows.input(), std::move(inputs)}), kTyped,
                             std::move(target)});
}

// The columns of the function's rows that the rest reads, in the order it wants them.
ProjectSpec projection_to(const SourceSpec& wanted, const std::vector<Field>& made) {
  ProjectSpec project;
  project.output = wanted.schema;
  for (const std::string& name : wanted.record_columns) {
    BoundExpr column;
    column.kind = BoundExpr::Kind::kColumn;
    column.text = name;
    while (made[column.column].name != name) ++column.column;
    column.type = made[column.column].type;
    project.expressions.push_back(std::move(column));
  }
  return project;
}

// `below` with the function in the place of its sink, then the steps of `above`.
ChainSpec joined(ChainSpec below, const ChainSpec& above, const TypedRows& rows) {
  const std::size_t steps_below = below.nodes.size();
  const std::size_t projection = steps_below;
  for (ChainNode& node : below.nodes) {
    if (!std::holds_alternative<SinkSpec>(node.spec)) continue;
    node.spec = TypedSpec{rows.function(), make_schema(rows.columns())};
    node.targets = {projection};
  }
  below.nodes.push_back({projection_to(above.source, rows.columns()), {projection + 1}});
  for (const ChainNode& node : above.nodes) {
    below.nodes.push_back(node);
    for (std::size_t& target : below.nodes.back().targets) target += projection + 1;
  }
  return below;
}

}  // namespace

std::optional<TableTraits> typed_traits(const TableDefinition& table) {
  if (dynamic_cast<const TypedRows*>(table.host.get()) == nullptr) return std::nullopt;
  TableTraits traits;
  traits.is_stream = true;
  return traits;
}

Result<PhysicalPlan> expand_typed(PhysicalPlan plan, const Catalog& catalog,
                                  const Dialect& dialect) {
  std::vector<ChainSpec> chains;
  for (ChainSpec& chain : plan.chains) {
    const auto rows = std::dynamic_pointer_cast<const TypedRows>(chain.source.table.host);
    if (rows == nullptr) {
      chains.push_back(std::move(chain));
      continue;
    }
    const TypedCatalog with_target(catalog);
    MILLRACE_ASSIGN(const LogicalPlan inputs, plan_of_inputs(*rows, catalog, dialect));
    MILLRACE_ASSIGN(PhysicalPlan below, plan_query(inputs, kTyped, with_target, dialect));
    MILLRACE_ASSIGN(below, expand_typed(std::move(below), with_target, dialect));
    for (ChainSpec& one : below.chains) chains.push_back(joined(std::move(one), chain, *rows));
  }
  plan.chains = std::move(chains);
  return plan;
}

}  // namespace millrace::stream
