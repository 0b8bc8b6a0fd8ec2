#include "operators/computed_columns.hpp"

#include "millrace/batch.hpp"

#include "stream/arena_text.hpp"
#include "stream/expression_evaluator.hpp"

#include <algorithm>
#include <vector>

namespace millrace::operators {

namespace {

/// The table's rows from `begin` on, as many as a batch may have.
Batch batch_of(BatchPool& pool, const formats::TableRows& table, std::size_t begin) {
  const std::size_t end = std::min(table.rows, begin + kBatchRowsMax);
  Batch batch = pool.take();
  for (std::size_t i = 0; i < table.schema->size(); ++i)
    for (std::size_t row = begin; row < end; ++row)
      batch.column(i).append_from(table.columns[i], row);
  batch.set_rows(end - begin);
  return batch;
}

Status add_column(formats::TableRows& table, BatchPool& pool, const stream::BoundExpr& expression) {
  stream::ExpressionEvaluator evaluator(expression);
  stream::EvaluationContext context;
  Column result(expression.type);
  std::vector<Batch> batches;  // the texts of the result are in their arenas
  for (std::size_t begin = 0; begin < table.rows; begin += kBatchRowsMax) {
    batches.push_back(batch_of(pool, table, begin));
    Batch& batch = batches.back();
    context.begin(batch.rows());
    MILLRACE_ASSIGN(const Column* values, evaluator.evaluate(batch, context));
    for (std::size_t row = 0; row < batch.rows(); ++row) result.append_from(*values, row);
  }
  stream::own_text(result, table.arena);
  table.columns.push_back(std::move(result));
  return {};
}

}  // namespace

Status add_computed(formats::TableRows& table, std::span<const stream::BoundExpr> computed) {
  if (computed.empty()) return {};
  BatchPool pool(table.schema);
  std::vector<Field> fields = table.schema->fields();
  for (const stream::BoundExpr& expression : computed) {
    MILLRACE_TRY(add_column(table, pool, expression));
    fields.push_back({expression.text, expression.type});
  }
  table.schema = make_schema(std::move(fields));
  return {};
}

}  // namespace millrace::operators
