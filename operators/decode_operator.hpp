#pragma once

#include "formats/record_decoder.hpp"
#include "operators/bad_records.hpp"
#include "operators/chain_context.hpp"
#include "operators/operator.hpp"
#include "operators/passed_columns.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace millrace::operators {

/// Turns the value bytes of records into columns and hands the record's own columns on behind them.
/// A record that cannot be decoded goes to the task's desk for bad records; one that goes on all
/// the same has its text in the corrupt-record column, when there is one.
class DecodeOperator final : public Operator {
 public:
  DecodeOperator(const stream::DecodeSpec& spec, std::unique_ptr<formats::RecordDecoder> decoder,
                 const ChainContext& context);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  [[nodiscard]] Status take_bad_rows(Batch& rows, Batch& result);
  void keep_text(Batch& rows, std::size_t row, Column& column) const;

  BatchPool pool_;
  std::size_t value_column_;
  std::optional<std::size_t> corrupt_column_;
  std::unique_ptr<formats::RecordDecoder> decoder_;
  PassedColumns passed_;
  std::vector<formats::BadRow> bad_;  ///< of the batch at hand
  std::vector<std::uint32_t> kept_;   ///< of it, when there are bad rows
  BadRecords& bad_records_;
  const Clock& clock_;
  StageMetrics& metrics_;
};

}  // namespace millrace::operators
