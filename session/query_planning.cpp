#include "session/query_planning.hpp"

#include "formats/format_registry.hpp"
#include "session/async_progress.hpp"
#include "session/catalog.hpp"
#include "session/delivery_check.hpp"
#include "session/query_settings.hpp"
#include "stream/dialect.hpp"
#include "stream/plan/analysis.hpp"
#include "stream/plan/explain.hpp"
#include "stream/plan/optimizer.hpp"
#include "stream/plan/physical_planner.hpp"
#include "stream/plan/typed_planning.hpp"
#include "stream/plan/union_branches.hpp"
#include "stream/plan/view_plan.hpp"
#include "triggers/trigger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

namespace millrace::session {
namespace {

// A codec says what it cannot do when it is made; better now than after connecting.
Status check_formats(const stream::PhysicalPlan& plan) {
  for (const stream::ChainSpec& chain : plan.chains) {
    for (const stream::ChainNode& node : chain.nodes) {
      if (const auto* decode = std::get_if<stream::DecodeSpec>(&node.spec)) {
        MILLRACE_TRY(formats::make_decoder(*decode));
      }
      if (const auto* encode = std::get_if<stream::EncodeSpec>(&node.spec)) {
        MILLRACE_TRY(formats::make_encoder(*encode));
      }
    }
  }
  return {};
}

Options settings_of(SessionShared& session) {
  const std::lock_guard lock(session.mutex);
  return session.settings;
}

Status check_view_columns(const std::string& view, const std::vector<Field>& columns) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    if (name.empty()) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("column {} of view {} has no name: give it one with AS", i + 1, view));
    }
    if (!names.insert(name).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("view {} has two columns called {}: leave one out, or give it "
                              "another name with AS",
                              view, name));
    }
  }
  return {};
}

Result<stream::Dialect> dialect_of(SessionShared& session, const Options& own) {
  MILLRACE_ASSIGN(auto evaluation, read_evaluation(settings_of(session), own));
  evaluation.clock = session.environment.clock;
  return stream::Dialect(stream::FunctionRegistry::builtin(), evaluation);
}

bool has_ended(const QueryShared& query) {
  const QueryState state = query.running->state();
  return state == QueryState::kStopped || state == QueryState::kFailed;
}

// What of it is not the default, for people.
std::string describe_expressions(const stream::EvaluationSettings& evaluation) {
  std::string text;
  if (!evaluation.is_ansi) text = "ansi = 'false' (what cannot be computed is null)";
  if (evaluation.zone->name() == stream::TimeZone::utc().name()) return text;
  return text + (text.empty() ? "" : ", ") + "time zone " + evaluation.zone->name();
}

Status check_name_is_free(SessionShared& session, const std::string& name) {
  const std::lock_guard lock(session.mutex);
  const bool is_taken = std::ranges::any_of(session.queries, [&](const auto& query) {
    return query->name == name && !has_ended(*query);
  });
  if (!is_taken) return {};
  return fail(ErrorCode::kAlreadyExists,
              fmt::format("a query called {} is running already: give this one another name with "
                          "query_name",
                          name));
}

Result<std::shared_ptr<QueryShared>> open_query(SessionShared& session, PlannedQuery planned) {
  if (planned.settings.checkpoint_folder.empty()) {
    session.environment.log(
        LogLevel::kInfo,
        fmt::format("query {}: no checkpoint_location is set, so nothing is kept and every start "
                    "begins at the starting offsets",
                    planned.settings.name));
  }
  auto query = std::make_shared<QueryShared>();
  query->name = planned.settings.name;
  query->explanation = std::move(planned.explanation);
  query->notices = std::make_shared<QueryNotices>(query->name, planned.settings.recent_progress,
                                                  session.environment, session.listeners);
  MILLRACE_ASSIGN(
      query->running,
      session.launcher(std::move(planned.plan), std::move(planned.settings),
                       QueryNotices::environment_of(query->notices, session.environment)));
  return query;
}

}  // namespace

