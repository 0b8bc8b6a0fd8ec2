#include "state/checkpoint_tools.hpp"

#include "state/checkpoint_files.hpp"
#include "state/checkpoint_metadata.hpp"
#include "state/epoch_record.hpp"
#include "state/plan_record.hpp"
#include "state/start_record.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <vector>

namespace millrace::state {
namespace {

constexpr std::string_view kMetadata = "metadata";
constexpr std::size_t kEpochsShown = 10;

Result<CheckpointMetadata> read_metadata(const CheckpointFiles& files) {
  auto bytes = files.read(kRootPart, kMetadata);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("{} is no checkpoint: there is no file metadata in it (a query's folder "
                    "lies below checkpoint_location, under the query's name)",
                    files.folder()));
  }
  if (!bytes) return fail(std::move(bytes).error());
  auto metadata = decode_metadata(*bytes);
  if (metadata) return metadata;
  return fail(metadata.error().code,
              fmt::format("checkpoint file {} is damaged: {}", files.path(kRootPart, kMetadata),
                          metadata.error().message));
}

std::string time_text(WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(
      std::chrono::system_clock::time_point(std::chrono::microseconds(time.value)));
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", seconds);
}

/// Puts the words together, part by part.
class Description {
 public:
  explicit Description(const CheckpointFiles& files) : files_(files) {}

  Result<std::string> write() {
    MILLRACE_TRY(head());
    MILLRACE_ASSIGN(offsets_, files_.list_epochs(kOffsetsPart));
    MILLRACE_ASSIGN(commits_, files_.list_epochs(kCommitsPart));
    MILLRACE_TRY(epochs());
    MILLRACE_TRY(positions());
    return std::move(text_);
  }

 private:
  Status head() {
    MILLRACE_ASSIGN(const CheckpointMetadata metadata, read_metadata(files_));
    say("checkpoint {}", files_.folder());
    say("  id {}, made {}, format {}, generation {}", metadata.checkpoint_id,
        time_text(metadata.created), metadata.format, metadata.generation.value);
    for (const Fork& fork : metadata.forks)
      say("  generation {} began behind epoch {}", fork.generation.value, fork.epoch.value);
    return {};
  }

  Status epochs() {
    if (offsets_.empty()) {
      say("  no epoch yet");
      return {};
    }
    say("  {} epochs kept, {} to {}; newest committed: {}", offsets_.size(),
        offsets_.begin()->value, offsets_.rbegin()->value,
        commits_.empty() ? "none" : std::to_string(commits_.rbegin()->value));
    const auto skipped = offsets_.size() - std::min(offsets_.size(), kEpochsShown);
    auto epoch = std::next(offsets_.begin(), static_cast<std::ptrdiff_t>(skipped));
    if (skipped > 0) say("  ({} older ones)", skipped);
    for (; epoch != offsets_.end(); ++epoch) describe(*epoch);
    return {};
  }

  void describe(Epoch epoch) {
    const Result<OffsetsRecord> record = read_offsets(epoch);
    if (!record) return say("  epoch {}: {}", epoch.value, record.error().message);
    std::int64_t count = 0;
    for (const auto& [source, ranges] : record->ranges)
      for (const auto& [partition, range] : ranges) count += range.to - range.from;
    say("  epoch {}: {}, {}, {} offsets, {}", epoch.value, time_text(record->time),
        record->drive == Drive::kPlanned ? "planned" : "open", count,
        commits_.contains(epoch) ? "committed" : "not committed: it runs again at the next start");
  }

  /// Where the query reads on: behind the newest commit, or where it began.
  Status positions() {
    std::map<std::string, std::map<std::string, std::int64_t>> at;
    if (!commits_.empty()) {
      MILLRACE_ASSIGN(const OffsetsRecord record, read_offsets(*commits_.rbegin()));
      for (const auto& [source, ranges] : record.ranges)
        for (const auto& [partition, range] : ranges) at[source][partition] = range.to;
    } else if (auto bytes = files_.read(kSourcesPart, "start"); bytes) {
      MILLRACE_ASSIGN(StartRecord start, decode_start(*bytes));
      for (const auto& [source, positions] : start.sources) at[source] = positions;
    }
    for (const auto& [source, partitions] : at) {
      say("  source {} goes on at", source);
      for (const auto& [partition, position] : partitions) say("    {}  {}", partition, position);
    }
    return {};
  }

