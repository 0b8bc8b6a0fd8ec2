#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/resolved_query.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace millrace::stream {

/// One static table joined to the rows so far, on equality of keys.
struct JoinStep {
  std::size_t relation = 0;
  std::vector<BoundExpr> stream_keys;    ///< over earlier relations, in the table column's type
  std::vector<std::size_t> table_keys;   ///< columns of the relation, counted from 0
  std::vector<BoundExpr> conditions;     ///< tested right after: those that need this table first
  std::set<std::size_t> columns_needed;  ///< what is read after the join itself
};

/// A query in the order in which it runs: the stream, what can be tested on it alone, the joins one
/// by one, the outputs. Conditions stand as early as their columns allow; equalities that became
/// keys are gone; columns that nobody reads are in none of the sets.
struct OptimizedQuery {
  ResolvedQuery query;
  std::size_t stream = 0;                ///< the relation that is read without end
  std::vector<BoundExpr> conditions;     ///< on the stream alone
  std::vector<JoinStep> joins;           ///< in the order written
  std::set<std::size_t> columns_read;    ///< of the stream, by conditions too
  std::set<std::size_t> columns_needed;  ///< of the stream, after its own conditions
};

/// Orders the work of a resolved query. Refuses by name what cannot run yet: no stream, two
/// streams, a join without an equality.
[[nodiscard]] Result<OptimizedQuery> optimize(ResolvedQuery query, const Dialect& dialect);

}  // namespace millrace::stream
