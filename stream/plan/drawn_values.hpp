#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

#include <cstddef>

namespace millrace::stream {

/// Whether each evaluation gives another result: rand, uuid. (The time of a row is not drawn: it is
/// that of its batch, wherever it is asked for.)
[[nodiscard]] bool is_drawn(const BoundExpr& expression);

/// Makes each column of `scope` that is drawn one of a relation that every row brings along, so
/// that who reads it twice reads the same: a name stands for one value. The rows are those of the
/// relations from `relations_begin` on.
[[nodiscard]] Status settle_drawn(Scope& scope, std::size_t relations_begin, ResolvedQuery& query,
                                  const Dialect& dialect);

}  // namespace millrace::stream
