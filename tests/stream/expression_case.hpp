#pragma once

#include "millrace/batch.hpp"
#include "millrace/expression.hpp"

#include "stream/expression_evaluator.hpp"
#include "stream/plan/expression_binder.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::stream {

/// A few rows to try expressions on. Results come back as texts: what Value::to_string shows, or
/// the error's message alone.
class ExpressionCase {
 public:
  ExpressionCase(std::vector<Field> fields, std::vector<std::vector<Value>> rows)
      : rows_(std::move(rows)), pool_(make_schema(fields)), batch_(pool_.take()) {
    for (const Field& field : fields) inputs_.push_back({"t", field.name, field.type});
    batch_.set_rows(rows_.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      for (const auto& row : rows_) append_value(batch_.column(i), row[i]);
    }
  }

  /// One row without columns: for expressions over literals.
  ExpressionCase() : ExpressionCase({}, {{}}) {}

  /// What the expressions run under from now on: ansi = 'false', another time zone.
  ExpressionCase& under(EvaluationSettings settings) {
    settings_ = settings;
    return *this;
  }

  Batch& batch() { return batch_; }
  std::vector<InputField>& inputs() { return inputs_; }

  Result<BoundExpr> bound(const Expr& expression) const {
    return stream::bind(expression, inputs_, {FunctionRegistry::builtin(), settings_});
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
      result.push_back(value_of(column, row).to_string());
    return result;
  }

 private:
  std::vector<std::vector<Value>> rows_;  ///< the batch's texts are theirs
  BatchPool pool_;
  Batch batch_;
  std::vector<InputField> inputs_;
  EvaluationSettings settings_;
};

using Texts = std::vector<std::string>;

/// What an expression gives for the last of some batches that go through one evaluator.
inline Texts values_after(const Expr& expression, const std::vector<ExpressionCase*>& batches) {
  auto bound = batches[0]->bound(expression);
  if (!bound) return {bound.error().message};
  ExpressionEvaluator evaluator(std::move(*bound));
  EvaluationContext context;
  Texts texts;
  for (ExpressionCase* each : batches) {
    context.begin(each->batch().rows());
    const auto column = evaluator.evaluate(each->batch(), context);
    texts = column ? ExpressionCase::texts(**column) : Texts{column.error().message};
  }
  return texts;
}

/// What an expression over literals gives.
inline std::string result_of(const Expr& expression, EvaluationSettings settings = {}) {
  ExpressionCase rows;
  return rows.under(settings).value(expression);
}
inline std::string result_of(const char* name, std::vector<Expr> arguments,
                             EvaluationSettings settings = {}) {
  return result_of(call(name, std::move(arguments)), settings);
}

/// The same as a cast to text writes it, which for dates, times and intervals is easier to read.
inline std::string result_text(const Expr& expression, EvaluationSettings settings = {}) {
  return result_of(expression.cast(TypeKind::kString), settings);
}
inline std::string result_text(const char* name, std::vector<Expr> arguments,
                               EvaluationSettings settings = {}) {
  return result_text(call(name, std::move(arguments)), settings);
}

}  // namespace millrace::stream
