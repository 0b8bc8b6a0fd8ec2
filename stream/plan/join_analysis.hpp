#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

#include <cstddef>
#include <cstdint>

namespace millrace::stream {

/// One side of a join, resolved: what it added to the query and the names that it offers.
struct JoinSide {
  Scope scope;
  std::size_t relations_begin = 0;  ///< its relations in the query: [begin, end)
  std::size_t relations_end = 0;
  std::size_t conditions_begin = 0;  ///< its conditions in the query
  std::size_t conditions_end = 0;
};

/// Joins two sides of `query`, which are its newest parts, left before right. Gives the names that
/// can be used above. Refuses outer, semi and anti joins that would have to wait for a stream's end
/// (the stream must be the side whose rows are kept), and those whose far side is more than one
/// table.
[[nodiscard]] Result<Scope> resolve_join(const JoinNode& join, JoinSide left, JoinSide right,
                                         ResolvedQuery& query, const Dialect& dialect,
                                         std::int32_t position);

}  // namespace millrace::stream
