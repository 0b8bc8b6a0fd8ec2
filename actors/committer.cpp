#include "actors/committer.hpp"

#include "millrace/assert.hpp"

#include "state/stop_point.hpp"

namespace millrace::actors {

Committer::Committer(std::unique_ptr<state::Checkpoint> checkpoint,
                     std::vector<state::OpenEpoch> open, const Clock& clock)
    : checkpoint_(std::move(checkpoint)), clock_(&clock) {
  for (state::OpenEpoch& epoch : open)
    replayed_.emplace(epoch.offsets.epoch, std::move(epoch.offsets));
}

Status Committer::commit(const ClosedEpoch& closed) {
  if (!checkpoint_) return {};
  state::stop_point("before_stage");
  state::PreparedRecord prepared;
  prepared.epoch = closed.epoch;
  prepared.attempt = checkpoint_->attempt();
  MILLRACE_TRY(checkpoint_->write_closed(offsets_of(closed), prepared));
  state::stop_point("before_commit");
  MILLRACE_TRY(checkpoint_->write_commit({closed.epoch, prepared.attempt, std::nullopt}));
  state::stop_point("after_commit");
  replayed_.erase(closed.epoch);
  return checkpoint_->retain(clock_->wall());
}

state::OffsetsRecord Committer::offsets_of(const ClosedEpoch& closed) const {
  if (const auto found = replayed_.find(closed.epoch); found != replayed_.end())
    return found->second;
  MILLRACE_ASSERT(!closed.is_replay);
  state::OffsetsRecord record;
  record.epoch = closed.epoch;
  record.generation = checkpoint_->metadata().generation;
  record.time = closed.time;
  for (const operators::SourceRange& range : closed.ranges)
    record.ranges[range.source][range.partition] = {range.from, range.to};
  return record;
}

}  // namespace millrace::actors
