#pragma once

#include "millrace/expression.hpp"

#include "stream/table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What the user asked for: names not resolved, types not known. SQL and the DataFrame API build the
// same tree; analysis (stream/analysis.hpp) finds every mistake in it.

namespace millrace::stream {

struct LogicalNode;

/// An immutable tree, shared freely between frames that grow from one another.
using LogicalPlan = std::shared_ptr<const LogicalNode>;

/// How a scan must be readable; the DataFrame API says it, SQL leaves it open.
enum class Reading { kAny, kStream, kStatic };

/// Reads a table: one that the catalog knows by name, or one described on the spot.
struct ScanNode {
  std::string table;
  std::optional<TableDefinition> definition;  ///< absent: the catalog knows `table`
  std::string alias;                          ///< qualifier of its columns; empty: the table's name
  Reading reading = Reading::kAny;
};

/// Keeps the rows for which the condition is true.
struct FilterNode {
  LogicalPlan input;
  Expr condition;
};

/// Makes new columns, stars included.
struct ProjectNode {
  LogicalPlan input;
  std::vector<Expr> expressions;
};

/// Inner join. Its columns are the left's, then the right's; those of `using_columns` come once.
struct JoinNode {
  LogicalPlan left;
  LogicalPlan right;
  std::optional<Expr> condition;  ///< absent: whatever WHERE says (FROM a, b)
  std::vector<std::string> using_columns;
};

/// Gives the columns below a new qualifier: the name of a sub-query or a frame.
struct AliasNode {
  LogicalPlan input;
  std::string alias;
};

/// Writes the rows to a sink; only at the root.
struct WriteNode {
  LogicalPlan input;
  std::string table;
  std::optional<TableDefinition> definition;  ///< absent: the catalog knows `table`
};

/// One step of the tree.
struct LogicalNode {
  std::variant<ScanNode, FilterNode, ProjectNode, JoinNode, AliasNode, WriteNode> step;
  std::int32_t position = -1;  ///< byte in the SQL text; -1: not from SQL
};

/// Wraps a step into a node of its own.
template <typename Step>
[[nodiscard]] LogicalPlan make_plan(Step step, std::int32_t position = -1) {
  return std::make_shared<const LogicalNode>(LogicalNode{std::move(step), position});
}

}  // namespace millrace::stream
