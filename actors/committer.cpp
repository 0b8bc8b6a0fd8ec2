#include "actors/committer.hpp"

#include "millrace/assert.hpp"

#include "state/stop_point.hpp"

namespace millrace::actors {

Committer::Committer(std::unique_ptr<state::Checkpoint> checkpoint,
                     std::vector<state::OpenEpoch> open, const Clock& clock)
    : checkpoint_(std::move(checkpoint)), clock_(&clock) {
  for (state::OpenEpoch& epoch : open)
    planned_.emplace(epoch.offsets.epoch, std::move(epoch.offsets));
}

void Committer::set_decider(stream::Decider& decider, std::optional<state::CommitMark> newest) {
  decider_ = &decider;
  newest_ = std::move(newest);
}

Status Committer::begin() {
  if (!checkpoint_ || !start_) return {};
  MILLRACE_TRY(checkpoint_->write_start(*start_));
  start_.reset();
  return {};
}

Status Committer::write_plan(state::OffsetsRecord record) {
  if (!checkpoint_ || writes_plans_late_) return {};
  record.generation = checkpoint_->metadata().generation;
  record.drive = state::Drive::kPlanned;
  state::stop_point("before_plan");
  MILLRACE_TRY(checkpoint_->write_offsets(record));
  state::stop_point("after_plan");
  const std::lock_guard lock(mutex_);
  planned_.emplace(record.epoch, std::move(record));
  return {};
}

Status Committer::commit(const ClosedEpoch& closed) {
  if (!checkpoint_) return {};
  state::stop_point("before_stage");
  state::PreparedRecord prepared;
  prepared.epoch = closed.epoch;
  prepared.attempt = checkpoint_->attempt();
  prepared.reader_memos = closed.memos;
  for (const auto& [topic, ends] : closed.outputs) {
    state::OutputPosition& output = prepared.output_positions[topic];
    output.partition_count = static_cast<std::int32_t>(ends.size());
    for (const auto& [partition, end] : ends) output.acknowledged[partition] = end - 1;
  }
  MILLRACE_TRY(checkpoint_->write_closed(offsets_of(closed), prepared));
  if (decider_ != nullptr) MILLRACE_TRY(decide(closed.epoch));
  state::stop_point("before_commit");
  MILLRACE_TRY(checkpoint_->write_commit({closed.epoch, prepared.attempt, newest_}));
  state::stop_point("after_commit");
  const std::lock_guard lock(mutex_);
  planned_.erase(closed.epoch);
  return {};
}

// To remove a file makes the next one that is written wait, on some disks for longer than it takes
// to write it: several epochs at a time, and when nobody waits.
Status Committer::tidy(Epoch committed) {
  constexpr std::int64_t kEpochsAtATime = 16;
  if (!checkpoint_ || committed.value % kEpochsAtATime != 0) return {};
  return checkpoint_->retain(clock_->wall());
}

Status Committer::decide(Epoch epoch) {
  state::stop_point("before_decision");
  MILLRACE_ASSIGN(const bool is_marked, decider_->commit(epoch));
  state::stop_point("after_decision");
  if (is_marked) newest_ = {checkpoint_->metadata().generation, epoch, checkpoint_->attempt()};
  return {};
}

state::OffsetsRecord Committer::offsets_of(const ClosedEpoch& closed) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = planned_.find(closed.epoch);
    if (found != planned_.end()) return found->second;
  }
  MILLRACE_ASSERT(!closed.is_planned || writes_plans_late_);
  state::OffsetsRecord record;
  record.epoch = closed.epoch;
  record.generation = checkpoint_->metadata().generation;
  if (closed.is_planned) record.drive = state::Drive::kPlanned;
  record.time = closed.time;
  for (const operators::SourceRange& range : closed.ranges)
    record.ranges[range.source][range.partition] = {range.from, range.to};
  return record;
}

}  // namespace millrace::actors
