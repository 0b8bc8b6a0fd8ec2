#include "sql/program.hpp"

#include "sql/statement_builder.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <variant>

namespace millrace::sql {

namespace {

bool is_word_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

/// The option that an error speaks of: the one behind the word "option", or else the first named.
std::int32_t option_position(const CreateTable& create, std::string_view message) {
  std::int32_t named = -1;
  std::string before;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at;
    while (end < message.size() && is_word_letter(message[end])) ++end;
    const std::string_view word = message.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const auto found = create.option_positions.find(canonical_option_key(word));
    if (found != create.option_positions.end()) {
      if (before == "option") return found->second;
      if (named < 0) named = found->second;
    }
    before = word;
  }
  return named;
}

}  // namespace

Result<Program> Program::parse(std::string text, const Variables& variables) {
  MILLRACE_ASSIGN(SourceText source, SourceText::make(std::move(text), variables));
  auto statements = build_statements(source.text());
  if (!statements) return fail(source.located(std::move(statements).error()));
  return Program(std::move(source), std::move(*statements));
}

Status Program::prepare(Session& session) {
  for (const Statement& statement : statements_) {
    Status prepared = prepare(session, statement);
    if (prepared) continue;
    Error error = std::move(prepared).error();
    if (error.position < 0) error.position = statement.position;
    return fail(source_.located(std::move(error)));
  }
  return {};
}

Status Program::prepare(Session& session, const Statement& statement) {
  if (const auto* create = std::get_if<CreateTable>(&statement.body)) {
    const stream::TableDefinition& table = create->table;
    Status created =
        session.create_table(table.name, table.connector, table.columns, table.options);
    if (created) return {};
    Error error = std::move(created).error();
    if (error.position < 0) error.position = option_position(*create, error.message);
    return fail(std::move(error));
  }
  if (const auto* setting = std::get_if<SetVariable>(&statement.body)) {
    return session.set(setting->name, setting->value);
  }
  if (const auto* explain = std::get_if<Explain>(&statement.body)) {
    return plan(session, explain->insert, true, statement.position);
  }
  return plan(session, std::get<Insert>(statement.body), false, statement.position);
}

Status Program::plan(Session& session, const Insert& insert, bool is_explained,
                     std::int32_t position) {
  MILLRACE_ASSIGN(session::PlannedQuery query,
                  session::plan_query(*session.shared(), insert.plan, {}));
  const bool is_taken = std::ranges::any_of(planned_, [&](const Planned& other) {
    return !is_explained && !other.is_explained && other.query.settings.name == query.settings.name;
  });
  if (is_taken) {
    return fail(ErrorCode::kAlreadyExists, "two queries of this job are called " +
                                               query.settings.name +
                                               ": SET query_name = '...' before one of them");
  }
  planned_.push_back(Planned{std::move(query), is_explained, position});
  return {};
}

std::string Program::explanation(bool all) const {
  std::string text;
  for (const Planned& planned : planned_) {
    if (!all && !planned.is_explained) continue;
    if (!text.empty()) text += '\n';
    text += planned.query.explanation;
  }
  return text;
}

std::size_t Program::query_count() const {
  return static_cast<std::size_t>(std::ranges::count(planned_, false, &Planned::is_explained));
}

Result<std::vector<StartedQuery>> Program::start(Session& session) {
  std::vector<StartedQuery> started;
  for (Planned& planned : planned_) {
    if (planned.is_explained) continue;
    auto query = session::start_query(*session.shared(), std::move(planned.query));
    if (query) {
      std::string summary = (*query)->running->summary();
      started.push_back(StartedQuery{Query(std::move(*query)), std::move(summary)});
      continue;
    }
    // The cause is worth more than how the earlier ones ended.
    for (const StartedQuery& earlier : started) static_cast<void>(earlier.query.stop());
    return fail(std::move(query).error());
  }
  return started;
}

}  // namespace millrace::sql
