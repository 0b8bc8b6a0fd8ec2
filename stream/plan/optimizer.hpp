#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/resolved_query.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace millrace::stream {

/// Equality of an expression over the rows so far with a column of the relation that comes, or with
/// an expression over its columns.
struct JoinKey {
  BoundExpr stream_key;          ///< over earlier relations, in the table key's type
  std::size_t table_column = 0;  ///< of the relation, counted from 0
  bool is_null_safe = false;     ///< nulls are equal
  /// In place of a column; its column numbers count within the relation.
  std::optional<BoundExpr> table_expression = {};
};

/// One relation that comes to the rows so far: a static table, on equality of keys where there are
/// any, or a list that each row brings along.
struct JoinStep {
  std::size_t relation = 0;
  std::vector<JoinKey> keys;
  std::vector<BoundExpr> residual;       ///< what else a pair must meet to match; inner: none
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
  std::vector<JoinStep> joins;           ///< in the order written, as far as each can come then
  std::set<std::size_t> columns_read;    ///< of the stream, by conditions too
  std::set<std::size_t> columns_needed;  ///< of the stream, after its own conditions
};

/// Orders the work of a resolved query. Refuses by name what cannot run yet: no stream, two
/// streams.
[[nodiscard]] Result<OptimizedQuery> optimize(ResolvedQuery query, const Dialect& dialect);

}  // namespace millrace::stream
