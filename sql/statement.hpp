#pragma once

#include "stream/plan/logical_plan.hpp"
#include "stream/table.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace millrace::sql {

/// CREATE TABLE name (columns) WITH (connector = '...', ...).
struct CreateTable {
  stream::TableDefinition table;
  bool if_not_exists = false;                            ///< a table of that name stays as it is
  std::map<std::string, std::int32_t> option_positions;  ///< by canonical key; `connector` too
};

/// CREATE VIEW name AS SELECT ...
struct CreateView {
  std::string name;
  stream::LogicalPlan plan;
};

/// SET name = value.
struct SetVariable {
  std::string name;
  std::string value;
};

/// INSERT INTO table SELECT ...: one query.
struct Insert {
  std::string table;
  stream::LogicalPlan plan;  ///< a WriteNode at its root
};

/// EXPLAIN INSERT ... or EXPLAIN SELECT ...: shows the plan, runs nothing.
struct Explain {
  stream::LogicalPlan plan;  ///< a WriteNode at its root
};

/// SHOW TABLES.
struct ShowTables {};

/// One statement of a job and where it begins in the text.
struct Statement {
  std::variant<CreateTable, CreateView, SetVariable, Insert, Explain, ShowTables> body;
  std::int32_t position = 0;
};

}  // namespace millrace::sql
