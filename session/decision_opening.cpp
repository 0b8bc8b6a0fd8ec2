#include "session/decision_opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace millrace::session {
namespace {

std::string described(const std::optional<state::CommitMark>& mark) {
  if (!mark) return "none";
  return fmt::format("epoch {} of generation {}, attempt {}", mark->epoch.value,
                     mark->generation.value, mark->attempt);
}

std::optional<state::CommitMark> committed_mark(const state::RestartPoint& restart) {
  return restart.committed ? restart.committed->commit.mark : std::nullopt;
}

}  // namespace

DecisionOpening::DecisionOpening(state::Checkpoint& checkpoint, stream::Decider& decider)
    : checkpoint_(checkpoint),
      decider_(decider),
      names_(decider.names(checkpoint.metadata().checkpoint_id)) {}

Result<state::RestartPoint> DecisionOpening::run(state::RestartPoint restart) {
  MILLRACE_ASSIGN(const stream::DeciderNames names, claim_names());
  MILLRACE_ASSIGN(const std::optional<std::string> text, decider_.take_over(names));
  MILLRACE_ASSIGN(const bool visible, is_visible(restart, text));
  if (!visible) return restart;
  const Epoch epoch = newest_->epoch;
  MILLRACE_TRY(checkpoint_.write_commit({epoch, newest_->attempt, newest_}));
  notice_ = fmt::format(
      "epoch {} was made visible before the stop: it counts, and does not run "
      "again",
      epoch.value);
  return checkpoint_.restart();
}

// Durable before the decider uses any of them: who comes next must know whom to shut out.
Result<stream::DeciderNames> DecisionOpening::claim_names() {
  state::CheckpointMetadata metadata = checkpoint_.metadata();
  for (const std::string& name : names_.writers)
    if (std::ranges::find(metadata.transactional_ids, name) == metadata.transactional_ids.end())
      metadata.transactional_ids.push_back(name);
  if (!metadata.mark) metadata.mark = {names_.mark_topic, names_.mark_partition};
  if (!(metadata == checkpoint_.metadata()))
    MILLRACE_TRY(checkpoint_.write_metadata(std::move(metadata)));
  const state::CheckpointMetadata& durable = checkpoint_.metadata();
  return stream::DeciderNames{durable.transactional_ids, durable.mark->topic,
                              durable.mark->partition};
}

Result<bool> DecisionOpening::is_visible(const state::RestartPoint& restart,
                                         const std::optional<std::string>& text) {
  const std::optional<state::CommitMark> committed = committed_mark(restart);
  newest_ = committed;
  if (!text) {
    if (!committed) return false;
    if (!decider_.goes_on_without_mark()) return refuse(restart, "bears none");
    notice_ = fmt::format("{} has lost its mark ({}): what is open runs again (on_lost_mark)",
                          decider_.title(), described(committed));
    return false;
  }
  const std::optional<state::CommitMark> found = state::parse_mark(*text);
  if (!found) return refuse(restart, fmt::format("bears words that are no mark: '{}'", *text));
  if (found == committed || is_forked_away(*found)) return false;
  if (!restart.open.empty()) {
    const state::OpenEpoch& oldest = restart.open.front();
    const bool is_prepared = std::ranges::any_of(
        oldest.prepared,
        [&](const state::PreparedRecord& prepared) { return prepared.attempt == found->attempt; });
    if (found->epoch == oldest.offsets.epoch && found->generation == oldest.offsets.generation &&
        is_prepared) {
      newest_ = found;
      return true;
    }
  }
  return refuse(restart, "bears " + described(found));
}

bool DecisionOpening::is_forked_away(const state::CommitMark& mark) const {
  // Who forks after an epoch gives up everything above it of the generations before.
  return std::ranges::any_of(checkpoint_.metadata().forks, [&](const state::Fork& fork) {
    return mark.generation < fork.generation && fork.epoch < mark.epoch;
  });
}

tl::unexpected<Error> DecisionOpening::refuse(const state::RestartPoint& restart,
                                              const std::string& found) const {
  std::string known = "the newest commit's mark is " + described(committed_mark(restart));
  if (!restart.open.empty())
    known += fmt::format(", and epoch {} is open", restart.open.front().offsets.epoch.value);
  return fail(
      ErrorCode::kConflict,
      fmt::format(
          "checkpoint {}: {} {}, but {}: whether the open epoch's output is visible cannot be "
          "told. "
          "A mark that is missing has expired (offsets.retention.minutes) or its topic was "
          "deleted: "
          "on_lost_mark = 'continue' takes what is open for not visible, at the risk of one epoch "
          "twice. Any other was left by a copy of this folder, or this folder is an older copy: "
          "use "
          "the newest one, or choose another checkpoint_location",
          checkpoint_.folder(), decider_.title(), found, known));
}

}  // namespace millrace::session
