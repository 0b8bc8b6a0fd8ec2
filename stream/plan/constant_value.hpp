#pragma once

#include "millrace/error.hpp"
#include "millrace/value.hpp"

#include "stream/bound_expression.hpp"

namespace millrace::stream {

/// A call that gives the same for every row: of literals alone, by a reproducible function.
[[nodiscard]] bool is_call_of_literals(const BoundExpr& expression);

/// Computes an expression that reads no columns. kInvalidArgument says what fails.
[[nodiscard]] Result<Value> constant_value(const BoundExpr& expression);

/// Refuses an expression with a call of literals that fails and that every row evaluates, at the
/// call's position. One that only some rows come to, in a branch of CASE or behind AND, is let
/// pass: it fails those rows.
[[nodiscard]] Status check_constants(const BoundExpr& expression);

}  // namespace millrace::stream
