#pragma once

#include "millrace/error.hpp"
#include "millrace/query.hpp"
#include "millrace/session.hpp"

#include "session/query_planning.hpp"
#include "sql/source_text.hpp"
#include "sql/statement.hpp"

#include <string>
#include <vector>

namespace millrace::sql {

/// What a program has started.
struct StartedQuery {
  Query query;
  std::string summary;  ///< for the ready line: "4 partitions of clicks, from epoch 17"
};

/// A job in SQL: tables, settings and queries, taken in the order written. First everything is
/// checked and planned, the tables made and the settings set in the session; only then does the
/// first query start, so that a mistake anywhere starts nothing. Used once, on one thread; errors
/// show line, column and a caret.
class Program {
 public:
  /// Parses. Reads no table and connects to nothing.
  [[nodiscard]] static Result<Program> parse(std::string text, const Variables& variables);

  /// Makes tables, sets settings and plans every INSERT and EXPLAIN.
  [[nodiscard]] Status prepare(Session& session);
  /// The plans of what EXPLAIN statements ask for, or with `all` of every INSERT too; after
  /// prepare.
  [[nodiscard]] std::string explanation(bool all) const;
  /// How many queries `start` will start.
  [[nodiscard]] std::size_t query_count() const;
  /// Starts the queries one after the other, and gives them when all are ready. When one cannot
  /// start, those before it are stopped.
  [[nodiscard]] Result<std::vector<StartedQuery>> start(Session& session);

 private:
  struct Planned {
    session::PlannedQuery query;
    bool is_explained = false;
    std::int32_t position = 0;
  };

  Program(SourceText source, std::vector<Statement> statements)
      : source_(std::move(source)), statements_(std::move(statements)) {}
  Status prepare(Session& session, const Statement& statement);
  Status plan(Session& session, const Insert& insert, bool is_explained, std::int32_t position);

  SourceText source_;
  std::vector<Statement> statements_;
  std::vector<Planned> planned_;
};

}  // namespace millrace::sql
