#include "operators/sink_operator.hpp"

#include "millrace/assert.hpp"

#include "operators/bad_records.hpp"

namespace millrace::operators {

SinkOperator::SinkOperator(std::unique_ptr<stream::SinkWriter> writer, const ChainContext& context)
    : writer_(std::move(writer)),
      clock_(*context.clock),
      metrics_(*context.metrics),
      epoch_(context.first_epoch) {
  writer_->on_unwritable([this, desk = context.bad_records](const Batch& rows, std::size_t row,
                                                            stream::BadRecordReason kind,
                                                            const std::string& reason) {
    ++left_out_;
    return desk->take(rows, row, kind, reason);
  });
  writer_->begin_epoch(epoch_);
}

void SinkOperator::on_join(Epoch first) {
  epoch_ = first;
  writer_->begin_epoch(epoch_);
}

Status SinkOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& /*out*/) {
  const auto count = static_cast<std::int64_t>(rows.rows());
  metrics_.chain.record(clock_.steady().value - rows.ingest().value,
                        static_cast<std::uint64_t>(count));
  left_out_ = 0;
  MILLRACE_TRY(writer_->write(rows, epoch_));
  StageMetrics::add(metrics_.rows_out, count - left_out_);
  return {};
}

Status SinkOperator::on_epoch_end(const EpochInfo& info, Emitter& /*out*/) {
  MILLRACE_ASSERT(info.epoch == epoch_);
  epoch_ = epoch_.next();
  writer_->begin_epoch(epoch_);
  return {};
}

}  // namespace millrace::operators
