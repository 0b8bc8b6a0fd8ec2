#pragma once

#include "millrace/clock.hpp"
#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include "state/checkpoint_files.hpp"
#include "state/checkpoint_metadata.hpp"
#include "state/disk.hpp"
#include "state/epoch_record.hpp"
#include "state/plan_record.hpp"
#include "state/restart_point.hpp"
#include "state/retention.hpp"
#include "state/start_record.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::state {

/// `location`/`query_name`: the folder of one query. kInvalidArgument for a name that is no folder
/// name (empty, ".", "..", or with a '/' in it).
[[nodiscard]] Result<std::string> checkpoint_folder(std::string_view location,
                                                    std::string_view query_name);

struct CheckpointOptions {
  std::string folder;  ///< from checkpoint_folder()
  /// What must stay the same for the folder to be this query's: a JSON object of the session's
  /// making (sources, topics, operators with state, key groups, hash). Compared member by member.
  std::string plan_identity = "{}";
  /// The rest that plan.json tells a reader (expressions, schemas, version): a JSON object that may
  /// change from start to start.
  std::string plan_details = "{}";
  std::uint64_t seed = 0;  ///< of the checkpoint id and the attempt ids; random in production
  RetentionOptions retention;
};

/// The folder a query recovers from (docs/checkpoints.md). Owns the lock on it from open to
/// destruction. Called by one thread at a time: the starting thread, then the commit thread; but
/// that write_offsets may run on another one beside the rest, so that the next epoch is planned
/// while one commits. Every verb may block on the disk. Never touches a file of another owner,
/// never removes what a restart may need.
///
///   open -> restart -> [write_start] -> per epoch N, in order:
///     planned:  write_offsets(N)  ...rows...  write_prepared(N)  write_commit(N)  retain(now)
///     open:     ...rows...        write_closed(N: offsets and prepared)  write_commit(N)  retain
///
/// A file exists from its rename on, and the verbs return only when it is durable. After any
/// failure but kConflict the same folder can be opened again and the query goes on from there;
/// this object is then only good for being destroyed. An offsets/N or commits/N that appears while
/// we run means another owner: kConflict.
class Checkpoint {
 public:
  /// Takes the lock, makes the folder or checks that it is this query's, removes temporary files
  /// that a crash left, makes all names in it durable. `disk` and `clock` outlive the result.
  ///   kLocked          a live process holds it: named, with what to do
  ///   kInvalidArgument it belongs to another plan: names the difference, with what to do
  ///   kCorrupt         metadata or plan.json is torn, or missing beside epochs
  ///   kNotSupported    made by a newer Millrace
  [[nodiscard]] static Result<std::unique_ptr<Checkpoint>> open(Disk& disk, const Clock& clock,
                                                                CheckpointOptions options);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  [[nodiscard]] const std::string& folder() const { return options_.folder; }
  [[nodiscard]] const CheckpointMetadata& metadata() const { return metadata_; }
  /// Names this run of the epochs, in prepared/N.<attempt> and commits/N. Drawn by restart().
  [[nodiscard]] const std::string& attempt() const { return attempt_; }

  /// Reads where to go on, cuts off what lies behind a hole, removes prepared files that nobody
  /// can need, and draws a new attempt. Called first; again when an epoch was aborted and the query
  /// restarts in the same process. kCorrupt names the file that is torn or missing and what to do.
  [[nodiscard]] Result<RestartPoint> restart();

  /// Makes plan.json that of this plan, where its details differ from those that are there: once it
  /// is clear that it may go on with them.
  [[nodiscard]] Status adopt_plan();
  /// Makes the start positions durable. Once, when RestartPoint::start is none.
  [[nodiscard]] Status write_start(const StartRecord& record);
  /// Makes offsets/N durable. For an open epoch that runs again, record.ranges must be those of the
  /// entry that is there, which is kept (kInternal when they differ). Epochs go up by one.
  [[nodiscard]] Status write_offsets(const OffsetsRecord& record);
  /// Makes prepared/N.<attempt> durable, after offsets/N.
  [[nodiscard]] Status write_prepared(const PreparedRecord& record);
  /// write_offsets and write_prepared in one, at a lower price: both files are synced before the
  /// first rename, offsets/N is renamed first.
  [[nodiscard]] Status write_closed(const OffsetsRecord& offsets, const PreparedRecord& prepared);
  /// Makes commits/N durable, after prepared/N.<record.attempt>. Epochs go up by one.
  [[nodiscard]] Status write_commit(const CommitRecord& record);
  /// Removes epochs that the retention no longer keeps; never the newest commit or what is above.
  [[nodiscard]] Status retain(WallTime now);
  /// Replaces metadata (a new transactional id, a mark, a generation). The identity stays.
  [[nodiscard]] Status write_metadata(CheckpointMetadata metadata);

 private:
  Checkpoint(Disk& disk, CheckpointOptions options);

  [[nodiscard]] Status create_or_verify(const Clock& clock);
  [[nodiscard]] Status create(const Clock& clock, const PlanRecord& plan);
  [[nodiscard]] Status verify(const PlanRecord& plan);
  [[nodiscard]] Status verify_plan(const PlanRecord& plan);
  [[nodiscard]] Status check_has_no_epochs() const;
  [[nodiscard]] Result<bool> has_anything() const;
  [[nodiscard]] Result<bool> is_kept(const OffsetsRecord& record) const;
  void note_offsets(const OffsetsRecord& record);
  void note_prepared(const PreparedRecord& record);
  [[nodiscard]] std::vector<std::string> attempts_of(Epoch epoch) const;
  [[nodiscard]] Status remove_prepared(Epoch epoch, const std::vector<std::string>& attempts);
  [[nodiscard]] Status remove_epoch(Epoch epoch);
  [[nodiscard]] std::string draw_attempt();

  CheckpointOptions options_;
  CheckpointFiles files_;
  std::mt19937_64 random_;
  CheckpointMetadata metadata_;
  bool has_other_steps_ = false;
  std::optional<std::string> plan_to_adopt_;
  std::string plan_change_;  ///< a sentence when the folder was written by another plan's details
  std::string attempt_;
  bool has_start_ = false;
  mutable std::mutex mutex_;             ///< guards what follows, never held while the disk works
  std::map<Epoch, OffsetsRecord> kept_;  ///< entries of epochs that are planned or run again
  std::map<Epoch, EpochFiles> epochs_;   ///< every epoch in the folder
  Epoch next_offsets_;                   ///< first number without an offsets entry
  Epoch next_commit_;                    ///< first number without a commits entry
  std::unique_ptr<DiskLock> lock_;
};

}  // namespace millrace::state
