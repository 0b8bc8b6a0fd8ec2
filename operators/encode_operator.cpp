#include "operators/encode_operator.hpp"

#include "millrace/assert.hpp"

namespace millrace::operators {

EncodeOperator::EncodeOperator(const stream::EncodeSpec& spec,
                               std::unique_ptr<formats::RecordEncoder> encoder)
    : pool_(spec.output), encoder_(std::move(encoder)) {
  std::size_t target = 1;  // behind the value
  for (const auto& column : {spec.key_column, spec.headers_column, spec.timestamp_column,
                             spec.topic_column, spec.partition_column})
    if (column) passed_.add(target++, *column);
  MILLRACE_ASSERT(spec.output->size() == target);
}

Status EncodeOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  Batch result = pool_.take();
  encoder_->encode(rows, result.column(0), rows.arena());
  passed_.pass(rows, result);
  result.adopt(rows);
  return out.emit(Port(0), std::move(result));
}

}  // namespace millrace::operators
