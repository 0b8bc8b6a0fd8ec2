#include "state/checkpoint.hpp"

#include "millrace/assert.hpp"

#include "state/stop_point.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::state {
namespace {

constexpr std::string_view kMetadataName = "metadata";
constexpr std::string_view kPlanName = "plan.json";
constexpr std::string_view kStartName = "start";

tl::unexpected<Error> unusable(const CheckpointFiles& files, std::string_view name, Error reason) {
  return fail(reason.code,
              fmt::format("checkpoint file {} is damaged: {}; restore it from a copy, or choose "
                          "another checkpoint_location (the query then begins at starting_offsets)",
                          files.path(kRootPart, name), reason.message));
}

Result<PlanRecord> parse_plan(const CheckpointOptions& options) {
  PlanRecord plan;
  MILLRACE_ASSIGN(plan.identity, formats::JsonValue::parse(options.plan_identity));
  MILLRACE_ASSIGN(plan.details, formats::JsonValue::parse(options.plan_details));
  if (!plan.identity.is_object() || !plan.details.is_object()) {
    return fail(ErrorCode::kInternal, "the plan for plan.json is no JSON object");
  }
  return plan;
}

}  // namespace

Result<std::string> checkpoint_folder(std::string_view location, std::string_view query_name) {
  if (location.empty()) {
    return fail(ErrorCode::kInvalidArgument, "checkpoint_location is empty");
  }
  const bool is_folder_name = !query_name.empty() && query_name != "." && query_name != ".." &&
                              query_name.find('/') == std::string_view::npos &&
                              query_name.find('\0') == std::string_view::npos;
  if (!is_folder_name) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the query's name cannot name its folder in checkpoint_location: '{}'",
                            query_name));
  }
  const bool has_slash = location.ends_with('/');
  return fmt::format("{}{}{}", location, has_slash ? "" : "/", query_name);
}

// -- opening --------------------------------------------------------------------------------------

Checkpoint::Checkpoint(Disk& disk, CheckpointOptions options)
    : options_(std::move(options)), files_(disk, options_.folder), random_(options_.seed) {}

Result<std::unique_ptr<Checkpoint>> Checkpoint::open(Disk& disk, const Clock& clock,
                                                     CheckpointOptions options) {
  std::unique_ptr<Checkpoint> checkpoint(new Checkpoint(disk, std::move(options)));
  MILLRACE_ASSIGN(checkpoint->lock_, checkpoint->files_.lock());
  MILLRACE_TRY(checkpoint->files_.settle());
  MILLRACE_TRY(checkpoint->create_or_verify(clock));
  return checkpoint;
}

Status Checkpoint::create_or_verify(const Clock& clock) {
  MILLRACE_ASSIGN(const PlanRecord plan, parse_plan(options_));
  MILLRACE_ASSIGN(const std::vector<std::string> names, files_.list(kRootPart));
  const bool is_there = std::find(names.begin(), names.end(), kMetadataName) != names.end();
  return is_there ? verify(plan) : create(clock, plan);
}

/// Writes plan.json first and metadata last: a folder with metadata is complete.
Status Checkpoint::create(const Clock& clock, const PlanRecord& plan) {
  MILLRACE_TRY(check_has_no_epochs());
  metadata_.checkpoint_id = fmt::format("{:016x}{:016x}", random_(), random_());
  metadata_.created = clock.wall();
  MILLRACE_TRY(files_.replace(kPlanName, encode(plan)));
  return files_.write_new(kRootPart, kMetadataName, encode(metadata_));
}

Status Checkpoint::check_has_no_epochs() const {
  for (const std::string_view part : {kSourcesPart, kOffsetsPart, kCommitsPart}) {
    MILLRACE_ASSIGN(const std::vector<std::string> names, files_.list(part));
    if (names.empty()) continue;
    return fail(ErrorCode::kCorrupt,
                fmt::format("checkpoint file {} is missing although {}/{} is there; restore it "
                            "from a copy, or choose another checkpoint_location (the query then "
                            "begins at starting_offsets)",
                            files_.path(kRootPart, kMetadataName), part, names.front()));
  }
  return {};
}

Status Checkpoint::verify(const PlanRecord& plan) {
  MILLRACE_ASSIGN(const std::string bytes, files_.read(kRootPart, kMetadataName));
  auto metadata = decode_metadata(bytes);
  if (!metadata && metadata.error().code == ErrorCode::kNotSupported) {
    return fail(ErrorCode::kNotSupported,
                fmt::format("checkpoint {} was made by a newer Millrace: {}", folder(),
                            metadata.error().message));
  }
  if (!metadata) return unusable(files_, kMetadataName, metadata.error());
  metadata_ = *std::move(metadata);
  return verify_plan(plan);
}

