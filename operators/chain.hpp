#pragma once

#include "operators/bad_records.hpp"
#include "operators/chain_context.hpp"
#include "operators/operator.hpp"
#include "operators/operator_factory.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace millrace::operators {

/// The operators of one task, fused: a tree in which each hands its output to the next by a plain
/// call. An output with several takers is copied for all but the last. Beside the tree there is one
/// more output, that of the dead letters. Owned by its task and called on the task's thread.
class Chain {
 public:
  /// Makes every operator; fails when a sink or static table cannot be opened. The context says
  /// what becomes of bad records.
  [[nodiscard]] static Result<std::unique_ptr<Chain>> build(
      const std::vector<stream::ChainNode>& nodes, ChainContext context,
      const MakeOperator& make = make_operator);
  ~Chain();

  /// Tells every operator the epoch of the first rows, when it was not known yet. Before any other
  /// call.
  void join(Epoch first);
  /// Runs rows through the whole tree.
  [[nodiscard]] Status process(Port port, Batch&& rows);
  /// Tells every operator, upstream first, that the epoch ends here; what they emit follows at
  /// once.
  [[nodiscard]] Status end_epoch(const EpochInfo& info);
  /// Lets every operator look for results that arrived meanwhile, when somebody has said that there
  /// are any; else does nothing.
  [[nodiscard]] Status wake();
  /// What it has counted since it was built, rows_in left to the caller. On the task's thread.
  [[nodiscard]] EpochCounts counts() const { return metrics_->counts(); }
  /// Where the task says how it is woken for that.
  [[nodiscard]] OperatorWaker& waker() { return *waker_; }

 private:
  class Node;
  Chain();

  std::shared_ptr<OperatorWaker> waker_ = std::make_shared<OperatorWaker>();
  const StageMetrics* metrics_ = nullptr;     ///< a borrow
  std::unique_ptr<BadRecords> bad_records_;   ///< outlives the operators, which borrow it
  std::vector<std::unique_ptr<Node>> nodes_;  ///< targets come after their source
};

}  // namespace millrace::operators
