#include "stream/plan/union_branches.hpp"

#include "stream/plan/analysis.hpp"
#include "stream/type_coercion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace millrace::stream {
namespace {

using Branches = std::vector<LogicalPlan>;

// A view of unions of views doubles quickly; every branch is a query of its own.
constexpr std::size_t kBranchesMax = 1000;

Status check_count(std::size_t branches, std::int32_t position) {
  if (branches <= kBranchesMax) return {};
  return fail(Error{ErrorCode::kInvalidArgument,
                    fmt::format("a query of {} branches of UNION ALL is too large: {} are the most",
                                branches, kBranchesMax),
                    position});
}

/// Expands one tree from the bottom up.
class UnionExpansion {
 public:
  UnionExpansion(const Catalog& catalog, const Dialect& dialect)
      : catalog_(catalog), dialect_(dialect) {}

  Result<Branches> expand(const LogicalPlan& plan) const {
    return std::visit([&](const auto& step) { return expand(step, plan); }, plan->step);
  }

 private:
  Result<Branches> expand(const ScanNode& scan, const LogicalPlan& plan) const {
    LogicalPlan view = scan.definition ? nullptr : catalog_.view(scan.table);
    if (view == nullptr) return Branches{plan};
    const std::string& name = scan.alias.empty() ? scan.table : scan.alias;
    return expand(make_plan(AliasNode{std::move(view), name}, plan->position));
  }
  Result<Branches> expand(const ValuesNode&, const LogicalPlan& plan) const {
    return Branches{plan};
  }

  // Any step on one input is done in each branch.
  template <typename Step>
  Result<Branches> expand(const Step& step, const LogicalPlan& plan) const {
    MILLRACE_ASSIGN(const Branches inputs, expand(step.input));
    if (inputs.size() == 1 && inputs[0] == step.input) return Branches{plan};
    Branches result;
    for (const LogicalPlan& input : inputs) {
      Step copy = step;
      copy.input = input;
      result.push_back(make_plan(std::move(copy), plan->position));
    }
    return result;
  }

  Result<Branches> expand(const JoinNode& join, const LogicalPlan& plan) const {
    MILLRACE_ASSIGN(const Branches lefts, expand(join.left));
    MILLRACE_ASSIGN(const Branches rights, expand(join.right));
    if (lefts.size() == 1 && rights.size() == 1)
      return Branches{joined(join, lefts[0], rights[0], plan)};
    // Only rows that are kept can be dealt with branch by branch; matches must all be seen.
    const bool is_inner = join.kind == JoinKind::kInner || join.kind == JoinKind::kCross;
    const Branches& far = join.kind == JoinKind::kRight ? lefts : rights;
    if (!is_inner && far.size() > 1) {
      const std::string where =
          join.sub_query.empty() ? fmt::format("on the far side of a {} join", to_string(join.kind))
                                 : fmt::format("in the sub-query of {}", join.sub_query);
      return fail(Error{ErrorCode::kNotSupported,
                        fmt::format("a union {} is not supported yet", where), plan->position});
    }
    MILLRACE_TRY(check_count(lefts.size() * rights.size(), plan->position));
    Branches result;
    for (const LogicalPlan& left : lefts)
      for (const LogicalPlan& right : rights) result.push_back(joined(join, left, right, plan));
    return result;
  }

  static LogicalPlan joined(const JoinNode& join, const LogicalPlan& left, const LogicalPlan& right,
                            const LogicalPlan& plan) {
    if (left == join.left && right == join.right) return plan;
    JoinNode copy = join;
    copy.left = left;
    copy.right = right;
    return make_plan(std::move(copy), plan->position);
  }

  Result<Branches> expand(const UnionNode& node, const LogicalPlan& plan) const {
    MILLRACE_ASSIGN(Branches branches, expand(node.left));
    MILLRACE_ASSIGN(const Branches rights, expand(node.right));
    MILLRACE_TRY(check_count(branches.size() + rights.size(), plan->position));
    branches.insert(branches.end(), rights.begin(), rights.end());
    std::vector<PlanShape> shapes;
    for (const LogicalPlan& branch : branches) {
      MILLRACE_ASSIGN(PlanShape shape, shape_of_branch(branch));
      shapes.push_back(std::move(shape));
    }
    MILLRACE_TRY(check_streams(shapes, plan->position));
    MILLRACE_ASSIGN(const std::vector<Field> columns, common_columns(shapes, plan->position));
    Branches result;
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const auto* made = std::get_if<BranchNode>(&branches[i]->step);
      if (made != nullptr && made->columns == columns) {
        result.push_back(std::move(branches[i]));
        continue;
      }
      result.push_back(make_plan(BranchNode{std::move(branches[i]), columns}, plan->position));
      shapes_.emplace(result.back(), PlanShape{columns, shapes[i].has_stream});
    }
    return result;
  }

  // A union of many is a tree as deep: what a branch gives is found once.
  Result<PlanShape> shape_of_branch(const LogicalPlan& branch) const {
    if (const auto found = shapes_.find(branch); found != shapes_.end()) return found->second;
    MILLRACE_ASSIGN(const ResolvedQuery query, analyze(branch, catalog_, dialect_));
    PlanShape shape{columns_of(query.outputs), query.has_stream()};
    shapes_.emplace(branch, shape);
    return shape;
  }

  static Status check_streams(const std::vector<PlanShape>& shapes, std::int32_t position) {
    const bool are_alike = std::ranges::all_of(shapes, [&](const PlanShape& shape) {
      return shape.has_stream == shapes.front().has_stream;
    });
    if (are_alike) return {};
    return fail(Error{ErrorCode::kInvalidArgument,
                      "a union of a stream with a table has no place for the table's rows: write "
                      "them to the stream's source",
                      position});
  }

  Result<std::vector<Field>> common_columns(const std::vector<PlanShape>& shapes,
                                            std::int32_t position) const {
    std::vector<Field> columns = shapes[0].columns;
    for (const PlanShape& shape : shapes) {
      const std::vector<Field>& side = shape.columns;
      if (side.size() != columns.size()) {
        return fail(Error{ErrorCode::kInvalidArgument,
                          fmt::format("the sides of a union must have as many columns: {} and {}",
                                      columns.size(), side.size()),
                          position});
      }
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::vector<Argument> both = {{columns[i].type}, {side[i].type}};
        const auto type = common_type(Arguments(both, dialect_.coercion()));
        if (!type) {
          return fail(Error{
              ErrorCode::kInvalidArgument,
              fmt::format("column {} of a union is {} on one side and {} on another: "
                          "cast one of them",
                          columns[i].name, columns[i].type.to_string(), side[i].type.to_string()),
              position});
        }
        columns[i].type = *type;
      }
    }
    return columns;
  }

  const Catalog& catalog_;
  const Dialect& dialect_;
  mutable std::map<LogicalPlan, PlanShape> shapes_;  ///< of branches that were looked at
};

}  // namespace

Result<std::vector<LogicalPlan>> expand_unions(const LogicalPlan& plan, const Catalog& catalog,
                                               const Dialect& dialect) {
  return UnionExpansion(catalog, dialect).expand(plan);
}

Result<PlanShape> shape_of(const LogicalPlan& plan, const Catalog& catalog,
                           const Dialect& dialect) {
  MILLRACE_ASSIGN(const std::vector<LogicalPlan> branches, expand_unions(plan, catalog, dialect));
  MILLRACE_ASSIGN(const ResolvedQuery query, analyze(branches.front(), catalog, dialect));
  return PlanShape{columns_of(query.outputs), query.has_stream()};
}

}  // namespace millrace::stream