  Result<OffsetsRecord> read_offsets(Epoch epoch) const {
    MILLRACE_ASSIGN(const std::string bytes, files_.read(kOffsetsPart, entry_name(epoch)));
    auto record = decode_offsets(bytes);
    if (record) return record;
    return fail(ErrorCode::kCorrupt,
                fmt::format("offsets/{} is damaged: {}", epoch.value, record.error().message));
  }

  template <typename... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  const CheckpointFiles& files_;
  std::set<Epoch> offsets_;
  std::set<Epoch> commits_;
  std::string text_;
};

/// Moves what belongs to later epochs out of the way.
class RollBack {
 public:
  RollBack(Disk& disk, CheckpointFiles& files, Epoch to) : disk_(disk), files_(files), to_(to) {}

  Result<std::string> run() {
    MILLRACE_ASSIGN(CheckpointMetadata metadata, read_metadata(files_));
    MILLRACE_ASSIGN(commits_, files_.list_epochs(kCommitsPart));
    MILLRACE_ASSIGN(offsets_, files_.list_epochs(kOffsetsPart));
    MILLRACE_ASSIGN(prepared_, files_.list_prepared());
    MILLRACE_TRY(check());
    metadata.generation = Generation(metadata.generation.value + 1);
    metadata.forks.push_back({metadata.generation, to_});
    MILLRACE_TRY(files_.replace(kMetadata, encode(metadata)));
    undone_ = fmt::format("undone/{}", metadata.generation.value);
    const std::size_t moved = later(offsets_).size();
    MILLRACE_TRY(move_later());
    return fmt::format(
        "checkpoint {}: rolled back to epoch {}; {} later epochs are in {}. The query "
        "goes on behind epoch {}, as generation {}",
        files_.folder(), to_.value, moved, undone_, to_.value, metadata.generation.value);
  }

 private:
  Status check() const {
    if (commits_.contains(to_)) return {};
    std::string kept = "none is";
    if (!commits_.empty())
      kept = fmt::format("{} to {} are", commits_.begin()->value, commits_.rbegin()->value);
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("checkpoint {}: there is no committed epoch {} to roll back to; {} kept",
                    files_.folder(), to_.value, kept));
  }

  /// Those above, the highest first.
  [[nodiscard]] std::vector<Epoch> later(const std::set<Epoch>& epochs) const {
    return {epochs.rbegin(), std::make_reverse_iterator(epochs.upper_bound(to_))};
  }

  Status move_later() {
    for (const std::string_view part : {kCommitsPart, kPreparedPart, kOffsetsPart})
      MILLRACE_TRY(disk_.create_folders(files_.path(undone_, part)));
    std::set<Epoch> all(offsets_);
    all.insert(commits_.begin(), commits_.end());
    for (const auto& [epoch, attempts] : prepared_) all.insert(epoch);
    for (const Epoch epoch : later(all)) MILLRACE_TRY(move_epoch(epoch));
    for (const std::string_view part : {kCommitsPart, kPreparedPart, kOffsetsPart}) {
      MILLRACE_TRY(disk_.sync_folder(files_.path(undone_, part)));
      MILLRACE_TRY(files_.sync(part));
    }
    return {};
  }

  /// Its commit first: an epoch that is half gone must not count.
  Status move_epoch(Epoch epoch) {
    if (commits_.contains(epoch)) MILLRACE_TRY(move(kCommitsPart, entry_name(epoch)));
    if (const auto found = prepared_.find(epoch); found != prepared_.end())
      for (const std::string& attempt : found->second)
        MILLRACE_TRY(move(kPreparedPart, entry_name(epoch, attempt)));
    if (offsets_.contains(epoch)) MILLRACE_TRY(move(kOffsetsPart, entry_name(epoch)));
    return {};
  }

  Status move(std::string_view part, const std::string& name) {
    return disk_.rename_new(files_.path(part, name),
                            files_.path(undone_, fmt::format("{}/{}", part, name)));
  }

  Disk& disk_;
  CheckpointFiles& files_;
  const Epoch to_;
  std::set<Epoch> commits_;
  std::set<Epoch> offsets_;
  std::map<Epoch, std::vector<std::string>> prepared_;
  std::string undone_;
};

}  // namespace

Result<std::string> describe_checkpoint(Disk& disk, const std::string& folder) {
  const CheckpointFiles files(disk, folder);
  return Description(files).write();
}

Result<std::string> roll_back_checkpoint(Disk& disk, const std::string& folder, Epoch to) {
  CheckpointFiles files(disk, folder);
  MILLRACE_TRY(read_metadata(files));  // a folder that is none is not made one by its lock
  MILLRACE_ASSIGN(const auto lock, files.lock());
  return RollBack(disk, files, to).run();
}

}  // namespace millrace::state
