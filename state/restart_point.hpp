#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include "state/epoch_record.hpp"
#include "state/start_record.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace millrace::state {

class CheckpointFiles;

/// The newest epoch that counts.
struct CommittedEpoch {
  OffsetsRecord offsets;
  PreparedRecord prepared;
  CommitRecord commit;
};

/// An epoch with offsets/N and no commits/N: decided by the decider, or run again over exactly
/// these ranges.
struct OpenEpoch {
  OffsetsRecord offsets;
  std::vector<PreparedRecord> prepared;  ///< of earlier attempts; empty, or one per attempt
};

/// Where a query goes on. A plain value.
struct RestartPoint {
  std::optional<StartRecord> start;         ///< none: resolve the start positions, write_start
  std::optional<CommittedEpoch> committed;  ///< none: nothing was committed yet
  std::vector<OpenEpoch> open;              ///< ascending, without holes, from the newest commit on
  Epoch next;                               ///< first number without an offsets entry
  bool has_other_steps = false;             ///< than the plan that wrote it
  std::vector<std::string> notices;         ///< sentences for the log: what was cut off and why

  /// First position not covered by a committed epoch: source name -> partition name -> position.
  /// Where an open epoch says that a partition's history began anew, it is where that one begins.
  /// Empty while there is neither a start nor a commit.
  [[nodiscard]] std::map<std::string, stream::Positions> positions() const;
};

/// What the folder holds of one epoch.
struct EpochFiles {
  WallTime time;                      ///< of its offsets entry; the far past when it has none
  std::vector<std::string> attempts;  ///< that have a prepared entry
};

/// A folder as restart found it, and left it: nothing behind a hole, no stray prepared entries.
struct FolderState {
  RestartPoint point;
  std::map<Epoch, EpochFiles> epochs;  ///< every epoch that has a file
};

/// Reads where to go on. Removes, durably, what lies behind a hole and prepared entries that nobody
/// can need. kCorrupt names the file that is torn or missing and what to do.
[[nodiscard]] Result<FolderState> read_restart(CheckpointFiles& files);

}  // namespace millrace::state
