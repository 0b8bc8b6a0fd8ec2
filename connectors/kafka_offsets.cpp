#include "connectors/kafka_offsets.hpp"

#include "connectors/kafka_client.hpp"
#include "connectors/kafka_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace millrace::connectors {
namespace {

using stream::Positions;
using stream::SourcePartition;

constexpr std::chrono::milliseconds kWaitMax(KafkaTopics::kWaitMsMax);

using PartitionList =
    std::unique_ptr<rd_kafka_topic_partition_list_t, void (*)(rd_kafka_topic_partition_list_t*)>;

// Asks for one number each: a time in ms, or kLatest or kEarliest. The answer is an offset, or
// RD_KAFKA_OFFSET_END for a time later than every record.
Result<std::vector<std::int64_t>> ask(const KafkaClient& client,
                                      const std::vector<SourcePartition>& partitions,
                                      const std::vector<std::int64_t>& numbers,
                                      std::chrono::milliseconds wait_max = kWaitMax) {
  const PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(partitions.size())),
                           &rd_kafka_topic_partition_list_destroy);
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    rd_kafka_topic_partition_list_add(list.get(), partitions[i].topic.c_str(), partitions[i].number)
        ->offset = numbers[i];
  }
  const auto error =
      rd_kafka_offsets_for_times(client.handle(), list.get(), static_cast<int>(wait_max.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(client.unreachable("ask for offsets", rd_kafka_err2str(error)));
  }
  std::vector<std::int64_t> offsets;
  for (int i = 0; i < list->cnt; ++i) {
    const auto& answer = list->elems[i];
    if (answer.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return fail(client.unreachable(fmt::format("ask for the offsets of topic {}, partition {}",
                                                 answer.topic, answer.partition),
                                     rd_kafka_err2str(answer.err)));
    }
    offsets.push_back(answer.offset);
  }
  return offsets;
}

Result<std::vector<std::int64_t>> ask_everywhere(const KafkaClient& client,
                                                 const std::vector<SourcePartition>& partitions,
                                                 std::int64_t number) {
  return ask(client, partitions, std::vector(partitions.size(), number));
}

// Points that are no times are asked for as the end, and not at all when none is one.
Result<std::vector<std::int64_t>> ask_times(const KafkaClient& client,
                                            const std::vector<SourcePartition>& partitions,
                                            const std::vector<KafkaPoint>& points) {
  std::vector<std::int64_t> times;
  for (const auto& point : points) {
    times.push_back(point.is_time ? point.value : KafkaPoint::kLatest);
  }
  if (std::ranges::none_of(points, &KafkaPoint::is_time)) return times;
  return ask(client, partitions, times);
}

// kLatest or kEarliest when all points are that one, which takes one question instead of three.
std::optional<std::int64_t> common_end(const std::vector<KafkaPoint>& points) {
  const auto is_first = [&](const KafkaPoint& point) {
    return !point.is_time && point.value == points.front().value;
  };
  if (points.empty() || points.front().value >= 0 || !std::ranges::all_of(points, is_first))
    return std::nullopt;
  return points.front().value;
}

// Errors of an option say whose it is.
Error of_owner(const KafkaClient& client, const Error& error) {
  return {error.code, fmt::format("{}: {}", client.owner(), error.message)};
}

Result<std::vector<KafkaPoint>> points_of(const KafkaClient& client,
                                          const std::vector<SourcePartition>& partitions,
                                          const KafkaBound& bound) {
  return wanted_points(bound, partitions).map_error([&](const Error& error) {
    return of_owner(client, error);
  });
}

Error not_there(const KafkaBound& start, const SourcePartition& partition, std::int64_t offset,
                const KafkaRange& range) {
  return {
      ErrorCode::kInvalidArgument,
      fmt::format("option {} begins topic {}, partition {} at offset {}; its first record is "
                  "{}, and the next one to come will be {}",
                  start.option, partition.topic, partition.number, offset, range.first, range.end)};
}

