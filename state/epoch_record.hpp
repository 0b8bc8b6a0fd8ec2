#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a checkpoint says about one epoch, in three files written one after the other: what was
// read (offsets/N), what came of it (prepared/N.<attempt>), and that it counts (commits/N). Plain
// values; `encode` gives the bytes of the file, `decode_...` takes them back and answers kCorrupt,
// with the reason only, for any file that is not exactly what was written.

namespace millrace::state {

/// Who cut the epoch (the glossary's "drive").
enum class Drive {
  kOpen,     ///< real time: the end was found while running
  kPlanned,  ///< micro-batch: the end was fixed before reading
};

/// Positions [from, to) of one source partition; empty when equal.
struct OffsetRange {
  std::int64_t from = 0;
  std::int64_t to = 0;

  friend bool operator==(const OffsetRange&, const OffsetRange&) = default;
};

/// Source name -> partition name -> range.
using SourceRanges = std::map<std::string, std::map<std::string, OffsetRange>>;

/// Key groups [from, to) that this process owns.
struct KeyGroupRange {
  std::int32_t from = 0;
  std::int32_t to = 0;

  friend bool operator==(const KeyGroupRange&, const KeyGroupRange&) = default;
};

/// offsets/N: what the epoch read. Written once; a re-run reads exactly this again.
struct OffsetsRecord {
  Epoch epoch;
  Generation generation;
  Drive drive = Drive::kOpen;
  WallTime time;  ///< open: when it was closed; planned: its planned time, reused by a re-run
  /// Every partition of every source, also one that gave nothing (from == to): the newest record
  /// alone says where to read on.
  SourceRanges ranges;
  std::vector<KeyGroupRange> key_groups;  ///< owned during the epoch; empty: all

  friend bool operator==(const OffsetsRecord&, const OffsetsRecord&) = default;
};

/// A file of a store; only files named in a prepared record are ever loaded.
struct StateFile {
  std::string name;  ///< below state/
  std::int64_t length = 0;
  std::string checksum;

  friend bool operator==(const StateFile&, const StateFile&) = default;
};

/// Where an output topic stood when the coordinator asked to close the epoch.
struct OutputPosition {
  std::int32_t partition_count = 0;
  std::map<std::int32_t, std::int64_t> acknowledged;  ///< last acknowledged offset per partition

  friend bool operator==(const OutputPosition&, const OutputPosition&) = default;
};

/// prepared/N.<attempt>: everything a restart needs to finish the epoch without running it again.
struct PreparedRecord {
  Epoch epoch;
  std::string attempt;  ///< Checkpoint::attempt() of the run that wrote it
  std::map<std::string, std::map<std::string, EventTime>> watermarks;  ///< source -> partition
  std::optional<EventTime> watermark;                                  ///< merged over all sources
  std::optional<EventTime> next_timer_due;
  std::map<std::string, std::string> sink_handles;         ///< sink name -> what finishes it
  std::map<std::string, OutputPosition> output_positions;  ///< output topic ->
  std::vector<StateFile> state_files;
  /// Source -> partition -> what its reader must know besides its position to read on; those that
  /// need nothing are not here.
  std::map<std::string, std::map<std::string, std::string>> reader_memos{};

  friend bool operator==(const PreparedRecord&, const PreparedRecord&) = default;
};

/// What the decider holds for an epoch that it made visible.
struct CommitMark {
  Generation generation;
  Epoch epoch;
  std::string attempt;

  friend bool operator==(const CommitMark&, const CommitMark&) = default;
};

/// The words by which a decider bears a mark: "<generation> <epoch> <attempt>".
[[nodiscard]] std::string to_text(const CommitMark& mark);
/// None for words that are no mark.
[[nodiscard]] std::optional<CommitMark> parse_mark(std::string_view text);

/// commits/N: the epoch counts.
struct CommitRecord {
  Epoch epoch;
  std::string attempt;             ///< names the prepared record it rests on
  std::optional<CommitMark> mark;  ///< the decider's; none where there is no decider

  friend bool operator==(const CommitRecord&, const CommitRecord&) = default;
};

[[nodiscard]] std::string encode(const OffsetsRecord& record);
[[nodiscard]] std::string encode(const PreparedRecord& record);
[[nodiscard]] std::string encode(const CommitRecord& record);
[[nodiscard]] Result<OffsetsRecord> decode_offsets(std::string_view bytes);
[[nodiscard]] Result<PreparedRecord> decode_prepared(std::string_view bytes);
[[nodiscard]] Result<CommitRecord> decode_commit(std::string_view bytes);

}  // namespace millrace::state
