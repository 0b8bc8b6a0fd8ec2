#pragma once

#include "millrace/error.hpp"
#include "millrace/query.hpp"
#include "millrace/session.hpp"

#include "session/query_planning.hpp"
#include "sql/source_text.hpp"
#include "sql/statement.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace::sql {

/// What a program has started.
struct StartedQuery {
  Query query;
  std::string summary;  ///< for the ready line: "4 partitions of clicks, from epoch 17"
};

/// A job in SQL: tables, views, settings and queries, taken in the order written. First everything
/// is checked and planned, the tables made and the settings set in the session; then every query is
/// opened; only then does the first one start, so that a mistake anywhere starts nothing. Used
/// once, on one thread; errors show line, column and a caret.
class Program {
 public:
  /// Parses. Reads no table and connects to nothing.
  [[nodiscard]] static Result<Program> parse(std::string text, const Variables& variables);

  /// Makes tables and views, sets settings, and plans every INSERT and EXPLAIN.
  [[nodiscard]] Status prepare(Session& session);
  /// What EXPLAIN and SHOW TABLES ask for, in their order, or with `all` the plan of every query
  /// too; after prepare.
  [[nodiscard]] std::string shown(bool all) const;
  /// How many queries `start` will start.
  [[nodiscard]] std::size_t query_count() const { return planned_.size(); }
  /// The queries that `start` will start, as planned; after prepare.
  [[nodiscard]] std::span<const session::PlannedQuery> planned() const { return planned_; }
  /// Starts the queries together, and gives them when all are ready. When one of them cannot start,
  /// none does. Once.
  [[nodiscard]] Result<std::vector<StartedQuery>> start(Session& session);

 private:
  /// What SET query_name says, until a query takes it.
  struct NextName {
    std::string name;
    std::int32_t position = 0;
    bool is_shown = false;  ///< by an EXPLAIN
  };
  /// INSERTs that become one query, from SET statement_set = 'on' on.
  struct StatementSet {
    std::vector<stream::LogicalPlan> plans;
    std::int32_t position = 0;  ///< of the first
  };
  struct Shown {
    std::string text;
    bool is_asked = false;
  };

  Program(SourceText source, std::vector<Statement> statements)
      : source_(std::move(source)), statements_(std::move(statements)) {}
  Status prepare_all(Session& session);
  Status run(Session& session, const CreateTable& create, std::int32_t position);
  Status run(Session& session, const CreateView& create, std::int32_t position);
  Status run(Session& session, const SetVariable& setting, std::int32_t position);
  Status run(Session& session, const Insert& insert, std::int32_t position);
  Status run(Session& session, const Explain& explain, std::int32_t position);
  Status run(Session& session, const ShowTables& show, std::int32_t position);
  Status set_statement_set(Session& session, const std::string& value);
  Status close_statement_set(Session& session);
  Status plan(Session& session, std::span<const stream::LogicalPlan> plans, std::int32_t position);
  [[nodiscard]] Options own_settings() const;

  SourceText source_;
  std::vector<Statement> statements_;
  std::optional<NextName> next_name_;
  std::optional<StatementSet> statement_set_;
  std::vector<session::PlannedQuery> planned_;
  std::vector<Shown> shown_;
};

}  // namespace millrace::sql