Result<PlannedQuery> plan_query(SessionShared& session, const stream::LogicalPlan& plan,
                                const Options& own) {
  return plan_query(session, std::span(&plan, 1), own);
}

Result<PlannedQuery> plan_query(SessionShared& session, std::span<const stream::LogicalPlan> plans,
                                const Options& own) {
  const SessionCatalog catalog(session);
  const Options settings = settings_of(session);
  MILLRACE_ASSIGN(const stream::Dialect dialect, dialect_of(session, own));
  PlannedQuery result;
  MILLRACE_ASSIGN(result.plan, stream::plan_query(plans, "", catalog, dialect));
  MILLRACE_ASSIGN(result.plan, stream::expand_typed(std::move(result.plan), catalog, dialect));
  MILLRACE_TRY(check_formats(result.plan));
  MILLRACE_ASSIGN(result.settings, read_settings(settings, own, result.plan.name));
  result.plan.name = result.settings.name;
  extend_delivery(result.plan);
  MILLRACE_TRY(check_async_progress(result.plan, result.settings));
  stream::ExplainContext context;
  MILLRACE_ASSIGN(const triggers::Trigger trigger,
                  triggers::parse_trigger(result.settings.trigger));
  context.trigger = result.settings.trigger;
  if (triggers::is_planned(trigger))
    context.trigger += " (planned: an epoch's end is fixed before it is read)";
  if (result.settings.async_progress) context.trigger += ", and read before it is written down";
  context.wait_policy = result.settings.wait_policy;
  context.expressions = describe_expressions(dialect.settings);
  context.threads = describe_threads(result.settings);
  context.checkpoint_folder = result.settings.checkpoint_folder;
  result.explanation = stream::explain(result.plan, context);
  return result;
}

Result<std::vector<std::shared_ptr<QueryShared>>> start_queries(SessionShared& session,
                                                                std::vector<PlannedQuery> planned) {
  for (const PlannedQuery& one : planned)
    MILLRACE_TRY(check_name_is_free(session, one.settings.name));
  std::vector<std::shared_ptr<QueryShared>> opened;
  for (PlannedQuery& one : planned) {
    MILLRACE_ASSIGN(auto query, open_query(session, std::move(one)));
    opened.push_back(std::move(query));
  }
  for (const auto& query : opened) {
    query->notices->started(query->running->ids());
    query->running->start();
  }
  const std::lock_guard lock(session.mutex);
  session.queries.insert(session.queries.end(), opened.begin(), opened.end());
  return opened;
}

Result<std::shared_ptr<QueryShared>> start_query(SessionShared& session, PlannedQuery planned) {
  std::vector<PlannedQuery> one;
  one.push_back(std::move(planned));
  MILLRACE_ASSIGN(auto started, start_queries(session, std::move(one)));
  return std::move(started.front());
}

Result<stream::PlanShape> shape_of(SessionShared& session, const stream::LogicalPlan& plan) {
  MILLRACE_ASSIGN(const stream::Dialect dialect, dialect_of(session, {}));
  return stream::shape_of(plan, SessionCatalog(session), dialect);
}

Status create_view(SessionShared& session, std::string name, const stream::LogicalPlan& plan) {
  MILLRACE_ASSIGN(const stream::Dialect dialect, dialect_of(session, {}));
  SessionCatalog catalog(session);
  MILLRACE_ASSIGN(const auto branches, stream::expand_unions(plan, catalog, dialect));
  for (const stream::LogicalPlan& branch : branches) {
    MILLRACE_ASSIGN(stream::ResolvedQuery query, stream::analyze(branch, catalog, dialect));
    MILLRACE_TRY(check_view_columns(name, stream::columns_of(query.outputs)));
    // One without a stream is a static table, for others to join.
    if (query.has_stream()) MILLRACE_TRY(stream::optimize(std::move(query), dialect));
  }
  return catalog.add_view(std::move(name), stream::without_positions(plan));
}

}  // namespace millrace::session
