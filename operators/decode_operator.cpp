#include "operators/decode_operator.hpp"

#include "millrace/assert.hpp"

#include "formats/readable_text.hpp"

namespace millrace::operators {

DecodeOperator::DecodeOperator(const stream::DecodeSpec& spec,
                               std::unique_ptr<formats::RecordDecoder> decoder,
                               const ChainContext& context)
    : pool_(spec.output),
      value_column_(spec.value_column),
      corrupt_column_(spec.corrupt_column),
      decoder_(std::move(decoder)),
      bad_records_(*context.bad_records),
      clock_(*context.clock),
      metrics_(*context.metrics) {
  const std::size_t own = spec.fields.size() + (corrupt_column_ ? 1 : 0);
  MILLRACE_ASSERT(spec.output->size() == own + spec.passed_columns.size());
  for (std::size_t i = 0; i < spec.passed_columns.size(); ++i)
    passed_.add(own + i, spec.passed_columns[i]);
}

Status DecodeOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  const SteadyTime begin = clock_.steady();
  Batch result = pool_.take();
  bad_.clear();
  decoder_->decode(rows.column(value_column_), result, rows.arena(), bad_);
  if (corrupt_column_) {
    result.column(*corrupt_column_).resize(rows.rows());
    result.column(*corrupt_column_).set_all_null();
  }
  if (!bad_.empty()) [[unlikely]]
    MILLRACE_TRY(take_bad_rows(rows, result));
  const bool drops_rows = !bad_.empty() && kept_.size() < rows.rows();
  passed_.pass(rows, result);
  result.adopt(rows);
  metrics_.decode.record(clock_.steady().value - begin.value, result.rows());
  if (drops_rows) [[unlikely]] {
    if (kept_.empty()) return {};
    result.gather(kept_);
  }
  return out.emit(Port(0), std::move(result));
}

/// Brings every bad row to the desk; `kept_` names the rows that go on.
Status DecodeOperator::take_bad_rows(Batch& rows, Batch& result) {
  kept_.clear();
  std::uint32_t next = 0;
  for (const formats::BadRow& bad : bad_) {
    for (; next < bad.row; ++next) kept_.push_back(next);
    next = bad.row + 1;
    MILLRACE_TRY(bad_records_.take(rows, bad.row, bad.kind, bad.reason));
    if (!bad_records_.keeps_rows(bad.kind)) continue;
    kept_.push_back(bad.row);
    if (corrupt_column_) keep_text(rows, bad.row, result.column(*corrupt_column_));
  }
  for (; next < rows.rows(); ++next) kept_.push_back(next);
  bad_records_.keep_before_cause(rows, kept_);
  return {};
}

void DecodeOperator::keep_text(Batch& rows, std::size_t row, Column& column) const {
  column.values<std::string_view>()[row] =
      formats::readable_text(rows.column(value_column_).text(row), rows.arena());
  column.mutable_validity()[row / 64] |= std::uint64_t{1} << (row % 64);
}

}  // namespace millrace::operators
