#include "actors/epoch_planner.hpp"

#include "millrace/assert.hpp"

#include <algorithm>
#include <utility>

namespace millrace::actors {

using stream::Positions;
using triggers::TriggerKind;

EpochPlanner::EpochPlanner(triggers::Trigger trigger, std::vector<PlannedSource> sources,
                           bool replays, Committer& committer, const Clock& clock, LogFunction log)
    : trigger_(trigger), committer_(committer), clock_(clock), log_(std::move(log)) {
  for (PlannedSource& source : sources) {
    const stream::ReadLimit limit = source.source->read_limit();
    sources_.push_back({std::move(source), triggers::ReadLimiter(limit)});
  }
  is_over_ = trigger_.kind == TriggerKind::kOnce && replays;
}

Result<Plan> EpochPlanner::plan(const PlanRequest& request) {
  for (const JoinedPartition& joined : request.joined) join(joined);
  if (is_over_) return Plan{std::nullopt, true};
  PlannedEpoch epoch{request.epoch, clock_.wall(), {}};
  bool has_rows = false;
  bool is_complete = true;
  const std::int64_t begun = clock_.steady().value;
  {
    std::unique_lock<std::mutex> lock;
    if (source_mutex_ != nullptr) lock = std::unique_lock(*source_mutex_);
    for (Planned& planned : sources_)
      MILLRACE_TRY(plan_source(planned, epoch, has_rows, is_complete));
  }
  // One epoch with everything; or all that was there at the start, or before the ending positions.
  is_over_ = is_complete || (trigger_.kind == TriggerKind::kOnce && !is_away_);
  if (!has_rows) return Plan{std::nullopt, is_over_};
  const std::int64_t asked = clock_.steady().value;
  state::OffsetsRecord record;
  record.epoch = epoch.epoch;
  record.time = epoch.time;
  for (const PlannedRange& planned : epoch.ranges)
    record.ranges[planned.range.source][planned.range.partition] = {planned.range.from,
                                                                    planned.range.to};
  MILLRACE_TRY(committer_.write_plan(std::move(record)));
  return Plan{std::move(epoch), is_over_, asked - begun, clock_.steady().value - asked};
}

void EpochPlanner::join(const JoinedPartition& joined) {
  for (Planned& planned : sources_)
    if (planned.source.name == joined.source)
      planned.source.at.emplace(joined.partition, joined.first);
}

Status EpochPlanner::plan_source(Planned& planned, PlannedEpoch& epoch, bool& has_rows,
                                 bool& is_complete) {
  MILLRACE_ASSIGN(const std::optional<Positions> ends, ends_of(planned));
  Positions& at = planned.source.at;
  // Behind the end of what there is now: another history.
  std::vector<std::string> begun_anew;
  if (ends && std::ranges::any_of(at, [&](const auto& one) {
        const auto end = ends->find(one.first);
        return end != ends->end() && end->second < one.second;
      })) {
    MILLRACE_ASSIGN(Positions surviving, planned.source.source->surviving(at));
    for (const auto& [partition, position] : surviving)
      if (position < at.at(partition)) begun_anew.push_back(partition);
    at = std::move(surviving);
  }
  const Positions to = ends ? capped(planned, *ends) : at;
  is_complete = is_complete && ends && planned.is_fixed;
  for (auto& [partition, position] : at) {
    const std::int64_t next = to.at(partition);
    MILLRACE_ASSERT(next >= position);
    const bool is_new = std::ranges::find(begun_anew, partition) != begun_anew.end();
    has_rows = has_rows || next > position || is_new;
    if (ends)
      if (const auto end = ends->find(partition); end != ends->end())
        is_complete = is_complete && next >= end->second;
    epoch.ranges.push_back({{planned.source.name, partition, position, next}, is_new});
    position = next;
  }
  return {};
}

/// None: it is away.
Result<std::optional<Positions>> EpochPlanner::ends_of(Planned& planned) {
  if (planned.is_fixed) return planned.source.end;
  Result<Positions> ends = planned.source.source->end_positions();
  if (!ends) {
    if (ends.error().code != ErrorCode::kUnavailable) return fail(std::move(ends).error());
    note_away(planned, ends.error());
    return std::nullopt;
  }
  is_away_ = false;
  if (planned.source.end) {
    // What lies behind the ending positions is none of the query's; what is not there yet comes.
    bool has_ended = true;
    for (auto& [partition, end] : *ends) {
      const auto last = planned.source.end->find(partition);
      if (last == planned.source.end->end()) continue;
      has_ended = has_ended && end >= last->second;
      end = std::min(end, last->second);
    }
    if (has_ended) planned.is_fixed = true;
  }
  if (trigger_.kind != TriggerKind::kProcessingTime || planned.is_fixed) {
    planned.source.end = *ends;
    planned.is_fixed = true;
  }
  return std::optional<Positions>(std::move(*ends));
}

Positions EpochPlanner::capped(Planned& planned, const Positions& ends) {
  switch (trigger_.kind) {
    case TriggerKind::kOnce:  // takes all there is, whatever the limit (T-3)
      return triggers::spread(planned.source.at, ends, INT64_MAX);
    case TriggerKind::kAvailableNow:
      return planned.limiter.plan_without_waiting(planned.source.at, ends);
    default:
      return planned.limiter.plan(planned.source.at, ends, clock_.steady());
  }
}

void EpochPlanner::note_away(const Planned& planned, const Error& error) {
  if (!is_away_ && log_)
    log_(LogLevel::kWarning, "source " + planned.source.name +
                                 ": no epoch can be planned while it is away: " + error.message);
  is_away_ = true;
}

}  // namespace millrace::actors
