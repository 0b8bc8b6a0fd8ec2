#include "sql/program.hpp"

#include "session/query_settings.hpp"
#include "session/table_listing.hpp"
#include "sql/letters.hpp"
#include "sql/statement_builder.hpp"
#include "sql/syntax_hints.hpp"
#include "stream/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

namespace millrace::sql {

namespace {

// Options of the client's are written with dots.
bool is_option_letter(char letter) { return is_word_letter(letter) || letter == '.'; }

/// The option that an error speaks of: the one behind the word "option", or else the first named.
std::int32_t option_position(const CreateTable& create, std::string_view message) {
  std::int32_t named = -1;
  std::string before;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at;
    while (end < message.size() && is_option_letter(message[end])) ++end;
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
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (const std::size_t good = stream::utf8_prefix(text); good < text.size()) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(good), '\n');
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("line {}: the job is not UTF-8: byte 0x{:02x} begins no character (was it "
                    "saved in another encoding?)",
                    line, static_cast<unsigned char>(text[good])));
  }
  MILLRACE_ASSIGN(SourceText source, SourceText::make(std::move(text), variables));
  auto statements = build_statements(source.text());
  if (!statements) return fail(source.located(std::move(statements).error()));
  return Program(std::move(source), std::move(*statements));
}

Status Program::prepare(Session& session) {
  Status prepared = prepare_all(session);
  if (prepared) return {};
  return fail(source_.located(with_name_hint(std::move(prepared).error(), source_.text())));
}

Status Program::prepare_all(Session& session) {
  for (const Statement& statement : statements_) {
    Status done = std::visit(
        [&](const auto& body) { return run(session, body, statement.position); }, statement.body);
    if (done) continue;
    Error error = std::move(done).error();
    if (error.position < 0) error.position = statement.position;
    return fail(std::move(error));
  }
  MILLRACE_TRY(close_statement_set(session));
  if (!next_name_ || next_name_->is_shown) return {};
  return fail(Error{
      ErrorCode::kInvalidArgument,
      fmt::format("SET query_name = '{}' names the next query, and none follows", next_name_->name),
      next_name_->position});
}

Status Program::run(Session& session, const CreateTable& create, std::int32_t) {
  const stream::TableDefinition& table = create.table;
  Status created = session.create_table(table.name, table.connector, table.columns, table.options);
  if (created) return {};
  Error error = std::move(created).error();
  if (create.if_not_exists && error.code == ErrorCode::kAlreadyExists) return {};
  if (error.position < 0) error.position = option_position(create, error.message);
  return fail(std::move(error));
}

Status Program::run(Session& session, const CreateView& create, std::int32_t) {
  return session::create_view(*session.shared(), create.name, create.plan);
}

Status Program::run(Session& session, const SetVariable& setting, std::int32_t position) {
  const std::string key = canonical_option_key(setting.name);
  if (key == "statementset") return set_statement_set(session, setting.value);
  if (statement_set_ && !statement_set_->plans.empty()) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("a statement set is one query, and has begun: SET {} goes before "
                                  "its first INSERT",
                                  setting.name),
                      position});
  }
  if (key != "queryname") return session.set(setting.name, setting.value);
  MILLRACE_TRY(session::check_setting(setting.name, setting.value));
  next_name_ = NextName{setting.value, position, false};
  return {};
}

Status Program::run(Session& session, const Insert& insert, std::int32_t position) {
  if (!statement_set_) return plan(session, std::span(&insert.plan, 1), position);
  if (statement_set_->plans.empty()) statement_set_->position = position;
  statement_set_->plans.push_back(insert.plan);
  return {};
}

Status Program::run(Session& session, const Explain& explain, std::int32_t) {
  MILLRACE_ASSIGN(session::PlannedQuery query,
                  session::plan_query(*session.shared(), explain.plan, own_settings()));
  if (next_name_) next_name_->is_shown = true;
  shown_.push_back({std::move(query.explanation), true});
  return {};
}

Status Program::run(Session& session, const ShowTables&, std::int32_t) {
  shown_.push_back({session::list_tables(*session.shared()), true});
  return {};
}

Status Program::set_statement_set(Session& session, const std::string& value) {
  if (value != "on" && value != "off") {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("statement_set = '{}' is not known; accepted: on, off", value));
  }
  MILLRACE_TRY(close_statement_set(session));
  if (value == "on") statement_set_.emplace();
  return {};
}

Status Program::close_statement_set(Session& session) {
  if (!statement_set_) return {};
  const StatementSet set = std::move(*statement_set_);
  statement_set_.reset();
  if (set.plans.empty()) return {};
  Status planned = plan(session, set.plans, set.position);
  if (planned) return {};
  Error error = std::move(planned).error();
  if (error.position < 0) error.position = set.position;
  return fail(std::move(error));
}

Status Program::plan(Session& session, std::span<const stream::LogicalPlan> plans,
                     std::int32_t position) {
  MILLRACE_ASSIGN(session::PlannedQuery query,
                  session::plan_query(*session.shared(), plans, own_settings()));
  next_name_.reset();
  const std::string& name = query.settings.name;
  const bool is_taken = std::ranges::any_of(
      planned_, [&](const session::PlannedQuery& other) { return other.settings.name == name; });
  if (is_taken) {
    return fail(Error{ErrorCode::kAlreadyExists,
                      fmt::format("two queries of this job are called {}: SET query_name = '...' "
                                  "before one of them",
                                  name),
                      position});
  }
  shown_.push_back({query.explanation, false});
  planned_.push_back(std::move(query));
  return {};
}

Options Program::own_settings() const {
  Options own;
  if (next_name_) own.set("query_name", next_name_->name);
  return own;
}

std::string Program::shown(bool all) const {
  std::string text;
  for (const Shown& one : shown_) {
    if (!all && !one.is_asked) continue;
    if (!text.empty()) text += '\n';
    text += one.text;
  }
  return text;
}

Result<std::vector<StartedQuery>> Program::start(Session& session) {
  MILLRACE_ASSIGN(auto queries,
                  session::start_queries(*session.shared(), std::exchange(planned_, {})));
  std::vector<StartedQuery> started;
  for (auto& query : queries) {
    std::string summary = query->running->summary();
    started.push_back(StartedQuery{Query(std::move(query)), std::move(summary)});
  }
  return started;
}

}  // namespace millrace::sql
