#pragma once

#include "millrace/error.hpp"
#include "millrace/value.hpp"

#include "stream/bound_expression.hpp"

namespace millrace::stream {

/// Computes an expression that reads no columns. kInvalidArgument says what fails.
[[nodiscard]] Result<Value> constant_value(const BoundExpr& expression);

}  // namespace millrace::stream
