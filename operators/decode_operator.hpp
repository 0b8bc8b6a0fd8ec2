#pragma once

#include "formats/record_decoder.hpp"
#include "operators/chain_context.hpp"
#include "operators/operator.hpp"
#include "operators/passed_columns.hpp"

#include <memory>
#include <vector>

namespace millrace::operators {

/// Turns the value bytes of records into columns and hands the record's own columns on behind them.
/// A record that cannot be decoded stops the query, naming its place and the reason.
class DecodeOperator final : public Operator {
 public:
  DecodeOperator(const stream::DecodeSpec& spec, std::unique_ptr<formats::RecordDecoder> decoder,
                 const ChainContext& context);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  BatchPool pool_;
  std::size_t value_column_;
  std::unique_ptr<formats::RecordDecoder> decoder_;
  PassedColumns passed_;
  std::vector<formats::BadRow> bad_;  ///< of the batch at hand
  const Clock& clock_;
  StageMetrics& metrics_;
};

}  // namespace millrace::operators
