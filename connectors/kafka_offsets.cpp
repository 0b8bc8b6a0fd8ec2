#include "connectors/kafka_offsets.hpp"

#include "connectors/kafka_client.hpp"
#include "connectors/kafka_topics.hpp"
#include "formats/json_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace millrace::connectors {
namespace {

using formats::JsonValue;
using stream::Positions;
using stream::SourcePartition;

constexpr std::string_view kAccepted =
    "earliest, latest or {\"topic\":{\"0\":12,\"1\":-2}} (-1 latest, -2 earliest)";

tl::unexpected<Error> refuse(std::string_view text) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("option starting_offsets must be {}, not {}", kAccepted, text));
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Reads {"0":12,"1":-2}.
bool read_partitions(const JsonValue& object, std::map<std::int32_t, std::int64_t>& offsets) {
  if (!object.is_object()) return false;
  for (const auto& [key, value] : object.as_object()) {
    std::int32_t partition = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), partition);
    const bool is_number = error == std::errc() && end == key.data() + key.size();
    if (!is_number || partition < 0 || !value.is_integer()) return false;
    if (value.as_integer() < KafkaStart::kEarliest) return false;
    offsets[partition] = value.as_integer();
  }
  return true;
}

using PartitionList =
    std::unique_ptr<rd_kafka_topic_partition_list_t, void (*)(rd_kafka_topic_partition_list_t*)>;

PartitionList list_unresolved(const std::vector<SourcePartition>& partitions,
                              const std::vector<std::int64_t>& wanted) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(partitions.size())),
                     &rd_kafka_topic_partition_list_destroy);
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (wanted[i] >= 0) continue;
    rd_kafka_topic_partition_list_add(list.get(), partitions[i].topic.c_str(), partitions[i].number)
        ->offset = wanted[i];
  }
  return list;
}

}  // namespace

Result<KafkaStart> parse_kafka_start(std::string_view text) {
  KafkaStart start;
  const auto word = lower(text);
  if (word == "latest") return start;
  if (word == "earliest") {
    start.everywhere = KafkaStart::kEarliest;
    return start;
  }
  const auto document = JsonValue::parse(text);
  if (!document || !document->is_object() || document->size() == 0) return refuse(text);
  for (const auto& [topic, partitions] : document->as_object()) {
    if (!read_partitions(partitions, start.offsets[topic])) return refuse(text);
  }
  return start;
}

Result<std::vector<std::int64_t>> wanted_offsets(const KafkaStart& start,
                                                 const std::vector<SourcePartition>& partitions) {
  std::vector<std::int64_t> wanted;
  auto left = start.offsets;
  for (const auto& partition : partitions) {
    if (start.offsets.empty()) {
      wanted.push_back(start.everywhere);
      continue;
    }
    auto& of_topic = left[partition.topic];
    const auto found = of_topic.find(partition.number);
    if (found == of_topic.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("option starting_offsets must name every partition; topic {}, "
                              "partition {} is missing",
                              partition.topic, partition.number));
    }
    wanted.push_back(found->second);
    of_topic.erase(found);
  }
  for (const auto& [topic, of_topic] : left) {
    if (of_topic.empty()) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option starting_offsets names topic {}, partition {}, which is not "
                            "read by this table",
                            topic, of_topic.begin()->first));
  }
  return wanted;
}

Status check_offsets(const KafkaClient& client, const std::vector<SourcePartition>& partitions,
                     const std::vector<std::int64_t>& wanted) {
  if (std::ranges::none_of(wanted, [](std::int64_t offset) { return offset >= 0; })) return {};
  const auto all_at = [&](std::int64_t where) {
    return resolve_offsets(client, partitions, std::vector(partitions.size(), where));
  };
  MILLRACE_ASSIGN(const auto first, all_at(KafkaStart::kEarliest));
  MILLRACE_ASSIGN(const auto end, all_at(KafkaStart::kLatest));
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const auto& [name, topic, number] = partitions[i];
    const bool is_there = wanted[i] >= first.at(name) && wanted[i] <= end.at(name);
    if (wanted[i] < 0 || is_there) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option starting_offsets begins topic {}, partition {} at offset {}; "
                            "its first record is {}, and the next one to come will be {}",
                            topic, number, wanted[i], first.at(name), end.at(name)));
  }
  return {};
}

Result<Positions> resolve_offsets(const KafkaClient& client,
                                  const std::vector<SourcePartition>& partitions,
                                  const std::vector<std::int64_t>& wanted) {
  Positions positions;
  for (std::size_t i = 0; i < partitions.size(); ++i) positions[partitions[i].name] = wanted[i];
  const auto list = list_unresolved(partitions, wanted);
  if (list->cnt == 0) return positions;
  const auto error =
      rd_kafka_offsets_for_times(client.handle(), list.get(), KafkaTopics::kWaitMsMax);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(client.unreachable("ask for offsets", rd_kafka_err2str(error)));
  }
  int next = 0;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (wanted[i] >= 0) continue;
    const auto& answer = list->elems[next++];
    if (answer.err != RD_KAFKA_RESP_ERR_NO_ERROR || answer.offset < 0) {
      return fail(client.unreachable(fmt::format("ask for the offsets of topic {}, partition {}",
                                                 answer.topic, answer.partition),
                                     rd_kafka_err2str(answer.err)));
    }
    positions[partitions[i].name] = answer.offset;
  }
  return positions;
}

}  // namespace millrace::connectors
