#pragma once

#include "millrace/clock.hpp"

#include "actors/coordinator.hpp"
#include "state/checkpoint.hpp"
#include "stream/decider.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace millrace::actors {

/// Makes closed epochs durable: offsets/N, prepared/N, the decider's word, commits/N, retention.
/// Called on one thread, the commit thread, never on one that steps tasks. Without a checkpoint
/// every commit succeeds at once and nothing is kept.
class Committer {
 public:
  /// Keeps nothing.
  Committer() = default;
  /// Owns the checkpoint, whose restart has been read; `open` are its epochs to run again. The
  /// clock is a borrow.
  Committer(std::unique_ptr<state::Checkpoint> checkpoint, std::vector<state::OpenEpoch> open,
            const Clock& clock);

  /// Who says that an epoch is visible, asked between prepared/N and commits/N; a borrow. `newest`:
  /// the mark that it bears.
  void set_decider(stream::Decider& decider, std::optional<state::CommitMark> newest);
  /// Says where the query begins, at the first start of its checkpoint.
  void set_start(state::StartRecord start) { start_ = std::move(start); }
  /// Leaves offsets/N of planned epochs to their commit: who plans does not wait for the disk, and
  /// a restart plans anew what was not committed. Before the first plan.
  void write_plans_late() { writes_plans_late_ = true; }
  /// Makes that durable. Before the first row, and behind all that could refuse the start: `latest`
  /// is resolved once in a checkpoint's life.
  [[nodiscard]] Status begin();
  /// Makes offsets/N of a planned epoch durable, before anything of it is read. The record's
  /// generation and drive are filled in. May run on a thread of its own, beside commit().
  [[nodiscard]] Status write_plan(state::OffsetsRecord record);
  [[nodiscard]] Status commit(const ClosedEpoch& closed);
  /// Removes what the retention no longer keeps, now and then: behind each commit, when it has been
  /// told of.
  [[nodiscard]] Status tidy(Epoch committed);

 private:
  [[nodiscard]] Status decide(Epoch epoch);
  [[nodiscard]] state::OffsetsRecord offsets_of(const ClosedEpoch& closed) const;

  std::unique_ptr<state::Checkpoint> checkpoint_;
  std::optional<state::StartRecord> start_;
  stream::Decider* decider_ = nullptr;             ///< null: rows are visible as they are written
  std::optional<state::CommitMark> newest_;        ///< mark; none: nothing was ever decided
  mutable std::mutex mutex_;                       ///< guards planned_
  std::map<Epoch, state::OffsetsRecord> planned_;  ///< on disk, not committed
  bool writes_plans_late_ = false;
  const Clock* clock_ = nullptr;
};

}  // namespace millrace::actors
