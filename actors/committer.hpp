#pragma once

#include "millrace/clock.hpp"

#include "actors/coordinator.hpp"
#include "state/checkpoint.hpp"

#include <map>
#include <memory>
#include <vector>

namespace millrace::actors {

/// Makes closed epochs durable: offsets/N, prepared/N, commits/N, retention. Called on one thread,
/// the commit thread, never on one that steps tasks. Without a checkpoint every commit succeeds at
/// once and nothing is kept.
class Committer {
 public:
  /// Keeps nothing.
  Committer() = default;
  /// Owns the checkpoint, whose restart has been read; `open` are its epochs to run again. The
  /// clock is a borrow.
  Committer(std::unique_ptr<state::Checkpoint> checkpoint, std::vector<state::OpenEpoch> open,
            const Clock& clock);

  [[nodiscard]] Status commit(const ClosedEpoch& closed);

 private:
  [[nodiscard]] state::OffsetsRecord offsets_of(const ClosedEpoch& closed) const;

  std::unique_ptr<state::Checkpoint> checkpoint_;
  std::map<Epoch, state::OffsetsRecord> replayed_;
  const Clock* clock_ = nullptr;
};

}  // namespace millrace::actors
