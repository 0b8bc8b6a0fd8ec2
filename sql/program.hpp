#pragma once

#include "millrace/error.hpp"
#include "millrace/query.hpp"
#include "millrace/session.hpp"

#include "session/query_planning.hpp"
#include "sql/source_text.hpp"
#include "sql/statement.hpp"

#include <cstdint>
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
  /// Starts the queries together, and gives them when all are ready. When one of them cannot start,
  /// none does. Once.
  [[nodiscard]] Result<std::vector<StartedQuery>> start(Session& session);

 private:
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

  SourceText source_;
  std::vector<Statement> statements_;
  std::vector<session::PlannedQuery> planned_;
  std::vector<Shown> shown_;
};

}  // namespace millrace::sql
