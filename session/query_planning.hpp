#pragma once

#include "millrace/query.hpp"

#include "session/query_launcher.hpp"
#include "session/session_shared.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/plan/physical_plan.hpp"
#include "stream/plan/union_branches.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace::session {

/// A query that may be started: everything that can be checked without connecting has been.
struct PlannedQuery {
  stream::PhysicalPlan plan;
  QuerySettings settings;
  std::string explanation;
};

/// Analyses and plans a logical plan with a WriteNode at its root. `own` are the query's settings,
/// which go before the session's.
[[nodiscard]] Result<PlannedQuery> plan_query(SessionShared& session,
                                              const stream::LogicalPlan& plan, const Options& own);
/// The same of several plans, which become one query: what reads the same source shares it. It is
/// called as the first one's sink.
[[nodiscard]] Result<PlannedQuery> plan_query(SessionShared& session,
                                              std::span<const stream::LogicalPlan> plans,
                                              const Options& own);

/// What a plan without a sink gives, under the session's settings.
[[nodiscard]] Result<stream::PlanShape> shape_of(SessionShared& session,
                                                 const stream::LogicalPlan& plan);

/// Makes a view known: its query, which is checked as far as it can be alone, under a name. Every
/// column has a name of its own.
[[nodiscard]] Status create_view(SessionShared& session, std::string name,
                                 const stream::LogicalPlan& plan);

/// Starts planned queries together and makes them the session's: all are opened before the first
/// one starts, so that when one of them cannot be, none has read or written a row. A running query
/// of the same name is refused. Returns when all are ready.
[[nodiscard]] Result<std::vector<std::shared_ptr<QueryShared>>> start_queries(
    SessionShared& session, std::vector<PlannedQuery> planned);
/// The same of one query.
[[nodiscard]] Result<std::shared_ptr<QueryShared>> start_query(SessionShared& session,
                                                               PlannedQuery planned);

}  // namespace millrace::session
