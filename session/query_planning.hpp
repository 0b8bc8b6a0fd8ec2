#pragma once

#include "millrace/query.hpp"

#include "session/query_launcher.hpp"
#include "session/session_shared.hpp"
#include "stream/logical_plan.hpp"
#include "stream/physical_plan.hpp"

#include <memory>
#include <string>

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

/// Starts a planned query and makes it one of the session's. A running query of the same name is
/// refused. Returns when it is ready.
[[nodiscard]] Result<std::shared_ptr<QueryShared>> start_query(SessionShared& session,
                                                               PlannedQuery planned);

}  // namespace millrace::session
