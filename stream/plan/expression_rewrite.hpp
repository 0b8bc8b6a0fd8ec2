#pragma once

#include "millrace/expression.hpp"

#include "stream/bound_expression.hpp"
#include "stream/dialect.hpp"

#include <functional>
#include <set>
#include <span>
#include <vector>

// The planner's few ways of changing bound expressions. Pure functions.

namespace millrace::stream {

/// Puts replacements[i] where column i stands. A replaced column keeps the replacement's text.
[[nodiscard]] BoundExpr substitute(const BoundExpr& expression,
                                   std::span<const BoundExpr> replacements);

/// Gives every column the number that `renumber` says.
[[nodiscard]] BoundExpr renumbered(BoundExpr expression,
                                   const std::function<std::size_t(std::size_t)>& renumber);

/// Whether it gives the same for a row whenever it is evaluated.
[[nodiscard]] bool is_reproducible(const BoundExpr& expression);

/// Whether it is that and never fails: it may be computed for rows that nobody asks for.
[[nodiscard]] bool is_total(const BoundExpr& expression);

/// Adds the numbers of all columns in it.
void collect_columns(const BoundExpr& expression, std::set<std::size_t>& columns);

/// Stands for operand `index` in the pattern of `combine`.
[[nodiscard]] Expr operand(std::size_t index);

/// Builds a new bound expression from bound ones: `combine(operand(0) && operand(1), {a, b})`.
[[nodiscard]] Result<BoundExpr> combine(const Expr& pattern, std::vector<BoundExpr> operands,
                                        const Dialect& dialect);

/// True when a value of type `source` may stand where a `target` is wanted without a written cast.
[[nodiscard]] bool is_safe_cast(const DataType& source, const DataType& target);

/// Joins all with AND, in order; one alone stays as it is. At least one.
[[nodiscard]] Result<BoundExpr> all_of(std::vector<BoundExpr> conditions, const Dialect& dialect);

}  // namespace millrace::stream
