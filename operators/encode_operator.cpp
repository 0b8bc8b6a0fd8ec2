#include "operators/encode_operator.hpp"

#include "millrace/assert.hpp"

#include <algorithm>

namespace millrace::operators {

EncodeOperator::EncodeOperator(const stream::EncodeSpec& spec,
                               std::unique_ptr<formats::RecordEncoder> encoder)
    : pool_(spec.output),
      encoder_(std::move(encoder)),
      value_columns_(spec.value_columns),
      source_value_column_(spec.source_value_column) {
  std::size_t target = 1;  // behind the value
  for (const auto& column : {spec.key_column, spec.headers_column, spec.timestamp_column,
                             spec.topic_column, spec.partition_column})
    if (column) passed_.add(target++, *column);
  MILLRACE_ASSERT(spec.output->size() == target);
}

Status EncodeOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  Batch result = pool_.take();
  encoder_->encode(rows, result.column(0), rows.arena());
  if (source_value_column_) keep_deletions(rows, result.column(0));
  passed_.pass(rows, result);
  result.adopt(rows);
  return out.emit(Port(0), std::move(result));
}

/// A row that has nothing of its own and was made from a record with a null value is written as
/// one.
void EncodeOperator::keep_deletions(const Batch& rows, Column& values) const {
  const Column& source = rows.column(*source_value_column_);
  if (!source.may_have_nulls()) [[likely]]
    return;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (!source.is_null(row)) continue;
    const bool has_nothing = std::ranges::all_of(
        value_columns_, [&](std::size_t column) { return rows.column(column).is_null(row); });
    if (has_nothing) values.set_null(row);
  }
}

}  // namespace millrace::operators
