#pragma once

#include "millrace/error.hpp"

#include "stream/catalog.hpp"
#include "stream/dialect.hpp"
#include "stream/logical_plan.hpp"
#include "stream/optimizer.hpp"
#include "stream/physical_plan.hpp"

#include <string>

namespace millrace::stream {

/// Lays an optimized query out as one chain of fused steps: source, decode, filter, static joins
/// (each with the conditions that wait for it), project, encode, sink. Columns that nobody reads
/// later are left behind at each step; a projection is made only when something is computed.
/// `name` is the query's; empty: that of its sink table.
[[nodiscard]] Result<PhysicalPlan> plan_physically(const OptimizedQuery& query, std::string name,
                                                   const Dialect& dialect);

/// Analysis, optimizer and physical planner in one: from what the user wrote to what runs. The plan
/// has a sink (a WriteNode at its root).
[[nodiscard]] Result<PhysicalPlan> plan_query(const LogicalPlan& plan, std::string name,
                                              const Catalog& catalog, const Dialect& dialect);

}  // namespace millrace::stream
