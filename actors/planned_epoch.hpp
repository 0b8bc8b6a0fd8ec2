#pragma once

#include "millrace/strong.hpp"

#include "operators/operator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace millrace::actors {

/// What one source partition gives to a planned epoch: [from, to).
struct PlannedRange {
  operators::SourceRange range;
  bool is_new_history = false;  ///< the partition's history ended, another one begins at `from`
};

/// An epoch of the planned drive whose offsets/N is durable and which nobody has read yet.
struct PlannedEpoch {
  Epoch epoch;
  WallTime time{};
  std::vector<PlannedRange> ranges;  ///< one for every partition that has a task
};

/// A partition that joined a query that runs, and its first position.
struct JoinedPartition {
  std::string source;
  std::string partition;
  std::int64_t first = 0;
};

/// The coordinator's question: what is the next epoch?
struct PlanRequest {
  Epoch epoch;                          ///< the number it would have
  std::vector<JoinedPartition> joined;  ///< since the last question
};

/// The answer.
struct Plan {
  std::optional<PlannedEpoch> epoch;  ///< none: there is nothing to read
  bool is_last = false;               ///< there will be no further epoch: the query ends behind it
  std::int64_t latest_offset_ns = 0;  ///< what it took to ask the sources where they end
  std::int64_t wal_commit_ns = 0;     ///< and to make offsets/N durable
};

}  // namespace millrace::actors
