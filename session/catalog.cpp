#include "session/catalog.hpp"

#include "connectors/connector_registry.hpp"
#include "stream/plan/explain.hpp"
#include "stream/plan/typed_rows.hpp"
#include "stream/plan/value_format.hpp"

#include <fmt/format.h>

#include <vector>

namespace millrace::session {
namespace {

// A table may be read or written, which is not known yet: what neither can use is refused at once.
Status check_usable(const stream::TableDefinition& table) {
  const auto source = connectors::source_traits(table);
  const auto sink = connectors::sink_traits(table);
  if (source || sink) {
    // What no role can decode or encode need not wait for the query that uses it.
    const bool has_format = (source && source->has_format) || (sink && sink->has_format);
    return has_format ? stream::value_format_of(table).map([](const auto&) {}) : Status();
  }
  const bool is_source = !table.columns.empty() || sink.error().code == ErrorCode::kNotSupported;
  return fail(is_source ? source.error() : sink.error());
}

}  // namespace

Status SessionCatalog::add(stream::TableDefinition table) {
  MILLRACE_TRY(check_usable(table));
  const std::lock_guard lock(session_.mutex);
  std::string name = table.name;
  if (session_.views.contains(name))
    return fail(ErrorCode::kAlreadyExists, fmt::format("a view is called {} already", name));
  const auto [place, is_new] = session_.tables.try_emplace(name, std::move(table));
  if (is_new) return {};
  return fail(ErrorCode::kAlreadyExists, fmt::format("table {} exists already", name));
}

Status SessionCatalog::add_view(std::string name, stream::LogicalPlan plan) {
  const std::lock_guard lock(session_.mutex);
  if (session_.tables.contains(name))
    return fail(ErrorCode::kAlreadyExists, fmt::format("a table is called {} already", name));
  if (session_.views.try_emplace(name, std::move(plan)).second) return {};
  return fail(ErrorCode::kAlreadyExists, fmt::format("view {} exists already", name));
}

stream::LogicalPlan SessionCatalog::view(std::string_view name) const {
  const std::lock_guard lock(session_.mutex);
  const auto found = session_.views.find(name);
  return found == session_.views.end() ? nullptr : found->second;
}

Result<stream::TableDefinition> SessionCatalog::table(std::string_view name) const {
  const std::lock_guard lock(session_.mutex);
  const auto found = session_.tables.find(name);
  if (found != session_.tables.end()) return found->second;
  // Whoever reads a view never asks for a table of its name.
  if (session_.views.contains(name)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is a view: it can be read, and not written", name));
  }
  std::vector<std::string_view> names;
  for (const auto& [known, table] : session_.tables) names.push_back(known);
  for (const auto& [known, plan] : session_.views) names.push_back(known);
  std::string message = fmt::format("no table is called {}", name);
  if (const auto nearest = nearest_name(name, names)) {
    message += fmt::format("; did you mean {}?", *nearest);
  } else if (names.empty()) {
    message += "; none has been created";
  } else {
    message += fmt::format("; there are {}", fmt::join(names, ", "));
  }
  return fail(ErrorCode::kNotFound, std::move(message));
}

Result<stream::TableTraits> SessionCatalog::traits(const stream::TableDefinition& table,
                                                   stream::TableRole role) const {
  if (table.connector == stream::kResultConnector) return stream::TableTraits{};
  if (role == stream::TableRole::kSource)
    if (const auto typed = stream::typed_traits(table)) return *typed;
  return role == stream::TableRole::kSource ? connectors::source_traits(table)
                                            : connectors::sink_traits(table);
}

}  // namespace millrace::session
