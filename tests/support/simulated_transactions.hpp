#pragma once

#include "operators/epoch_rotation.hpp"
#include "stream/decider.hpp"
#include "tests/support/simulated_broker.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace millrace::support {

/// The transactions of one life of a query at the simulated broker, which may lie about them. What
/// is undecided when the next life takes over is aborted then, as brokers do.
class SimulatedTransactions final : public stream::Decider {
 public:
  SimulatedTransactions(SimulatedBroker& broker, std::function<CommitFate()> fates)
      : broker_(broker), fates_(std::move(fates)) {}

  // For sinks.
  void add_sink() { ++sinks_; }
  void on_room(std::function<void()> tell) { on_room_ = std::move(tell); }
  [[nodiscard]] bool may_write(Epoch epoch) const { return rotation_.may_write(epoch); }
  /// The transaction of an epoch, begun at first sight.
  [[nodiscard]] std::shared_ptr<PendingTransaction> of(Epoch epoch);
  /// One of the sinks has nothing of it in flight, and gets no more of it.
  void note_flushed(Epoch epoch);

  // stream::Decider
  [[nodiscard]] std::string title() const override { return "the simulated broker"; }
  [[nodiscard]] stream::DeciderNames names(const std::string& /*checkpoint_id*/) override {
    return {{"simulated-0"}, "enriched", 0};
  }
  [[nodiscard]] Result<std::optional<std::string>> take_over(
      const stream::DeciderNames& names) override;
  [[nodiscard]] bool goes_on_without_mark() const override { return broker_.forgets_marks_; }
  [[nodiscard]] Status start(Epoch first, stream::MarkOf mark_of) override;
  [[nodiscard]] Result<bool> commit(Epoch epoch) override;
  void give_up() override {}

 private:
  SimulatedBroker& broker_;
  const std::function<CommitFate()> fates_;
  std::function<void()> on_room_;
  operators::EpochRotation rotation_{3};
  stream::MarkOf mark_of_;
  std::size_t sinks_ = 0;
  std::map<Epoch, std::size_t> flushed_by_;
  std::map<Epoch, std::shared_ptr<PendingTransaction>> transactions_;
};

}  // namespace millrace::support