Error nothing_so_late(const KafkaBound& start, const SourcePartition& partition,
                      std::int64_t time_ms) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("option {} begins topic {}, partition {} at time {} ms, and every record of "
                      "it is older; to begin at its end then, set "
                      "starting_offsets_by_timestamp_strategy = 'latest'",
                      start.option, partition.topic, partition.number, time_ms)};
}

}  // namespace

Error lost_records(std::string_view label, std::int64_t position, const KafkaRange& range) {
  return {ErrorCode::kDataLoss, described_loss(label, position, range) +
                                    "; fail_on_data_loss = 'false' goes on from there"};
}

std::string described_loss(std::string_view label, std::int64_t position, const KafkaRange& range) {
  if (position < range.first) {
    return fmt::format(
        "{}: the {} records of offsets {} to {} are gone (retention?), the first one left is {}",
        label, range.first - position, position, range.first - 1, range.first);
  }
  return fmt::format(
      "{}: offset {} is past the end of the partition, {}; was the topic created anew? Its first "
      "record is {}",
      label, position, range.end, range.first);
}

Result<std::vector<KafkaRange>> ranges_of(const KafkaClient& client,
                                          const std::vector<SourcePartition>& partitions) {
  MILLRACE_ASSIGN(const auto first, ask_everywhere(client, partitions, KafkaPoint::kEarliest));
  MILLRACE_ASSIGN(const auto end, ask_everywhere(client, partitions, KafkaPoint::kLatest));
  std::vector<KafkaRange> ranges;
  for (std::size_t i = 0; i < partitions.size(); ++i) ranges.push_back({first[i], end[i]});
  return ranges;
}

Result<Positions> resolve_everywhere(const KafkaClient& client,
                                     const std::vector<SourcePartition>& partitions,
                                     std::int64_t where, std::chrono::milliseconds wait_max) {
  MILLRACE_ASSIGN(const auto offsets,
                  ask(client, partitions, std::vector(partitions.size(), where), wait_max));
  Positions positions;
  for (std::size_t i = 0; i < partitions.size(); ++i) positions[partitions[i].name] = offsets[i];
  return positions;
}

Result<Positions> resolve_start(const KafkaClient& client,
                                const std::vector<SourcePartition>& partitions,
                                const KafkaBound& start) {
  MILLRACE_ASSIGN(const auto wanted, points_of(client, partitions, start));
  if (const auto where = common_end(wanted)) return resolve_everywhere(client, partitions, *where);
  MILLRACE_ASSIGN(const auto ranges, ranges_of(client, partitions));
  MILLRACE_ASSIGN(const auto at_times, ask_times(client, partitions, wanted));
  Positions positions;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const auto& [value, is_time] = wanted[i];
    std::int64_t& position = positions[partitions[i].name];
    if (is_time) {
      const bool is_later = at_times[i] < 0;
      if (is_later && !start.takes_end_for_later) {
        return fail(of_owner(client, nothing_so_late(start, partitions[i], value)));
      }
      position = is_later ? ranges[i].end : at_times[i];
    } else if (value >= 0) {
      if (!ranges[i].takes(value)) {
        return fail(of_owner(client, not_there(start, partitions[i], value, ranges[i])));
      }
      position = value;
    } else {
      position = value == KafkaPoint::kEarliest ? ranges[i].first : ranges[i].end;
    }
  }
  return positions;
}

Result<Positions> resolve_end(const KafkaClient& client,
                              const std::vector<SourcePartition>& partitions,
                              const KafkaBound& end) {
  MILLRACE_ASSIGN(const auto wanted, points_of(client, partitions, end));
  MILLRACE_ASSIGN(const auto ends, ask_everywhere(client, partitions, KafkaPoint::kLatest));
  MILLRACE_ASSIGN(const auto at_times, ask_times(client, partitions, wanted));
  Positions positions;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const auto& [value, is_time] = wanted[i];
    const std::int64_t offset = is_time ? at_times[i] : value;
    positions[partitions[i].name] = offset < 0 ? ends[i] : offset;
  }
  return positions;
}

}  // namespace millrace::connectors
