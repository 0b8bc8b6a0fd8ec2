#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"

#include "sql/tree_node.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace millrace::sql {

/// Turns expressions and type names of the parse tree into ours; lives for one parse. What SQL has
/// and we have not is refused by its SQL name. BETWEEN, IN, NULLIF, IS TRUE and CASE x WHEN are
/// written out in simpler terms.
class ExpressionBuilder {
 public:
  /// `text` is the SQL that the tree was parsed from; a borrow.
  explicit ExpressionBuilder(const std::string& text) : text_(text) {}

  /// Makes a type of CREATE TYPE known under its name. False if there is one of that name.
  [[nodiscard]] bool add_type(const std::string& name, DataType type) {
    return types_.emplace(name, std::move(type)).second;
  }

  [[nodiscard]] Result<Expr> build(const TreeNode& node) const;
  /// The expressions joined by AND; there is one at least.
  [[nodiscard]] Result<Expr> build_all(const std::vector<TreeNode>& nodes) const;
  [[nodiscard]] Result<DataType> build_type(const TreeNode& type_name) const;
  /// A number that the tree shows as an Integer; it leaves out all that are not positive, which are
  /// then read from the text at `position`.
  [[nodiscard]] Result<std::int64_t> integer(std::int64_t shown, std::int32_t position) const;

 private:
  [[nodiscard]] static Expr joined(std::vector<Expr> conditions, bool is_and);
  [[nodiscard]] Result<DataType> element_type(const TreeNode& type_name) const;
  [[nodiscard]] Result<Expr> build_any(const TreeNode& node) const;
  [[nodiscard]] Result<std::vector<Expr>> build_list(const formats::JsonValue::Array& nodes) const;
  [[nodiscard]] Result<Expr> column(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> field_of(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> subscript(Expr value, const TreeNode& part,
                                       std::int32_t position) const;
  [[nodiscard]] Result<Expr> constant(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> logical(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> null_test(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> boolean_test(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> cast(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> case_of(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> function(const TreeNode& node) const;
  [[nodiscard]] Result<std::vector<Expr>> build_with_lambdas(
      const formats::JsonValue::Array& nodes) const;
  [[nodiscard]] Result<Expr> try_cast(const TreeNode& node,
                                      const std::vector<Expr>& arguments) const;
  [[nodiscard]] Result<Expr> extreme(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> distinct_test(const TreeNode& node, bool is_negated) const;
  [[nodiscard]] Result<Expr> operation(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> plain_operation(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> named_operation(const TreeNode& node, const std::string& name) const;
  [[nodiscard]] Result<Expr> equality_of_rows(const TreeNode& left, const TreeNode& right) const;
  [[nodiscard]] Result<Expr> any_of_array(const TreeNode& node, bool is_all) const;
  [[nodiscard]] Result<Expr> like(const TreeNode& node, const char* function) const;
  [[nodiscard]] Result<Expr> in_list(const TreeNode& node) const;
  [[nodiscard]] Result<Expr> between(const TreeNode& node, bool is_negated) const;

  const std::string& text_;
  std::map<std::string, DataType, std::less<>> types_;
};

}  // namespace millrace::sql
