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
    : query_(std::move(query)), clock_(clock), parts_(&parts), metrics_(metrics) {
  start_ = look();
  last_ = start_;
}

ProgressProbe::Reading ProgressProbe::look() const {
  Reading reading;
  reading.at = clock_.steady();
  reading.rows_in = parts_->rows_total();
  reading.stages.resize(kStages.size());
  for (const auto& source : parts_->sources) reading.stages[0].merge(source->fetch_latency());
  for (const auto& metrics : metrics_) {
    reading.stages[1].merge(metrics->decode.snapshot());
    reading.stages[2].merge(metrics->chain.snapshot());
  }
  for (const auto& sink : parts_->sinks) {
    reading.stages[3].merge(sink->acknowledge_latency());
    reading.rows_out += sink->acknowledged();
  }
  return reading;
}

ProgressProbe::Reading ProgressProbe::read() const { return parts_ ? look() : final_; }

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
  progress.duration_ns = to.at.value - from.at.value;
  for (std::size_t stage = 0; stage < kStages.size(); ++stage)
    progress.stages.push_back(stage_of(kStages[stage], to.stages[stage].since(from.stages[stage])));
  return progress;
}

}  // namespace millrace::session
