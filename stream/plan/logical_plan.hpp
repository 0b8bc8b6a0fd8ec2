#pragma once

#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"

#include "stream/table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What the user asked for: names not resolved, types not known. SQL and the DataFrame API build the
// same tree; analysis (stream/plan/analysis.hpp) finds every mistake in it.

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

/// Rows written in the query itself, a static table: VALUES (1, 'a'), (2, 'b'), or the one row of a
/// SELECT without FROM. Its columns take the narrowest type that holds every row.
struct ValuesNode {
  std::vector<std::vector<Expr>> rows;
  std::vector<std::string> names = {};  ///< of the first columns; behind them column3, ...
  bool is_select = false;               ///< columns are called as a projection's instead
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

/// Adds a column behind the others, or puts it where one of that name stands.
struct WithColumnNode {
  LogicalPlan input;
  std::string name;
  Expr expression;
};

/// Leaves columns out.
struct DropNode {
  LogicalPlan input;
  std::vector<std::string> columns;
};

/// Calls a column by another name.
struct RenameNode {
  LogicalPlan input;
  std::string from;
  std::string to;
};

/// A join. Its columns are the left's, then the right's (semi and anti: the left's alone); those of
/// `using_columns` come once.
struct JoinNode {
  LogicalPlan left;
  LogicalPlan right;
  std::optional<Expr> condition;  ///< absent: whatever WHERE says (FROM a, b)
  std::vector<std::string> using_columns;
  JoinKind kind = JoinKind::kInner;
  bool is_natural = false;  ///< on all columns that both sides have
  /// "EXISTS" or "IN": the right side is such a sub-query of WHERE, and a name that both sides have
  /// is the right's in the condition. Empty: a join.
  std::string sub_query = {};
};

/// A row for every element of a list. The call `explode(list)` as a column of a projection does the
/// same; so do explode_outer, posexplode, posexplode_outer and unnest.
struct ExplodeNode {
  LogicalPlan input;
  Expr call;                              ///< one of these calls
  std::string name;                       ///< of the element's column; empty: the call's own
  std::string alias = {};                 ///< qualifier of the new columns
  std::vector<std::string> columns = {};  ///< new names of the first new columns
  bool has_ordinality = false;            ///< a last column, `ordinality`: the place, from 1
};

/// The rows of both, columns by place.
struct UnionNode {
  LogicalPlan left;
  LogicalPlan right;
};

/// One side of a union: its visible columns become these by place, cast where the types differ.
/// Made by expand_unions.
struct BranchNode {
  LogicalPlan input;
  std::vector<Field> columns;
};

/// Gives the columns below a new qualifier: the name of a sub-query or a frame.
struct AliasNode {
  LogicalPlan input;
  std::string alias;
  std::vector<std::string> columns = {};  ///< new names of the first visible columns
};

/// Writes the rows to a sink; only at the root.
struct WriteNode {
  LogicalPlan input;
  std::string table;
  std::optional<TableDefinition> definition;  ///< absent: the catalog knows `table`
};

/// One step of the tree.
struct LogicalNode {
  std::variant<ScanNode, ValuesNode, FilterNode, ProjectNode, WithColumnNode, DropNode, RenameNode,
               JoinNode, ExplodeNode, UnionNode, BranchNode, AliasNode, WriteNode>
      step;
  std::int32_t position = -1;  ///< byte in the SQL text; -1: not from SQL
};

/// Wraps a step into a node of its own.
template <typename Step>
[[nodiscard]] LogicalPlan make_plan(Step step, std::int32_t position = -1) {
  return std::make_shared<const LogicalNode>(LogicalNode{std::move(step), position});
}

}  // namespace millrace::stream
