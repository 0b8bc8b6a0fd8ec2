#include "operators/decode_operator.hpp"

#include "millrace/assert.hpp"

#include "stream/expression_evaluator.hpp"

namespace millrace::operators {

DecodeOperator::DecodeOperator(const stream::DecodeSpec& spec,
                               std::unique_ptr<formats::RecordDecoder> decoder,
                               const ChainContext& context)
    : pool_(spec.output),
      value_column_(spec.value_column),
      decoder_(std::move(decoder)),
      clock_(*context.clock),
      metrics_(*context.metrics) {
  MILLRACE_ASSERT(spec.output->size() == spec.fields.size() + spec.passed_columns.size());
  for (std::size_t i = 0; i < spec.passed_columns.size(); ++i)
    passed_.add(spec.fields.size() + i, spec.passed_columns[i]);
}

Status DecodeOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  const SteadyTime begin = clock_.steady();
  Batch result = pool_.take();
  bad_.clear();
  decoder_->decode(rows.column(value_column_), result, rows.arena(), bad_);
  if (!bad_.empty()) [[unlikely]] {
    StageMetrics::add(metrics_.rows_bad, static_cast<std::int64_t>(bad_.size()));
    return fail(ErrorCode::kBadRecord,
                stream::place_of(rows, bad_.front().row) + ": " + bad_.front().reason);
  }
  passed_.pass(rows, result);
  result.adopt(rows);
  metrics_.decode.record(clock_.steady().value - begin.value, result.rows());
  return out.emit(Port(0), std::move(result));
}

}  // namespace millrace::operators
