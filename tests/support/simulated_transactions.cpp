#include "tests/support/simulated_transactions.hpp"

#include "millrace/assert.hpp"

#include <utility>

namespace millrace::support {

std::shared_ptr<PendingTransaction> SimulatedTransactions::of(Epoch epoch) {
  std::shared_ptr<PendingTransaction>& transaction = transactions_[epoch];
  if (!transaction) {
    transaction = std::make_shared<PendingTransaction>();
    transaction->mark = mark_of_(epoch);
  }
  return transaction;
}

void SimulatedTransactions::note_flushed(Epoch epoch) {
  if (++flushed_by_[epoch] < sinks_) return;
  flushed_by_.erase(epoch);
  if (rotation_.note_flushed(epoch) && on_room_) on_room_();
}

Result<std::optional<std::string>> SimulatedTransactions::take_over(
    const stream::DeciderNames& /*names*/) {
  const std::lock_guard lock(broker_.mutex_);
  // Those of the life before can decide nothing any more: it is gone, and so are its requests.
  MILLRACE_ASSERT(broker_.held_.empty() || broker_.lets_the_dead_decide_);
  return broker_.forgets_marks_ ? std::nullopt : broker_.mark_;
}

Status SimulatedTransactions::start(Epoch first, stream::MarkOf mark_of) {
  const std::lock_guard lock(broker_.mutex_);
  for (const auto& transaction : std::exchange(broker_.held_, {})) broker_.commit(*transaction);
  mark_of_ = std::move(mark_of);
  rotation_.start(first);
  return {};
}

Result<bool> SimulatedTransactions::commit(Epoch epoch) {
  const auto found = transactions_.find(epoch);
  if (found == transactions_.end()) {
    if (rotation_.note_decided(epoch) && on_room_) on_room_();
    return false;
  }
  const std::shared_ptr<PendingTransaction> transaction = found->second;
  transactions_.erase(found);
  const std::lock_guard lock(broker_.mutex_);
  switch (fates_()) {
    case CommitFate::kDone:
      broker_.commit(*transaction);
      if (rotation_.note_decided(epoch) && on_room_) on_room_();
      return true;
    case CommitFate::kLostReply:
      broker_.commit(*transaction);
      break;
    case CommitFate::kHeld:
      broker_.held_.push_back(transaction);
      break;
    case CommitFate::kTimedOut:
      transaction->is_decided = true;
      break;
  }
  return fail(ErrorCode::kUnavailable, "the broker did not answer");
}

}  // namespace millrace::support
