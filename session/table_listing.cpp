#include "session/table_listing.hpp"

#include "session/catalog.hpp"
#include "session/query_planning.hpp"
#include "stream/plan/relation_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace millrace::session {
namespace {

using Line = std::array<std::string, 4>;  ///< name, connector, use, columns

std::string described(const std::vector<Field>& columns) {
  return columns.empty() ? "not declared" : Schema(columns).to_string();
}

// What is read of a table that declares no columns is the record.
Line line_of(const stream::TableDefinition& table, const SessionCatalog& catalog) {
  Line line{table.name, table.connector, "", described(table.columns)};
  if (const auto traits = catalog.traits(table, stream::TableRole::kSource)) {
    const auto relation = stream::resolve_relation(table, *traits, stream::Reading::kAny);
    if (relation) line[2] = traits->is_stream ? "stream" : "static";
    if (relation && table.columns.empty()) {
      std::vector<Field> columns;
      for (const stream::RelationColumn& column : relation->columns)
        columns.push_back(column.field);
      line[3] = described(columns);
    }
  }
  if (catalog.traits(table, stream::TableRole::kSink))
    line[2] += line[2].empty() ? "sink" : ", sink";
  return line;
}

Line line_of(const std::string& view, const stream::LogicalPlan& plan, SessionShared& session) {
  const auto shape = shape_of(session, plan);
  if (!shape) return {view, "view", "", shape.error().message};
  return {view, "view", shape->has_stream ? "stream" : "static", described(shape->columns)};
}

std::string aligned(const std::vector<Line>& lines) {
  std::array<std::size_t, 3> widths{};
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", line[0], widths[0], line[1], widths[1],
                        line[2], widths[2], line[3]);
  }
  return text;
}

}  // namespace

std::string list_tables(SessionShared& session) {
  std::vector<stream::TableDefinition> tables;
  std::vector<std::pair<std::string, stream::LogicalPlan>> views;
  {
    const std::lock_guard lock(session.mutex);
    for (const auto& [name, table] : session.tables) tables.push_back(table);
    views.assign(session.views.begin(), session.views.end());
  }
  if (tables.empty() && views.empty()) return "no table has been created\n";
  const SessionCatalog catalog(session);
  std::vector<Line> lines;
  for (const stream::TableDefinition& table : tables) lines.push_back(line_of(table, catalog));
  for (const auto& [name, plan] : views) lines.push_back(line_of(name, plan, session));
  std::ranges::sort(lines);
  lines.insert(lines.begin(), Line{"table", "connector", "use", "columns"});
  return aligned(lines);
}

}  // namespace millrace::session
