#pragma once

#include "millrace/error.hpp"

#include "sql/expression_builder.hpp"
#include "sql/tree_node.hpp"
#include "stream/plan/logical_plan.hpp"

namespace millrace::sql {

/// Turns a SelectStmt of the parse tree into a logical plan; lives for one parse.
class SelectBuilder {
 public:
  explicit SelectBuilder(const ExpressionBuilder& expressions) : expressions_(expressions) {}

  [[nodiscard]] Result<stream::LogicalPlan> build(const TreeNode& select) const;

 private:
  [[nodiscard]] Status check_supported(const TreeNode& select) const;
  [[nodiscard]] Result<stream::LogicalPlan> union_of(const TreeNode& select) const;
  [[nodiscard]] Result<stream::LogicalPlan> values(const TreeNode& select) const;
  [[nodiscard]] Result<stream::LogicalPlan> row(const TreeNode& select) const;
  [[nodiscard]] Result<stream::LogicalPlan> from(const TreeNode& select) const;
  [[nodiscard]] Result<stream::LogicalPlan> item(const TreeNode& node,
                                                 stream::LogicalPlan before = nullptr) const;
  [[nodiscard]] Result<stream::LogicalPlan> table(const TreeNode& node) const;
  [[nodiscard]] Result<stream::LogicalPlan> sub_query(const TreeNode& node) const;
  [[nodiscard]] static stream::LogicalPlan aliased(stream::LogicalPlan plan, const TreeNode& alias,
                                                   std::int32_t position);
  [[nodiscard]] Result<stream::LogicalPlan> joined(stream::LogicalPlan left, const TreeNode& right,
                                                   const TreeNode& join) const;
  [[nodiscard]] Result<stream::LogicalPlan> table_function(stream::LogicalPlan input,
                                                           const TreeNode& node,
                                                           bool keeps_empty) const;
  [[nodiscard]] Result<Expr> row_making_call(const TreeNode& node) const;
  [[nodiscard]] Result<stream::LogicalPlan> join(const TreeNode& node,
                                                 stream::LogicalPlan before) const;
  [[nodiscard]] Result<stream::LogicalPlan> where(stream::LogicalPlan plan,
                                                  const TreeNode& select) const;
  [[nodiscard]] Result<stream::LogicalPlan> exists(stream::LogicalPlan plan, const TreeNode& link,
                                                   bool is_negated) const;
  [[nodiscard]] Result<stream::LogicalPlan> in(stream::LogicalPlan plan, const TreeNode& link,
                                               bool is_negated) const;
  [[nodiscard]] Result<std::vector<Expr>> targets(const TreeNode& select) const;

  const ExpressionBuilder& expressions_;
};

/// The plain name of a table; one with a schema or database before it is refused.
[[nodiscard]] Result<std::string> table_name(const TreeNode& range);

}  // namespace millrace::sql
