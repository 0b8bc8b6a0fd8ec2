#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::stream {

/// Whether the expression is a call that makes rows: explode, explode_outer, posexplode,
/// posexplode_outer or unnest.
[[nodiscard]] bool is_explode(const Expr& expression);

/// Adds what such a call explodes to `query`, behind the relations from `relations_begin` on. Gives
/// the new columns: of an array the element (called `name`; empty: `col`, of unnest `unnest`), of a
/// map key and value; before them the place (`pos`) where the call asks for it.
[[nodiscard]] Result<std::vector<ScopeColumn>> add_exploded(
    const Expr& call, const std::string& name, const Scope& scope, std::size_t relations_begin,
    ResolvedQuery& query, const Dialect& dialect);

/// The same for a step of its own, with its names and its ordinality. `scope` is what is there
/// before.
[[nodiscard]] Result<std::vector<ScopeColumn>> add_exploded(const ExplodeNode& explode,
                                                            const Scope& scope,
                                                            std::size_t relations_begin,
                                                            ResolvedQuery& query,
                                                            const Dialect& dialect);

}  // namespace millrace::stream
