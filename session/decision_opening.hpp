#pragma once

#include "millrace/error.hpp"

#include "state/checkpoint.hpp"
#include "stream/decider.hpp"

#include <optional>
#include <string>

namespace millrace::session {

/// Opens a query whose output is made visible by a decider: shuts out whoever wrote before, asks
/// the decider how far it came, and finishes the one epoch that may be visible without its
/// commits/N. Lives for one start; checkpoint and decider are borrows.
///
/// The mark that the decider bears is one of:
///   of the oldest open epoch, by an attempt that prepared it    visible: commits/N is written
///   the newest commit's, or none and that has none              not visible: it runs again
///   of a generation that was forked away since                  not visible
///   anything else                                               refused, naming both
class DecisionOpening {
 public:
  DecisionOpening(state::Checkpoint& checkpoint, stream::Decider& decider);

  /// Gives where the query goes on; behind the sinks' prime(). kConflict when the mark is none that
  /// this checkpoint can have left.
  [[nodiscard]] Result<state::RestartPoint> run(state::RestartPoint restart);
  /// The mark that the decider bears, behind run().
  [[nodiscard]] const std::optional<state::CommitMark>& newest() const { return newest_; }
  /// What was found, for the log; empty: nothing to tell.
  [[nodiscard]] const std::string& notice() const { return notice_; }

 private:
  [[nodiscard]] Result<stream::DeciderNames> claim_names();
  [[nodiscard]] Result<bool> is_visible(const state::RestartPoint& restart,
                                        const std::optional<std::string>& text);
  [[nodiscard]] bool is_forked_away(const state::CommitMark& mark) const;
  [[nodiscard]] tl::unexpected<Error> refuse(const state::RestartPoint& restart,
                                             const std::string& found) const;

  state::Checkpoint& checkpoint_;
  stream::Decider& decider_;
  const stream::DeciderNames names_;
  std::optional<state::CommitMark> newest_;
  std::string notice_;
};

}  // namespace millrace::session