namespace {

/// What of a plan's details makes another output; the version does not.
formats::JsonValue steps_of(const formats::JsonValue& details) {
  formats::JsonValue steps = formats::JsonValue::object();
  if (!details.is_object()) return steps;
  for (const auto& [name, value] : details.as_object())
    if (name != "millrace") steps.set(name, value);
  return steps;
}

}  // namespace

Status Checkpoint::verify_plan(const PlanRecord& plan) {
  auto bytes = files_.read(kRootPart, kPlanName);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) {
    return unusable(files_, kPlanName, {ErrorCode::kCorrupt, "it is missing"});
  }
  if (!bytes) return fail(std::move(bytes).error());
  const auto there = decode_plan(*bytes);
  if (!there) return unusable(files_, kPlanName, there.error());
  if (const auto difference = plan_difference(there->identity, plan.identity)) {
    // A start that came to nothing has begun nothing that could belong to another query.
    MILLRACE_ASSIGN(const bool has_begun, has_anything());
    if (!has_begun) return files_.replace(kPlanName, encode(plan));
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("checkpoint {} belongs to another query: {}; run the query it was made "
                            "for, or choose another checkpoint_location",
                            folder(), *difference));
  }
  const auto change = plan_difference(there->details, plan.details);
  if (!change) return {};
  has_other_steps_ = plan_difference(steps_of(there->details), steps_of(plan.details)).has_value();
  plan_change_ = fmt::format(
      "checkpoint {} was written by another form of this query: {}; it goes on "
      "with this one",
      folder(), *change);
  plan_to_adopt_ = encode(plan);
  return {};
}

Result<bool> Checkpoint::has_anything() const {
  for (const std::string_view part : {kSourcesPart, kOffsetsPart, kCommitsPart}) {
    const auto names = files_.list(part);
    if (!names && names.error().code == ErrorCode::kNotFound) continue;
    MILLRACE_TRY(names);
    if (!names->empty()) return true;
  }
  return false;
}

Status Checkpoint::adopt_plan() {
  if (!plan_to_adopt_) return {};
  return files_.replace(kPlanName, *std::exchange(plan_to_adopt_, {}));
}

// -- restart --------------------------------------------------------------------------------------

Result<RestartPoint> Checkpoint::restart() {
  MILLRACE_ASSIGN(FolderState state, read_restart(files_));
  has_start_ = state.point.start.has_value();
  epochs_ = std::move(state.epochs);
  next_offsets_ = state.point.next;
  next_commit_ = state.point.committed ? state.point.committed->commit.epoch.next() : Epoch(0);
  kept_.clear();
  for (const OpenEpoch& open : state.point.open) kept_.emplace(open.offsets.epoch, open.offsets);
  attempt_ = draw_attempt();
  state.point.has_other_steps = has_other_steps_;
  if (!plan_change_.empty()) state.point.notices.push_back(std::exchange(plan_change_, {}));
  return std::move(state.point);
}

/// Draws an id that no prepared entry bears, also when the seed is that of an earlier run.
std::string Checkpoint::draw_attempt() {
  const auto is_taken = [this](const std::string& attempt) {
    return attempt == attempt_ || std::any_of(epochs_.begin(), epochs_.end(), [&](auto& entry) {
             const auto& attempts = entry.second.attempts;
             return std::find(attempts.begin(), attempts.end(), attempt) != attempts.end();
           });
  };
  std::string attempt;
  do {
    attempt = fmt::format("{:016x}", random_());
  } while (is_taken(attempt));
  return attempt;
}

// -- writing --------------------------------------------------------------------------------------

Status Checkpoint::write_start(const StartRecord& record) {
  MILLRACE_ASSERT(!attempt_.empty() && !has_start_);
  MILLRACE_TRY(files_.write_new(kSourcesPart, kStartName, encode(record)));
  has_start_ = true;
  return {};
}

Result<bool> Checkpoint::is_kept(const OffsetsRecord& record) const {
  const std::lock_guard lock(mutex_);
  MILLRACE_ASSERT(has_start_ && record.epoch >= next_commit_ && record.epoch <= next_offsets_);
  if (record.epoch == next_offsets_) return false;
  const auto kept = kept_.find(record.epoch);
  MILLRACE_ASSERT(kept != kept_.end());
  if (kept->second.ranges == record.ranges) return true;
  return fail(ErrorCode::kInternal,
              fmt::format("epoch {} ran again over other positions than offsets/{} says",
                          record.epoch.value, record.epoch.value));
}

void Checkpoint::note_offsets(const OffsetsRecord& record) {
  const std::lock_guard lock(mutex_);
  MILLRACE_ASSERT(record.epoch == next_offsets_);
  epochs_[record.epoch].time = record.time;
  next_offsets_ = record.epoch.next();
}

