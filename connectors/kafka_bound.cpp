#include "connectors/kafka_bound.hpp"

#include "formats/json_document.hpp"
#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace millrace::connectors {
namespace {

using formats::JsonValue;
using stream::SourcePartition;

/// The names of one side's options, and what may be said there.
struct Side {
  const char* timestamp;
  const char* by_timestamp;
  const char* offsets;
  const char* accepted;     ///< by `offsets`
  std::int64_t offset_min;  ///< kEarliest, or kLatest where earliest means nothing
};

constexpr Side kStarting = {
    "starting_timestamp", "starting_offsets_by_timestamp", "starting_offsets",
    "earliest, latest or {\"topic\":{\"0\":12,\"1\":-2}} (-1 latest, -2 earliest)",
    KafkaPoint::kEarliest};
constexpr Side kEnding = {"ending_timestamp", "ending_offsets_by_timestamp", "ending_offsets",
                          "latest or {\"topic\":{\"0\":12,\"1\":-1}} (-1 latest)",
                          KafkaPoint::kLatest};
constexpr const char* kStrategy = "starting_offsets_by_timestamp_strategy";

tl::unexpected<Error> refuse(std::string_view option, std::string_view accepted,
                             std::string_view text) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("option {} must be {}, not {}", option, accepted, text));
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// Reads {"0":12,"1":-2}; nothing below `value_min`.
bool read_partitions(const JsonValue& object, bool is_time, std::int64_t value_min,
                     std::map<std::int32_t, KafkaPoint>& points) {
  if (!object.is_object()) return false;
  for (const auto& [key, value] : object.as_object()) {
    const auto partition = number_of<std::int32_t>(key);
    if (!partition || !value.is_integer() || value.as_integer() < value_min) return false;
    points[*partition] = {value.as_integer(), is_time};
  }
  return true;
}

// Reads {"topic":{"0":12}}; empty when it is anything else.
KafkaBound::ByPartition read_topics(std::string_view text, bool is_time, std::int64_t value_min) {
  KafkaBound::ByPartition points;
  const auto document = JsonValue::parse(text);
  if (!document || !document->is_object()) return {};
  for (const auto& [topic, partitions] : document->as_object()) {
    if (!read_partitions(partitions, is_time, value_min, points[topic])) return {};
  }
  return points;
}

Result<KafkaBound> read_timestamp(const Side& side, std::string_view text) {
  const auto time = number_of<std::int64_t>(text);
  if (!time) return refuse(side.timestamp, "milliseconds since 1970, as 1700000000123", text);
  return KafkaBound{side.timestamp, {*time, true}, {}, false};
}

Result<KafkaBound> read_by_timestamp(const Side& side, std::string_view text) {
  KafkaBound bound{side.by_timestamp, {}, read_topics(text, true, 0), false};
  if (!bound.points.empty()) return bound;
  return refuse(side.by_timestamp, "{\"topic\":{\"0\":1700000000123}}, in milliseconds since 1970",
                text);
}

Result<KafkaBound> read_offsets(const Side& side, std::string_view text) {
  KafkaBound bound{side.offsets, {}, {}, false};
  const auto word = stream::lower_case(text);
  if (word == "latest") return bound;
  if (word == "earliest" && side.offset_min == KafkaPoint::kEarliest) {
    bound.everywhere.value = KafkaPoint::kEarliest;
    return bound;
  }
  bound.points = read_topics(text, false, side.offset_min);
  if (!bound.points.empty()) return bound;
  constexpr auto kWords = std::to_array<std::string_view>({"latest", "earliest"});
  const std::size_t accepted = side.offset_min == KafkaPoint::kEarliest ? 2 : 1;
  if (const auto nearest = nearest_name(word, std::span(kWords).first(accepted))) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("option {} cannot be '{}'; did you mean '{}'?", side.offsets, text, *nearest));
  }
  return refuse(side.offsets, side.accepted, text);
}

// The first that is given counts; all are checked.
Result<std::optional<KafkaBound>> read_side(const Options& options, const Side& side) {
  std::optional<KafkaBound> bound;
  if (const auto text = options.get(side.offsets)) {
    MILLRACE_ASSIGN(bound, read_offsets(side, *text));
  }
  if (const auto text = options.get(side.by_timestamp)) {
    MILLRACE_ASSIGN(bound, read_by_timestamp(side, *text));
  }
  if (const auto text = options.get(side.timestamp)) {
    MILLRACE_ASSIGN(bound, read_timestamp(side, *text));
  }
  return bound;
}

// A topic that is misspelt, before its partitions are missed.
Status check_topics(const KafkaBound& start, const std::vector<SourcePartition>& partitions) {
  std::vector<std::string_view> read;
  for (const auto& partition : partitions) read.push_back(partition.topic);
  for (const auto& [topic, of_topic] : start.points) {
    if (of_topic.empty() || std::ranges::find(read, topic) != read.end()) continue;
    const auto nearest = nearest_name(topic, read);
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("option {} names topic {}, which is not read by this table{}", start.option,
                    topic, nearest ? fmt::format("; did you mean {}?", *nearest) : ""));
  }
  return {};
}

}  // namespace

Result<KafkaBound> read_kafka_start(const Options& options) {
  MILLRACE_ASSIGN(const auto given, read_side(options, kStarting));
  KafkaBound start = given.value_or(KafkaBound{kStarting.offsets, {}, {}, false});
  const auto strategy = stream::lower_case(options.get_or(kStrategy, "error"));
  if (strategy != "error" && strategy != "latest") {
    return refuse(kStrategy, "error or latest", strategy);
  }
  start.takes_end_for_later = strategy == "latest";
  return start;
}

Result<std::optional<KafkaBound>> read_kafka_end(const Options& options) {
  MILLRACE_ASSIGN(auto end, read_side(options, kEnding));
  if (end) end->takes_end_for_later = true;
  return end;
}

Result<std::vector<KafkaPoint>> wanted_points(const KafkaBound& start,
                                              const std::vector<SourcePartition>& partitions) {
  MILLRACE_TRY(check_topics(start, partitions));
  std::vector<KafkaPoint> wanted;
  auto left = start.points;
  for (const auto& partition : partitions) {
    if (start.points.empty()) {
      wanted.push_back(start.everywhere);
      continue;
    }
    auto& of_topic = left[partition.topic];
    const auto found = of_topic.find(partition.number);
    if (found == of_topic.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("option {} must name every partition; topic {}, partition {} is "
                              "missing",
                              start.option, partition.topic, partition.number));
    }
    wanted.push_back(found->second);
    of_topic.erase(found);
  }
  for (const auto& [topic, of_topic] : left) {
    if (of_topic.empty()) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option {} names topic {}, partition {}, which is not read by this "
                            "table",
                            start.option, topic, of_topic.begin()->first));
  }
  return wanted;
}

}  // namespace millrace::connectors
