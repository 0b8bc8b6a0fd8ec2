#include "session/progress_probe.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace millrace::session {

namespace {

constexpr std::array<const char*, 4> kStages = {"fetch", "decode", "chain", "produce-ack"};

StageLatency stage_of(const char* name, const stream::LatencySnapshot& snapshot) {
  return {name, snapshot.count, snapshot.quantile_ns(0.5), snapshot.quantile_ns(0.99),
          snapshot.max_ns};
}

using BadRecords = std::array<std::int64_t, stream::kBadRecordReasons>;

void add_bad_records(const std::string& source, const BadRecords& counts,
                     std::vector<BadRecordCount>& all) {
  for (std::size_t reason = 0; reason < counts.size(); ++reason) {
    if (counts[reason] == 0) continue;
    const auto name = stream::to_string(static_cast<stream::BadRecordReason>(reason));
    all.push_back({source, std::string(name), counts[reason]});
  }
}

// Each part is cut to whole ms, so that their sum is never above the whole. M-1.
std::map<std::string, std::int64_t> durations_of(const actors::ClosedEpoch& closed,
                                                 SteadyTime now) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  const actors::EpochTimes& times = closed.times;
  std::map<std::string, std::int64_t> parts;
  const auto set = [&](const char* name, std::int64_t ns) { parts[name] = ns / kNsPerMs; };
  set("triggerExecution", now.value - times.begun.value);
  set("addBatch", times.flushed.value - times.run.value);
  set("commitOffsets", now.value - times.handed.value);
  if (!closed.is_planned) return parts;
  set("latestOffset", times.latest_offset_ns);
  set("walCommit", times.wal_commit_ns);
  return parts;
}

}  // namespace

ProgressProbe::ProgressProbe(ProgressLabels labels, const Clock& clock,
                             const actors::QueryParts& parts,
                             const std::vector<std::unique_ptr<operators::StageMetrics>>& metrics)
    : labels_(std::move(labels)), clock_(clock), parts_(&parts) {
  for (const auto& one : metrics) metrics_.push_back(one.get());
  start_ = look();
  last_ = start_;
}

ProgressProbe::Reading ProgressProbe::look() const {
  Reading reading;
  reading.at = clock_.steady();
  reading.rows_in = parts_->rows_total();
  reading.stages.resize(kStages.size());
  reading.rows_behind = 0;
  for (std::size_t number = 0; number < parts_->sources.size(); ++number) {
    const auto& source = parts_->sources[number];
    reading.ends[parts_->source_names[number]] = source->known_ends();
    reading.stages[0].merge(source->fetch_latency());
    const auto lag = source->lag();
    reading.rows_behind =
        lag && reading.rows_behind ? std::optional(*reading.rows_behind + *lag) : std::nullopt;
  }
  for (const auto* metrics : metrics_) {
    reading.stages[1].merge(metrics->decode.snapshot());
    reading.stages[2].merge(metrics->chain.snapshot());
    auto& bad = reading.bad_records[metrics->source];
    for (std::size_t reason = 0; reason < bad.size(); ++reason)
      bad[reason] += metrics->bad(static_cast<stream::BadRecordReason>(reason));
  }
  for (std::size_t number = 0; number < parts_->sinks.size(); ++number) {
    if (parts_->dead_letter_sinks.contains(number)) continue;
    reading.stages[3].merge(parts_->sinks[number]->acknowledge_latency());
    reading.rows_out += parts_->sinks[number]->acknowledged();
  }
  return reading;
}

ProgressProbe::Reading ProgressProbe::read() const { return parts_ ? look() : final_; }

void ProgressProbe::add(const operators::StageMetrics& metrics) {
  const std::lock_guard lock(mutex_);
  metrics_.push_back(&metrics);
}

QueryProgress ProgressProbe::totals() const {
  const std::lock_guard lock(mutex_);
  return progress_between(start_, read());
}

QueryProgress ProgressProbe::of_epoch(const actors::ClosedEpoch& closed) {
  const std::lock_guard lock(mutex_);
  Reading now = read();
  QueryProgress progress = progress_between(last_, now);
  last_ = std::move(now);
  progress.epoch = closed.epoch;
  progress.id = labels_.id;
  progress.run_id = labels_.run_id;
  progress.sink = labels_.sink;
  progress.timestamp = closed.times.begun_at;
  progress.durations_ms = durations_of(closed, last_.at);
  const SteadyTime input_begun =
      closed.is_planned ? last_begun_.value_or(closed.times.begun) : closed.times.begun;
  const SteadyTime input_ended = closed.is_planned ? closed.times.begun : closed.times.closed;
  progress.input_ns = input_ended.value - input_begun.value;
  last_begun_ = closed.times.begun;

  operators::EpochCounts all;
  progress.bad_records.clear();
  for (const auto& [source, counts] : closed.counts) {
    all += counts;
    add_bad_records(source, counts.rows_bad, progress.bad_records);
  }
  progress.rows_in = all.rows_in;
  progress.rows_out = all.rows_out;
  progress.sources = sources_of(closed);
  return progress;
}

std::vector<SourceProgress> ProgressProbe::sources_of(const actors::ClosedEpoch& closed) const {
  std::vector<SourceProgress> sources;
  for (const auto& [name, description] : labels_.sources) {
    SourceProgress source{name, description, {}, {}, {}, 0};
    for (const operators::SourceRange& range : closed.ranges) {
      if (range.source != name) continue;
      source.start[range.partition] = range.from;
      source.end[range.partition] = range.to;
    }
    if (const auto ends = last_.ends.find(name); ends != last_.ends.end()) {
      source.latest = ends->second;
      // An answer may be older than what has been read meanwhile.
      for (auto& [partition, latest] : source.latest)
        if (const auto end = source.end.find(partition); end != source.end.end())
          latest = std::max(latest, end->second);
    }
    if (const auto counts = closed.counts.find(name); counts != closed.counts.end())
      source.rows_in = counts->second.rows_in;
    sources.push_back(std::move(source));
  }
  return sources;
}

void ProgressProbe::detach() {
  const std::lock_guard lock(mutex_);
  if (!parts_) return;
  final_ = look();
  parts_ = nullptr;
}

QueryProgress ProgressProbe::progress_between(const Reading& from, const Reading& to) const {
  QueryProgress progress;
  progress.query = labels_.query;
  progress.rows_in = to.rows_in - from.rows_in;
  progress.rows_out = to.rows_out - from.rows_out;
  progress.rows_behind = to.rows_behind;
  progress.duration_ns = to.at.value - from.at.value;
  for (std::size_t stage = 0; stage < kStages.size(); ++stage)
    progress.stages.push_back(stage_of(kStages[stage], to.stages[stage].since(from.stages[stage])));
  for (const auto& [source, counts] : to.bad_records) {
    const auto before = from.bad_records.find(source);
    BadRecords since = counts;
    if (before != from.bad_records.end())
      for (std::size_t reason = 0; reason < since.size(); ++reason)
        since[reason] -= before->second[reason];
    add_bad_records(source, since, progress.bad_records);
  }
  return progress;
}

}  // namespace millrace::session
