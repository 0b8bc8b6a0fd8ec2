#include "stream/plan/values_table.hpp"

#include "millrace/assert.hpp"

#include "stream/arena_text.hpp"
#include "stream/host_table.hpp"
#include "stream/plan/constant_value.hpp"
#include "stream/plan/expression_binder.hpp"
#include "stream/plan/scope.hpp"
#include "stream/type_coercion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace millrace::stream {
namespace {

using Rows = std::vector<std::vector<Value>>;

/// Immutable rows.
class InlineRows final : public HostTable {
 public:
  InlineRows(std::vector<Field> columns, Rows rows)
      : columns_(std::move(columns)), rows_(std::move(rows)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return kInlineConnector; }
  [[nodiscard]] HostRole role() const override { return HostRole::kStatic; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }
  [[nodiscard]] Result<std::size_t> load(std::vector<Column>& columns, Arena& arena) override {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const std::vector<Value>& row : rows_) append_value(columns[i], row[i]);
      own_text(columns[i], arena);
    }
    return rows_.size();
  }

 private:
  const std::string name_ = "values";
  const std::vector<Field> columns_;
  const Rows rows_;
};

tl::unexpected<Error> refuse(std::string message, const Expr& at) {
  return fail(Error{ErrorCode::kInvalidArgument, std::move(message), at.node().position});
}

/// The first function below that gives another value every time, if there is one.
const FunctionOverload* changing_function(const BoundExpr& expression) {
  if (expression.kind != BoundExpr::Kind::kCall) return nullptr;
  if (!expression.function->is_reproducible) return expression.function;
  for (const BoundExpr& child : expression.children)
    if (const FunctionOverload* found = changing_function(child)) return found;
  return nullptr;
}

Result<std::vector<BoundExpr>> bound_row(const std::vector<Expr>& row, const Dialect& dialect) {
  std::vector<BoundExpr> result;
  for (const Expr& expression : row) {
    MILLRACE_ASSIGN(BoundExpr bound, Scope().resolve(expression, dialect));
    if (changing_function(bound) != nullptr) {
      return refuse(fmt::format("{} would be computed once, when the query starts, and differ at "
                                "every start: compute it in the SELECT that reads the stream",
                                bound.text),
                    expression);
    }
    result.push_back(std::move(bound));
  }
  return result;
}

Result<DataType> column_type(const std::vector<std::vector<BoundExpr>>& rows, std::size_t column,
                             const std::vector<std::vector<Expr>>& written, CoercionPolicy policy) {
  DataType common;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const DataType& type = rows[row][column].type;
    const auto wider = wider_type_of_likes(common, type, policy);
    if (!wider) {
      return refuse(fmt::format("a column of VALUES is {} in one row and {} in another: cast one "
                                "of them",
                                common.to_string(), type.to_string()),
                    written[row][column]);
    }
    common = *wider;
  }
  if (!common.is(TypeKind::kNull)) return common;
  return refuse("a column is NULL in every row and has no type: write CAST(NULL AS text)",
                written.front()[column]);
}

}  // namespace

Result<TableDefinition> values_table(const ValuesNode& values, std::vector<std::string> names,
                                     const Dialect& dialect) {
  MILLRACE_ASSERT(!values.rows.empty());
  const std::size_t width = values.rows.front().size();
  std::vector<std::vector<BoundExpr>> bound;
  for (const std::vector<Expr>& row : values.rows) {
    if (row.size() != width) {
      return refuse(fmt::format("row {} of VALUES has {} values, the first has {}",
                                bound.size() + 1, row.size(), width),
                    row.front());
    }
    MILLRACE_ASSIGN(std::vector<BoundExpr> one, bound_row(row, dialect));
    bound.push_back(std::move(one));
  }
  std::vector<Field> columns;
  Rows rows(bound.size());
  for (std::size_t column = 0; column < width; ++column) {
    MILLRACE_ASSIGN(DataType type, column_type(bound, column, values.rows, dialect.coercion()));
    for (std::size_t row = 0; row < bound.size(); ++row) {
      MILLRACE_ASSIGN(BoundExpr cast, bind_cast(std::move(bound[row][column]), type, dialect));
      auto value = constant_value(cast);
      if (!value) return refuse(std::move(value).error().message, values.rows[row][column]);
      rows[row].push_back(std::move(*value));
    }
    std::string name = column < names.size() ? names[column] : fmt::format("column{}", column + 1);
    columns.push_back({std::move(name), std::move(type)});
  }
  auto host = std::make_shared<InlineRows>(columns, std::move(rows));
  return TableDefinition{
      host->name(), std::string(kInlineConnector), std::move(columns), {}, std::move(host)};
}

}  // namespace millrace::stream
