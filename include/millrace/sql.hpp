#pragma once

#include "millrace/error.hpp"
#include "millrace/query.hpp"
#include "millrace/session.hpp"

#include <string>
#include <vector>

namespace millrace {

/// Runs a job written in SQL: tables and views are created and settings made in the session, then
/// every INSERT becomes a query; they start together and are returned when all are ready. The whole
/// text is checked first: a mistake in it starts nothing, and its message shows line and column.
/// What only brokers and files can tell shows when the queries are opened; then none starts, and no
/// row was read. What EXPLAIN and SHOW TABLES show goes to the session's log, level info. Tables of
/// the program itself (memory.hpp, channel.hpp) are named with Session::create_table before.
///
///     MILLRACE_TRY(session.create_table(orders));
///     MILLRACE_TRY(session.create_table(answers));
///     auto queries = run_sql(session, "INSERT INTO answers SELECT id FROM orders WHERE id > 1");
[[nodiscard]] Result<std::vector<Query>> run_sql(Session& session, std::string text);

}  // namespace millrace