Status Checkpoint::write_offsets(const OffsetsRecord& record) {
  MILLRACE_ASSIGN(const bool kept, is_kept(record));
  if (kept) return {};
  MILLRACE_TRY(files_.write_new(kOffsetsPart, entry_name(record.epoch), encode(record)));
  note_offsets(record);
  const std::lock_guard lock(mutex_);
  kept_.emplace(record.epoch, record);
  return {};
}

Status Checkpoint::write_prepared(const PreparedRecord& record) {
  MILLRACE_ASSERT(record.attempt == attempt_);
  const std::string name = entry_name(record.epoch, record.attempt);
  MILLRACE_TRY(files_.write_new(kPreparedPart, name, encode(record)));
  note_prepared(record);
  return {};
}

Status Checkpoint::write_closed(const OffsetsRecord& offsets, const PreparedRecord& prepared) {
  MILLRACE_ASSERT(offsets.epoch == prepared.epoch && prepared.attempt == attempt_);
  MILLRACE_ASSIGN(const bool kept, is_kept(offsets));
  if (kept) return write_prepared(prepared);

  const std::string offsets_name = entry_name(offsets.epoch);
  const std::string prepared_name = entry_name(prepared.epoch, prepared.attempt);
  MILLRACE_TRY(files_.stage(kOffsetsPart, offsets_name, encode(offsets)));
  MILLRACE_TRY(files_.stage(kPreparedPart, prepared_name, encode(prepared)));
  stop_point("before_offsets");
  MILLRACE_TRY(files_.reveal(kOffsetsPart, offsets_name));
  stop_point("after_offsets");
  MILLRACE_TRY(files_.reveal(kPreparedPart, prepared_name));
  stop_point("after_prepared");
  MILLRACE_TRY(files_.sync(kOffsetsPart));
  MILLRACE_TRY(files_.sync(kPreparedPart));
  note_offsets(offsets);
  note_prepared(prepared);
  return {};
}

void Checkpoint::note_prepared(const PreparedRecord& record) {
  const std::lock_guard lock(mutex_);
  MILLRACE_ASSERT(record.epoch >= next_commit_ && record.epoch < next_offsets_);
  epochs_[record.epoch].attempts.push_back(record.attempt);
}

Status Checkpoint::write_commit(const CommitRecord& record) {
  std::vector<std::string> attempts = attempts_of(record.epoch);
  MILLRACE_ASSERT(std::find(attempts.begin(), attempts.end(), record.attempt) != attempts.end());
  MILLRACE_TRY(files_.write_new(kCommitsPart, entry_name(record.epoch), encode(record)));
  {
    const std::lock_guard lock(mutex_);
    MILLRACE_ASSERT(record.epoch == next_commit_);
    next_commit_ = record.epoch.next();
    kept_.erase(record.epoch);
    epochs_[record.epoch].attempts = {record.attempt};
  }
  std::erase(attempts, record.attempt);
  return remove_prepared(record.epoch, attempts);
}

std::vector<std::string> Checkpoint::attempts_of(Epoch epoch) const {
  const std::lock_guard lock(mutex_);
  const auto found = epochs_.find(epoch);
  MILLRACE_ASSERT(found != epochs_.end());
  return found->second.attempts;
}

Status Checkpoint::remove_prepared(Epoch epoch, const std::vector<std::string>& attempts) {
  for (const std::string& attempt : attempts)
    MILLRACE_TRY(files_.remove(kPreparedPart, entry_name(epoch, attempt)));
  return {};
}

Status Checkpoint::write_metadata(CheckpointMetadata metadata) {
  MILLRACE_ASSERT(metadata.checkpoint_id == metadata_.checkpoint_id);
  MILLRACE_ASSERT(metadata.generation >= metadata_.generation);
  MILLRACE_TRY(files_.replace(kMetadataName, encode(metadata)));
  metadata_ = std::move(metadata);
  return {};
}

// -- retention ------------------------------------------------------------------------------------

Status Checkpoint::retain(WallTime now) {
  std::vector<RetainedEpoch> committed;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [epoch, files] : epochs_)
      if (epoch < next_commit_) committed.push_back({epoch, files.time});
  }
  for (const Epoch epoch : epochs_to_remove(committed, now, options_.retention)) {
    MILLRACE_TRY(remove_epoch(epoch));
  }
  return {};
}

/// Removes the commits entry last: as long as there is anything of an epoch, that says it counted.
Status Checkpoint::remove_epoch(Epoch epoch) {
  MILLRACE_ASSERT(epoch < next_commit_.previous());
  MILLRACE_TRY(files_.remove(kOffsetsPart, entry_name(epoch)));
  MILLRACE_TRY(remove_prepared(epoch, attempts_of(epoch)));
  MILLRACE_TRY(files_.remove(kCommitsPart, entry_name(epoch)));
  const std::lock_guard lock(mutex_);
  epochs_.erase(epoch);
  return {};
}

}  // namespace millrace::state
