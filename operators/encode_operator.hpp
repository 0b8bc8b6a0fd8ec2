#pragma once

#include "formats/record_encoder.hpp"
#include "operators/operator.hpp"
#include "operators/passed_columns.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace millrace::operators {

/// Turns rows into the records of a sink: column `value` from the columns that the format writes,
/// and behind it those that steer the record (key, headers, timestamp, topic, partition), handed
/// on as they are. The mark of a deleted key (a null value) that passed the chain stays one.
class EncodeOperator final : public Operator {
 public:
  EncodeOperator(const stream::EncodeSpec& spec, std::unique_ptr<formats::RecordEncoder> encoder);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  void keep_deletions(const Batch& rows, Column& values) const;

  BatchPool pool_;
  std::unique_ptr<formats::RecordEncoder> encoder_;
  const std::vector<std::size_t> value_columns_;
  const std::optional<std::size_t> source_value_column_;
  PassedColumns passed_;
};

}  // namespace millrace::operators
