#pragma once

#include "millrace/clock.hpp"
#include "millrace/session.hpp"

#include "session/listener_bus.hpp"
#include "session/query_launcher.hpp"
#include "session/query_notices.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/table.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

// What stands behind the handles of the public API.

namespace millrace {

/// Behind a DataFrame: the plan so far.
struct FrameNode {
  stream::LogicalPlan plan;
};

/// Behind a Query. Made once it runs; `running` is never null.
struct QueryShared {
  std::string name;
  std::string explanation;
  std::shared_ptr<session::QueryNotices> notices;
  std::unique_ptr<session::RunningQuery> running;
};

/// Behind a Session; frames and readers keep it alive too. `mutex` guards tables, views,
/// settings and queries.
struct SessionShared {
  /// How a planned query is started; tests put a double here.
  using Launcher = std::function<Result<std::unique_ptr<session::RunningQuery>>(
      stream::PhysicalPlan, session::QuerySettings, session::QueryEnvironment)>;

  SystemClock system_clock;
  session::QueryEnvironment environment;  ///< for every query
  std::shared_ptr<session::ListenerBus> listeners;
  std::stop_source cancellation;
  Launcher launcher = session::launch;

  std::mutex mutex;
  std::map<std::string, stream::TableDefinition, std::less<>> tables;
  std::map<std::string, stream::LogicalPlan, std::less<>> views;
  Options settings;
  std::vector<std::shared_ptr<QueryShared>> queries;
};

}  // namespace millrace
