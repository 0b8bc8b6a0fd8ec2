#pragma once

#include "millrace/error.hpp"

#include "formats/table_rows.hpp"
#include "stream/bound_expression.hpp"

#include <span>

namespace millrace::operators {

/// Adds to a table a column for each expression, behind its own, which they read. kInvalidArgument
/// names the row that one fails on.
[[nodiscard]] Status add_computed(formats::TableRows& table,
                                  std::span<const stream::BoundExpr> computed);

}  // namespace millrace::operators
