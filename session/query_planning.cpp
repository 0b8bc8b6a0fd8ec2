#include "session/query_planning.hpp"

#include "formats/format_registry.hpp"
#include "session/catalog.hpp"
#include "session/query_settings.hpp"
#include "stream/dialect.hpp"
#include "stream/explain.hpp"
#include "stream/physical_planner.hpp"
#include "stream/typed_planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

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

}  // namespace

Result<PlannedQuery> plan_query(SessionShared& session, const stream::LogicalPlan& plan,
                                const Options& own) {
  const SessionCatalog catalog(session);
  Options settings;
  {
    const std::lock_guard lock(session.mutex);
    settings = session.settings;
  }
  MILLRACE_ASSIGN(auto evaluation, read_evaluation(settings, own));
  evaluation.clock = session.environment.clock;
  const stream::Dialect dialect(stream::FunctionRegistry::builtin(), evaluation);
  PlannedQuery result;
  MILLRACE_ASSIGN(result.plan, stream::plan_query(plan, "", catalog, dialect));
  MILLRACE_ASSIGN(result.plan, stream::expand_typed(std::move(result.plan), catalog, dialect));
  MILLRACE_TRY(check_formats(result.plan));
  MILLRACE_ASSIGN(result.settings, read_settings(settings, own, result.plan.name));
  result.plan.name = result.settings.name;
  stream::ExplainContext context;
  context.trigger = result.settings.trigger;
  context.wait_policy = result.settings.wait_policy;
  context.expressions = describe_expressions(evaluation);
  context.threads = describe_threads(result.settings);
  context.checkpoint_folder = result.settings.checkpoint_folder;
  result.explanation = stream::explain(result.plan, context);
  return result;
}

Result<std::shared_ptr<QueryShared>> start_query(SessionShared& session, PlannedQuery planned) {
  MILLRACE_TRY(check_name_is_free(session, planned.settings.name));
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
  MILLRACE_ASSIGN(
      query->running,
      session.launcher(std::move(planned.plan), std::move(planned.settings), session.environment));
  const std::lock_guard lock(session.mutex);
  session.queries.push_back(query);
  return query;
}

}  // namespace millrace::session
