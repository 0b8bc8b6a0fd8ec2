#include "millrace/query.hpp"

#include "formats/json_document.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace millrace {
namespace {

using formats::JsonValue;
using Positions = std::map<std::string, std::int64_t>;

std::string iso_time(WallTime time) {
  const std::int64_t ms = time.value >= 0 ? time.value / 1000 : -((-time.value + 999) / 1000);
  const std::int64_t seconds = (ms - (ms % 1000 + 1000) % 1000) / 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(seconds)),
                     ms - seconds * 1000);
}

/// Partitions "clicks-0", "clicks-1" as {"clicks":{"0":..,"1":..}}, as starting_offsets takes them;
/// those of another form as they are called.
JsonValue json_of(const Positions& positions) {
  JsonValue result = JsonValue::object();
  for (const auto& [partition, position] : positions) {
    const std::size_t dash = partition.rfind('-');
    const std::string_view number =
        dash == std::string::npos ? "" : std::string_view(partition).substr(dash + 1);
    const bool is_numbered =
        dash > 0 && !number.empty() &&
        std::ranges::all_of(number, [](char digit) { return digit >= '0' && digit <= '9'; });
    if (!is_numbered) {
      result.set(partition, position);
      continue;
    }
    const std::string topic = partition.substr(0, dash);
    JsonValue numbers = result.has(topic) ? *result.find(topic) : JsonValue::object();
    numbers.set(number, position);
    result.set(topic, std::move(numbers));
  }
  return result;
}

// Left out where there is none: a span of nothing.
void set_rate(JsonValue& object, std::string_view name, std::int64_t rows, std::int64_t span_ns) {
  if (span_ns > 0) object.set(name, static_cast<double>(rows) * 1e9 / static_cast<double>(span_ns));
}

/// How far the epoch's end lies behind the source's, as text, like every metric.
JsonValue metrics_of(const SourceProgress& source) {
  JsonValue metrics = JsonValue::object();
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t sum = 0;
  std::int64_t count = 0;
  for (const auto& [partition, latest] : source.latest) {
    const auto end = source.end.find(partition);
    if (end == source.end.end()) continue;
    const std::int64_t behind = std::max<std::int64_t>(latest - end->second, 0);
    least = count == 0 ? behind : std::min(least, behind);
    most = std::max(most, behind);
    sum += behind;
    ++count;
  }
  if (count == 0) return metrics;
  metrics.set("minOffsetsBehindLatest", fmt::format("{}", least));
  metrics.set("maxOffsetsBehindLatest", fmt::format("{}", most));
  metrics.set("avgOffsetsBehindLatest",
              fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(count)));
  return metrics;
}

JsonValue bad_records_of(const QueryProgress& progress, const std::string& source) {
  JsonValue reasons = JsonValue::object();
  for (const BadRecordCount& bad : progress.bad_records)
    if (bad.source == source) reasons.set(bad.reason, bad.count);
  return reasons;
}

JsonValue source_of(const QueryProgress& progress, const SourceProgress& source,
                    std::int64_t execution_ns) {
  JsonValue object = JsonValue::object();
  object.set("description", source.description);
  object.set("startOffset", json_of(source.start));
  object.set("endOffset", json_of(source.end));
  object.set("latestOffset", json_of(source.latest));
  object.set("numInputRows", source.rows_in);
  set_rate(object, "inputRowsPerSecond", source.rows_in, progress.input_ns);
  set_rate(object, "processedRowsPerSecond", source.rows_in, execution_ns);
  object.set("metrics", metrics_of(source));
  object.set("name", source.name);
  object.set("badRecords", bad_records_of(progress, source.name));
  return object;
}

JsonValue stages_of(const QueryProgress& progress) {
  JsonValue stages = JsonValue::object();
  for (const StageLatency& stage : progress.stages) {
    if (stage.count == 0) continue;
    const auto us = [](std::uint64_t ns) { return static_cast<std::int64_t>(ns / 1000); };
    stages.set(stage.stage, JsonValue::object()
                                .set("count", static_cast<std::int64_t>(stage.count))
                                .set("p50Us", us(stage.p50_ns))
                                .set("p99Us", us(stage.p99_ns))
                                .set("maxUs", us(stage.max_ns)));
  }
  return stages;
}

}  // namespace

std::string QueryProgress::to_json() const {
  const auto execution = durations_ms.find("triggerExecution");
  const std::int64_t execution_ms = execution == durations_ms.end() ? 0 : execution->second;
  const std::int64_t execution_ns = execution_ms * 1'000'000;
  JsonValue object = JsonValue::object();
  object.set("id", id);
  object.set("runId", run_id);
  object.set("name", query);
  object.set("timestamp", iso_time(timestamp));
  if (epoch) object.set("batchId", epoch->value);
  object.set("batchDuration", execution_ms);
  object.set("numInputRows", rows_in);
  set_rate(object, "inputRowsPerSecond", rows_in, input_ns);
  set_rate(object, "processedRowsPerSecond", rows_in, execution_ns);
  JsonValue durations = JsonValue::object();
  for (const auto& [part, ms] : durations_ms) durations.set(part, ms);
  object.set("durationMs", std::move(durations));
  object.set("eventTime", JsonValue::object());
  object.set("stateOperators", JsonValue::array());
  JsonValue list = JsonValue::array();
  for (const SourceProgress& source : sources) list.append(source_of(*this, source, execution_ns));
  object.set("sources", std::move(list));
  object.set("sink", JsonValue::object()
                         .set("description", sink)
                         .set("numOutputRows", rows_out)
                         .set("metrics", JsonValue::object()));
  object.set("observedMetrics", JsonValue::object());
  if (rows_behind) object.set("rowsBehind", *rows_behind);
  object.set("restarts", restarts);
  object.set("stages", stages_of(*this));
  return object.dump();
}

}  // namespace millrace
