#pragma once

#include "millrace/batch.hpp"
#include "millrace/expression.hpp"

#include "stream/expression_binder.hpp"
#include "stream/expression_evaluator.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace millrace::stream {

/// A few rows to try expressions on. Results come back as texts: what Value::to_string shows, or
/// the error's message alone.
class ExpressionCase {
 public:
  ExpressionCase(std::vector<Field> fields, std::vector<std::vector<Value>> rows)
      : pool_(make_schema(fields)), batch_(pool_.take()) {
    for (const Field& field : fields) inputs_.push_back({"t", field.name, field.type});
    batch_.set_rows(rows.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      for (const auto& row : rows) append(batch_.column(i), row[i]);
    }
  }

  /// One row without columns: for expressions over literals.
  ExpressionCase() : ExpressionCase({}, {{}}) {}

  Batch& batch() { return batch_; }
  std::vector<InputField>& inputs() { return inputs_; }

  Result<BoundExpr> bound(const Expr& expression) const {
    return stream::bind(expression, inputs_, FunctionRegistry::builtin());
  }

  std::string type_of(const Expr& expression) const {
    const auto result = bound(expression);
    return result ? result->type.to_string() : result.error().message;
  }

  std::vector<std::string> values(const Expr& expression) {
    auto result = bound(expression);
    if (!result) return {result.error().message};
    ExpressionEvaluator evaluator(std::move(*result));
    EvaluationContext context;
    context.begin(batch_.rows());
    const auto column = evaluator.evaluate(batch_, context);
    if (!column) return {column.error().message};
    return texts(**column);
  }

  /// The first row's result.
  std::string value(const Expr& expression) { return values(expression)[0]; }

  static std::vector<std::string> texts(const Column& column) {
    std::vector<std::string> result;
    for (std::size_t row = 0; row < column.size(); ++row)
      result.push_back(value_at(column, row).to_string());
    return result;
  }

 private:
  void append(Column& column, const Value& value) {
    std::visit(
        [&]<typename T>(const T& data) {
          if constexpr (std::is_same_v<T, std::monostate>)
            column.append_null();
          else if constexpr (std::is_same_v<T, bool>)
            column.append<std::uint8_t>(data ? 1 : 0);
          else if constexpr (std::is_same_v<T, std::string>)
            column.append<std::string_view>(batch_.arena().store(data));
          else
            column.append<T>(data);
        },
        value.data);
  }

  static Value value_at(const Column& column, std::size_t row) {
    if (column.is_null(row)) return Value::null(column.type());
    switch (column.kind()) {
      case TypeKind::kBoolean:
        return Value::boolean(column.value<std::uint8_t>(row) != 0);
      case TypeKind::kInt32:
      case TypeKind::kDate:
        return {column.type(), column.value<std::int32_t>(row)};
      case TypeKind::kInt64:
      case TypeKind::kTimestamp:
        return {column.type(), column.value<std::int64_t>(row)};
      case TypeKind::kDouble:
        return Value::real(column.value<double>(row));
      default:
        return {column.type(), std::string(column.text(row))};
    }
  }

  BatchPool pool_;
  Batch batch_;
  std::vector<InputField> inputs_;
};

using Texts = std::vector<std::string>;

}  // namespace millrace::stream
