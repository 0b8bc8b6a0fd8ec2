#pragma once

#include "operators/chain_context.hpp"
#include "operators/operator.hpp"

#include <cstdint>
#include <memory>

namespace millrace::operators {

/// The end of a chain: hands rows to a sink writer, with the epoch they belong to. Rows that are
/// too large for the sink go to the task's desk for bad records.
class SinkOperator final : public Operator {
 public:
  SinkOperator(std::unique_ptr<stream::SinkWriter> writer, const ChainContext& context);

  void on_join(Epoch first) override;
  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;
  [[nodiscard]] Status on_epoch_end(const EpochInfo& info, Emitter& out) override;

 private:
  std::unique_ptr<stream::SinkWriter> writer_;
  const Clock& clock_;
  StageMetrics& metrics_;
  std::int64_t left_out_ = 0;  ///< rows of the batch under way that cannot be written
  Epoch epoch_;                ///< of the rows that come now
};

}  // namespace millrace::operators
