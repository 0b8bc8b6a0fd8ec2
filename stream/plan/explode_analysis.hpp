#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::stream {

/// Whether the expression is a call that makes rows: explode, explode_outer, posexplode or
/// posexplode_outer.
[[nodiscard]] bool is_explode(const Expr& expression);

/// Adds what such a call explodes to `query`, behind the relations from `relations_begin` on. Gives
/// the new columns: of an array the element (called `name`; empty: `col`), of a map key and value;
/// before them the place (`pos`) where the call asks for it.
[[nodiscard]] Result<std::vector<ScopeColumn>> add_exploded(
    const Expr& call, const std::string& name, const Scope& scope, std::size_t relations_begin,
    ResolvedQuery& query, const Dialect& dialect);

}  // namespace millrace::stream
