#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/catalog.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/plan/resolved_query.hpp"

namespace millrace::stream {

/// Resolves a logical plan: every table is asked from the catalog, every name is found, every type
/// is known. Errors name the column, option or table and what is near it, with the position in the
/// SQL text when there is one.
///
/// The columns of a stream with a format are those declared; the connector's own (key, topic,
/// partition, offset, timestamp, timestampType, headers) can be used by name but are not part of
/// `*`, and a declared column of the same name hides one. They flow on through sub-queries. A
/// stream in format 'raw' with no declared columns shows the connector's columns, value included;
/// with one declared column of type string or bytes, that column is the value.
///
/// The plan has no UnionNode and reads no view: expand_unions (stream/plan/union_branches.hpp)
/// comes first.
[[nodiscard]] Result<ResolvedQuery> analyze(const LogicalPlan& plan, const Catalog& catalog,
                                            const Dialect& dialect);

}  // namespace millrace::stream
