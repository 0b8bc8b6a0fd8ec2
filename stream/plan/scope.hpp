#pragma once

#include "millrace/expression.hpp"

#include "stream/bound_expression.hpp"
#include "stream/dialect.hpp"
#include "stream/plan/expression_binder.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// A name that expressions at some place of the query can use, and what it stands for.
struct ScopeColumn {
  static constexpr std::size_t kInOrder = SIZE_MAX;

  InputField field;
  BoundExpr expression;  ///< over the columns of the ResolvedQuery's relations
  /// Another column of a join's USING stands for it in `*`: hidden, but still its table's.
  bool is_merged = false;
  /// Its place among its table's columns, where a join has put some of them elsewhere.
  std::size_t place = kInOrder;
};

/// The names that can be used at one place of the query, in the order of `*`. Built by the analysis
/// from the bottom of the tree up; a plain value.
class Scope {
 public:
  Scope() = default;
  explicit Scope(std::vector<ScopeColumn> columns) : columns_(std::move(columns)) {}

  /// Adds a name. A visible one hides the hidden ones of its name and qualifier.
  void add(ScopeColumn column);
  /// Makes every name one of `qualifier`. What a join merged is gone then.
  void requalify(const std::string& qualifier);

  /// Binds an expression (no star) to relation columns. Errors carry the position of the innermost
  /// part that is wrong.
  [[nodiscard]] Result<BoundExpr> resolve(const Expr& expression, const Dialect& dialect) const;
  /// The column that a column expression names, found as `resolve` does.
  [[nodiscard]] Result<const ScopeColumn*> find(const ExprNode& column) const;
  /// Replaces a star by the columns it stands for, in order: `*` by those that are visible,
  /// `table.*` by the table's own, with those that a join has merged.
  [[nodiscard]] Result<std::vector<const ScopeColumn*>> expand(const ExprNode& star) const;

  [[nodiscard]] const std::vector<ScopeColumn>& columns() const { return columns_; }
  [[nodiscard]] std::vector<ScopeColumn>& columns() { return columns_; }
  /// Places of the visible columns of that name; when there is none, of that name in another case.
  [[nodiscard]] std::vector<std::size_t> visible(std::string_view name) const;
  /// The first column of exactly that name among the visible or the hidden ones, or null.
  [[nodiscard]] const ScopeColumn* find(std::string_view name, bool hidden) const;

 private:
  [[nodiscard]] std::vector<InputField> fields() const;

  std::vector<ScopeColumn> columns_;
};

}  // namespace millrace::stream
