#include "state/restart_point.hpp"

#include "state/checkpoint_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace millrace::state {
namespace {

constexpr WallTime kFarPast{std::numeric_limits<std::int64_t>::min()};
constexpr std::string_view kBeginAnew =
    "choose another checkpoint_location (the query then begins at starting_offsets)";

std::string run_again(Epoch epoch) {
  return fmt::format("remove it (epoch {} then runs again; its output may appear twice)",
                     epoch.value);
}

/// Reads the folder part by part; each step fills what the next one needs.
class RestartReader {
 public:
  explicit RestartReader(CheckpointFiles& files) : files_(files) {}

  Result<FolderState> read() {
    MILLRACE_TRY(list());
    MILLRACE_TRY(read_start());
    MILLRACE_TRY(read_committed());
    MILLRACE_TRY(read_open());
    MILLRACE_TRY(cut_behind_hole());
    MILLRACE_TRY(remove_stray_prepared());
    MILLRACE_TRY(note_epochs());
    return std::move(state_);
  }

 private:
  Status list() {
    MILLRACE_ASSIGN(offsets_, files_.list_epochs(kOffsetsPart));
    MILLRACE_ASSIGN(commits_, files_.list_epochs(kCommitsPart));
    MILLRACE_ASSIGN(prepared_, files_.list_prepared());
    if (!commits_.empty()) committed_ = *commits_.rbegin();
    return {};
  }

  Status read_start() {
    MILLRACE_ASSIGN(const std::vector<std::string> names, files_.list(kSourcesPart));
    const bool is_there = std::find(names.begin(), names.end(), "start") != names.end();
    if (!is_there && offsets_.empty() && commits_.empty()) return {};
    MILLRACE_ASSIGN(point().start,
                    read_record(kSourcesPart, "start", decode_start, std::string(kBeginAnew)));
    return {};
  }

  Status read_committed() {
    if (!committed_) return check_first_epoch();
    const std::string name = entry_name(*committed_);
    CommittedEpoch epoch;
    MILLRACE_ASSIGN(epoch.commit,
                    read_record(kCommitsPart, name, decode_commit, run_again(*committed_)));
    MILLRACE_TRY(check_epoch(kCommitsPart, name, epoch.commit.epoch, *committed_));
    MILLRACE_ASSIGN(epoch.offsets,
                    read_record(kOffsetsPart, name, decode_offsets, std::string(kBeginAnew)));
    MILLRACE_TRY(check_epoch(kOffsetsPart, name, epoch.offsets.epoch, *committed_));
    MILLRACE_ASSIGN(epoch.prepared,
                    read_prepared(*committed_, epoch.commit.attempt, std::string(kBeginAnew)));
    point().committed = std::move(epoch);
    return {};
  }

  /// Without a commit the first epoch must be number 0: else the commits were taken away.
  Status check_first_epoch() {
    if (offsets_.empty() || *offsets_.begin() == Epoch(0)) return {};
    return fail(ErrorCode::kCorrupt,
                fmt::format("checkpoint {} has no commits although its offsets begin at epoch {}; "
                            "restore commits from a copy, or {}",
                            files_.folder(), offsets_.begin()->value, kBeginAnew));
  }

  Status read_open() {
    Epoch epoch = committed_ ? committed_->next() : Epoch(0);
    for (; offsets_.contains(epoch); epoch = epoch.next()) {
      const std::string name = entry_name(epoch);
      OpenEpoch open;
      MILLRACE_ASSIGN(open.offsets,
                      read_record(kOffsetsPart, name, decode_offsets,
                                  "remove it (the query then reads on from the end of the epoch "
                                  "before; output of later epochs may appear twice)"));
      MILLRACE_TRY(check_epoch(kOffsetsPart, name, open.offsets.epoch, epoch));
      for (const std::string& attempt : attempts_of(epoch)) {
        MILLRACE_ASSIGN(PreparedRecord record, read_prepared(epoch, attempt, run_again(epoch)));
        open.prepared.push_back(std::move(record));
      }
      point().open.push_back(std::move(open));
    }
    point().next = epoch;
    return {};
  }

  /// Removes offsets above the first number that has none, highest first. The removal must be
  /// durable before the hole is filled: an entry that came back would look like the epoch after it.
  Status cut_behind_hole() {
    const auto behind = offsets_.upper_bound(point().next);
    if (behind == offsets_.end()) return {};
    point().notices.push_back(fmt::format(
        "checkpoint {}: offsets/{} is missing, so epochs {} to {} behind it are cut off and their "
        "input is read again",
        files_.folder(), point().next.value, behind->value, offsets_.rbegin()->value));
    for (auto epoch = offsets_.rbegin(); *epoch > point().next; ++epoch) {
      MILLRACE_TRY(files_.remove(kOffsetsPart, entry_name(*epoch)));
    }
    offsets_.erase(behind, offsets_.end());
    return files_.sync(kOffsetsPart);
  }

