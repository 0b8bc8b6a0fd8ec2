#include "millrace/sql.hpp"

#include "sql/program.hpp"

#include <utility>

namespace millrace {

Result<std::vector<Query>> run_sql(Session& session, std::string text) {
  MILLRACE_ASSIGN(sql::Program program, sql::Program::parse(std::move(text), {}));
  MILLRACE_TRY(program.prepare(session));
  if (const std::string shown = program.shown(false); !shown.empty())
    session.shared()->environment.log(LogLevel::kInfo, shown);
  MILLRACE_ASSIGN(const std::vector<sql::StartedQuery> started, program.start(session));
  std::vector<Query> queries;
  for (const sql::StartedQuery& one : started) queries.push_back(one.query);
  return queries;
}

}  // namespace millrace
