#include "session/progress_probe.hpp"

#include <array>

namespace millrace::session {

namespace {

constexpr std::array<const char*, 4> kStages = {"fetch", "decode", "chain", "produce-ack"};

StageLatency stage_of(const char* name, const stream::LatencySnapshot& snapshot) {
  return {name, snapshot.count, snapshot.quantile_ns(0.5), snapshot.quantile_ns(0.99),
          snapshot.max_ns};
}

}  // namespace

ProgressProbe::ProgressProbe(std::string query, const Clock& clock, const actors::QueryParts& parts,
                             const std::vector<std::unique_ptr<operators::StageMetrics>>& metrics)
    : query_(std::move(query)), clock_(clock), parts_(&parts) {
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
  for (const auto& source : parts_->sources) {
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

QueryProgress ProgressProbe::since_last(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  Reading now = read();
  QueryProgress progress = progress_between(last_, now);
  progress.epoch = epoch;
  last_ = std::move(now);
  return progress;
}

void ProgressProbe::detach() {
  const std::lock_guard lock(mutex_);
  if (!parts_) return;
  final_ = look();
  parts_ = nullptr;
}

QueryProgress ProgressProbe::progress_between(const Reading& from, const Reading& to) const {
  QueryProgress progress;
  progress.query = query_;
  progress.rows_in = to.rows_in - from.rows_in;
  progress.rows_out = to.rows_out - from.rows_out;
  progress.rows_behind = to.rows_behind;
  progress.duration_ns = to.at.value - from.at.value;
  for (std::size_t stage = 0; stage < kStages.size(); ++stage)
    progress.stages.push_back(stage_of(kStages[stage], to.stages[stage].since(from.stages[stage])));
  for (const auto& [source, counts] : to.bad_records) {
    const auto before = from.bad_records.find(source);
    for (std::size_t reason = 0; reason < counts.size(); ++reason) {
      const std::int64_t count =
          counts[reason] - (before == from.bad_records.end() ? 0 : before->second[reason]);
      if (count == 0) continue;
      const auto name = stream::to_string(static_cast<stream::BadRecordReason>(reason));
      progress.bad_records.push_back({source, std::string(name), count});
    }
  }
  return progress;
}

}  // namespace millrace::session
