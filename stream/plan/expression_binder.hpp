#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"

#include "stream/bound_expression.hpp"
#include "stream/dialect.hpp"

#include <span>
#include <string>

namespace millrace::stream {

/// A column that an expression may name.
struct InputField {
  std::string qualifier;  ///< the table's name or alias; empty: none
  std::string name;
  DataType type;
  bool hidden = false;  ///< not shown by `*`; found by name only when no visible column has it
};

/// Resolves names to column numbers (indices into `inputs`) and calls to functions of the dialect,
/// inserts the implicit casts, and computes calls of literals alone. A call of a type's name casts
/// to that type. A name matches exactly, or
/// else without regard to case. Errors name the column, function or type and what is near it.
/// Call it as stream::bind: unqualified, the compiler also sees std::bind.
[[nodiscard]] Result<BoundExpr> bind(const Expr& expression, std::span<const InputField> inputs,
                                     const Dialect& dialect);

/// Finds one column as `bind` does: for analysis that needs no more than its number.
[[nodiscard]] Result<std::size_t> find_column(const std::string& qualifier, const std::string& name,
                                              std::span<const InputField> inputs);

/// Wraps `expression` in the cast to `type`; itself when it has that type already.
[[nodiscard]] Result<BoundExpr> bind_cast(BoundExpr expression, const DataType& type,
                                          const Dialect& dialect);

}  // namespace millrace::stream
