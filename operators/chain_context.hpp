#pragma once

#include "millrace/clock.hpp"
#include "millrace/error.hpp"

#include "operators/operator_waker.hpp"
#include "operators/stage_metrics.hpp"
#include "stream/physical_plan.hpp"
#include "stream/sink.hpp"

#include <functional>
#include <memory>

namespace millrace::operators {

class StaticTable;

/// What operators are made with: the same for all operators of one task. Clock and metrics are
/// borrows that outlive the chain; the functions are called while it is built only.
struct ChainContext {
  const Clock* clock = nullptr;
  StageMetrics* metrics = nullptr;
  Epoch first_epoch{};  ///< the epoch that the first rows belong to
  /// Set by the chain: an operator that waits for results keeps it and lends it to who brings them.
  std::shared_ptr<OperatorWaker> waker;
  std::function<Result<std::unique_ptr<stream::SinkWriter>>(const stream::SinkSpec&)> open_writer;
  std::function<Result<std::shared_ptr<const StaticTable>>(const stream::StaticJoinSpec&)>
      static_table;
};

}  // namespace millrace::operators
