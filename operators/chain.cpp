#include "operators/chain.hpp"

#include "millrace/assert.hpp"

#include "operators/batch_copy.hpp"

namespace millrace::operators {

/// An operator and where its output goes.
class Chain::Node final : public Emitter {
 public:
  explicit Node(std::unique_ptr<Operator> made) : step(std::move(made)) {}

  Status emit(Port port, Batch&& rows) override {
    MILLRACE_ASSERT(port == Port(0) && !targets.empty());
    for (std::size_t number = 0; number + 1 < targets.size(); ++number) {
      if (!copies) copies = std::make_unique<BatchPool>(std::make_shared<Schema>(rows.schema()));
      Batch copy = copies->take();
      copy_batch(rows, copy);
      MILLRACE_TRY(targets[number]->take(Port(0), std::move(copy)));
    }
    return targets.back()->take(Port(0), std::move(rows));
  }

  Status take(Port port, Batch&& rows) { return step->on_batch(port, std::move(rows), *this); }

  std::unique_ptr<BatchPool> copies;  ///< outlives the operators that may hold its batches
  std::unique_ptr<Operator> step;
  std::vector<Node*> targets;
};

Chain::Chain() = default;

Chain::~Chain() {
  // Downstream first: an operator may hold batches of a pool further up.
  while (!nodes_.empty()) nodes_.pop_back();
}

Result<std::unique_ptr<Chain>> Chain::build(const std::vector<stream::ChainNode>& nodes,
                                            ChainContext context, const MakeOperator& make) {
  MILLRACE_ASSERT(!nodes.empty());
  MILLRACE_ASSERT(context.clock != nullptr && context.metrics != nullptr);
  std::unique_ptr<Chain> chain(new Chain);
  context.waker = chain->waker_;
  chain->metrics_ = context.metrics;
  MILLRACE_ASSIGN(chain->bad_records_, BadRecords::make(context));
  context.bad_records = chain->bad_records_.get();
  for (const stream::ChainNode& node : nodes) {
    MILLRACE_ASSIGN(std::unique_ptr<Operator> step, make(node.spec, context));
    chain->nodes_.push_back(std::make_unique<Node>(std::move(step)));
  }
  for (std::size_t number = 0; number < nodes.size(); ++number) {
    for (const std::size_t target : nodes[number].targets) {
      MILLRACE_ASSERT(target > number && target < nodes.size());
      chain->nodes_[number]->targets.push_back(chain->nodes_[target].get());
    }
  }
  return chain;
}

void Chain::join(Epoch first) {
  for (const std::unique_ptr<Node>& node : nodes_) node->step->on_join(first);
  bad_records_->begin_epoch(first);
}

Status Chain::process(Port port, Batch&& rows) {
  bad_records_->begin(rows);
  MILLRACE_TRY(nodes_.front()->take(port, std::move(rows)));
  return bad_records_->flush();
}

Status Chain::end_epoch(const EpochInfo& info) {
  for (const std::unique_ptr<Node>& node : nodes_)
    MILLRACE_TRY(node->step->on_epoch_end(info, *node));
  MILLRACE_TRY(bad_records_->flush());
  bad_records_->begin_epoch(info.epoch.next());
  return {};
}

Status Chain::wake() {
  if (!waker_->take()) return {};
  for (const std::unique_ptr<Node>& node : nodes_) MILLRACE_TRY(node->step->on_wake(*node));
  return bad_records_->flush();
}

}  // namespace millrace::operators
