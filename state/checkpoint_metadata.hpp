#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::state {

/// What this build writes, and the oldest build number that can read it.
inline constexpr std::int64_t kCheckpointFormat = 1;
inline constexpr std::int64_t kCheckpointOldestReader = 1;

/// A place where history forked: `generation` began after `epoch`.
struct Fork {
  Generation generation;
  Epoch epoch;

  friend bool operator==(const Fork&, const Fork&) = default;
};

/// The topic-partition whose committed offset is the decider's mark, fixed at the first start.
struct MarkPartition {
  std::string topic;
  std::int32_t partition = 0;

  friend bool operator==(const MarkPartition&, const MarkPartition&) = default;
};

/// metadata: what a checkpoint is. Replaced as a whole, only under the lock. A plain value.
struct CheckpointMetadata {
  std::int64_t format = kCheckpointFormat;
  std::int64_t oldest_reader = kCheckpointOldestReader;
  std::string checkpoint_id;  ///< 32 hex digits, drawn when the folder is made
  WallTime created;
  Generation generation;
  std::vector<Fork> forks;                     ///< ascending; empty while generation is 0
  std::vector<std::string> transactional_ids;  ///< every one ever used
  std::optional<MarkPartition> mark;
  // Of exactly-once by resuming: what decides where and what a row becomes, of all that is written
  // behind the newest commit.
  std::map<std::string, std::int32_t> output_partitions;  ///< topic -> records are spread over
  std::map<std::string, std::string> tables;              ///< static table -> fingerprint
  /// "source/partition" -> how often the partition's history began anew; those that never did are
  /// not here.
  std::map<std::string, std::int64_t> histories;

  friend bool operator==(const CheckpointMetadata&, const CheckpointMetadata&) = default;
};

[[nodiscard]] std::string encode(const CheckpointMetadata& metadata);
/// kCorrupt for a file that is not what was written; kNotSupported, naming both formats, for one
/// that needs a newer Millrace. The message is the reason only.
[[nodiscard]] Result<CheckpointMetadata> decode_metadata(std::string_view bytes);

}  // namespace millrace::state
