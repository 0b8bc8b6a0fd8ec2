#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/catalog.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/plan/optimizer.hpp"
#include "stream/plan/physical_plan.hpp"

#include <span>
#include <string>

namespace millrace::stream {

/// Lays optimized queries out as chains of fused steps, one a source: source, decode, filter,
/// static joins and explodes (each with the conditions that wait for it), project, encode, sink.
/// Those that read the same source share what stands before their own steps: it is read once.
/// Columns that nobody reads later are left behind at each step; a projection is made only when
/// something is computed. `name` is the whole plan's; empty: that of the first query's sink table.
[[nodiscard]] Result<PhysicalPlan> plan_physically(std::span<const OptimizedQuery> queries,
                                                   std::string name, const Dialect& dialect);

/// Unions taken apart, analysis, optimizer and physical planner in one: from what the user wrote to
/// what runs. The plan has a sink (a WriteNode at its root).
[[nodiscard]] Result<PhysicalPlan> plan_query(const LogicalPlan& plan, std::string name,
                                              const Catalog& catalog, const Dialect& dialect);
/// The same of several, each with a sink: one plan, in which they share what they read.
[[nodiscard]] Result<PhysicalPlan> plan_query(std::span<const LogicalPlan> plans, std::string name,
                                              const Catalog& catalog, const Dialect& dialect);

}  // namespace millrace::stream