  /// Removes prepared entries of epochs that do not exist, and those of the newest commit's epoch
  /// that it does not rest on.
  Status remove_stray_prepared() {
    bool removed_any = false;
    for (auto& [epoch, attempts] : prepared_) {
      std::vector<std::string> kept;
      for (std::string& attempt : attempts) {
        if (is_needed(epoch, attempt)) {
          kept.push_back(std::move(attempt));
          continue;
        }
        MILLRACE_TRY(files_.remove(kPreparedPart, entry_name(epoch, attempt)));
        removed_any = true;
      }
      attempts = std::move(kept);
    }
    std::erase_if(prepared_, [](const auto& entry) { return entry.second.empty(); });
    return removed_any ? files_.sync(kPreparedPart) : Status();
  }

  [[nodiscard]] bool is_needed(Epoch epoch, const std::string& attempt) const {
    if (!offsets_.contains(epoch)) return false;
    return epoch != committed_ || attempt == state_.point.committed->commit.attempt;
  }

  Status note_epochs() {
    for (const Epoch epoch : commits_) state_.epochs[epoch].time = kFarPast;
    for (const Epoch epoch : offsets_) {
      MILLRACE_ASSIGN(state_.epochs[epoch].time, time_of(epoch));
    }
    for (const auto& [epoch, attempts] : prepared_) state_.epochs[epoch].attempts = attempts;
    return {};
  }

  /// The time by which retention judges an epoch. An old entry that is damaged is not needed for
  /// the restart: it goes first.
  Result<WallTime> time_of(Epoch epoch) {
    if (committed_ && epoch == *committed_) return point().committed->offsets.time;
    if (!committed_ || epoch > *committed_) {
      const std::int64_t first_open = committed_ ? committed_->value + 1 : 0;
      return point().open[static_cast<std::size_t>(epoch.value - first_open)].offsets.time;
    }
    auto record = read_record(kOffsetsPart, entry_name(epoch), decode_offsets, "remove it");
    if (record) return record->time;
    if (record.error().code != ErrorCode::kCorrupt) return fail(std::move(record).error());
    point().notices.push_back(record.error().message + " (the restart does not need it)");
    return kFarPast;
  }

  Result<PreparedRecord> read_prepared(Epoch epoch, const std::string& attempt,
                                       const std::string& remedy) {
    const std::string name = entry_name(epoch, attempt);
    MILLRACE_ASSIGN(PreparedRecord record,
                    read_record(kPreparedPart, name, decode_prepared, remedy));
    MILLRACE_TRY(check_epoch(kPreparedPart, name, record.epoch, epoch));
    if (record.attempt == attempt) return record;
    return damaged(kPreparedPart, name, "it is of attempt " + record.attempt, remedy);
  }

  template <typename Record>
  Result<Record> read_record(std::string_view part, const std::string& name,
                             Result<Record> (*decode)(std::string_view),
                             const std::string& remedy) const {
    auto bytes = files_.read(part, name);
    if (!bytes && bytes.error().code == ErrorCode::kNotFound) {
      return fail(ErrorCode::kCorrupt,
                  fmt::format("checkpoint file {} is missing; restore it from a copy, or {}",
                              files_.path(part, name), kBeginAnew));
    }
    if (!bytes) return fail(std::move(bytes).error());
    auto record = decode(*bytes);
    if (!record) return damaged(part, name, record.error().message, remedy);
    return record;
  }

  Status check_epoch(std::string_view part, const std::string& name, Epoch found,
                     Epoch expected) const {
    if (found == expected) return {};
    return damaged(part, name, fmt::format("it is of epoch {}", found.value),
                   std::string(kBeginAnew));
  }

  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view part, const std::string& name,
                                              const std::string& reason,
                                              const std::string& remedy) const {
    return fail(ErrorCode::kCorrupt,
                fmt::format("checkpoint file {} is damaged: {}; restore it from a copy, or {}",
                            files_.path(part, name), reason, remedy));
  }

  [[nodiscard]] std::vector<std::string> attempts_of(Epoch epoch) const {
    const auto found = prepared_.find(epoch);
    return found == prepared_.end() ? std::vector<std::string>() : found->second;
  }

  RestartPoint& point() { return state_.point; }

  CheckpointFiles& files_;
  FolderState state_;
  std::set<Epoch> offsets_;
  std::set<Epoch> commits_;
  std::map<Epoch, std::vector<std::string>> prepared_;
  std::optional<Epoch> committed_;
};

}  // namespace

std::map<std::string, stream::Positions> RestartPoint::positions() const {
  std::map<std::string, stream::Positions> result;
  if (start) result = start->sources;
  if (committed) {
    for (const auto& [source, ranges] : committed->offsets.ranges) {
      for (const auto& [partition, range] : ranges) result[source][partition] = range.to;
    }
  }
  auto reached = result;
  for (const OpenEpoch& epoch : open) {
    for (const auto& [source, ranges] : epoch.offsets.ranges) {
      for (const auto& [partition, range] : ranges) {
        const auto [end, is_new] = reached[source].try_emplace(partition, range.from);
        if (is_new || range.from < end->second) result[source][partition] = range.from;
        end->second = range.to;
      }
    }
  }
  return result;
}

Result<FolderState> read_restart(CheckpointFiles& files) { return RestartReader(files).read(); }

}  // namespace millrace::state
