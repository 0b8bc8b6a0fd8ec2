#pragma once

#include "millrace/sql.hpp"

#include "sql/program.hpp"

#include <string>

namespace millrace::sql {

inline constexpr const char* kTables = R"(
CREATE TYPE address AS (street text, zip int);
CREATE TABLE clicks (ts bigint, user_id int, event text, home address)
  WITH (connector = 'kafka', bootstrap_servers = 'b:1', topic = 'clicks', format = 'json');
CREATE TABLE orders (id bigint, user_id bigint, note text)
  WITH (connector = 'kafka', bootstrap_servers = 'b:1', topic = 'orders', format = 'json');
CREATE TABLE users (user_id int, country text) WITH (connector = 'file', path = 'users.csv');
CREATE TABLE zones (code text, tax double precision)
  WITH (connector = 'file', path = 'zones.csv');
CREATE VIEW late AS SELECT * FROM clicks WHERE ts > 5;
CREATE VIEW germans AS SELECT user_id AS id FROM users WHERE country = 'DE';
)";

/// The chains of a SELECT; or the first line of its refusal, where columns count from the SELECT.
inline std::string plan_of(const std::string& select) {
  Session session;
  const auto tables = run_sql(session, kTables);
  if (!tables) return tables.error().message;
  auto program = Program::parse("EXPLAIN\n" + select, {});
  Status status = program ? program->prepare(session) : fail(program.error());
  if (!status) return status.error().message.substr(0, status.error().message.find('\n'));
  const std::string shown = program->shown(false);
  return shown.substr(shown.find('\n'));
}

/// The columns that a SELECT gives, as the last line of its plan says.
inline std::string columns_of(const std::string& select) {
  const std::string plan = plan_of(select);
  const std::size_t gives = plan.rfind("    gives ");
  if (gives == std::string::npos) return plan;
  return plan.substr(gives + 10, plan.size() - gives - 11);
}

}  // namespace millrace::sql
