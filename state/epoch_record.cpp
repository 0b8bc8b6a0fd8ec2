#include "state/epoch_record.hpp"

#include "state/json_map.hpp"
#include "state/record_file.hpp"

#include <fmt/format.h>

#include <charconv>

namespace millrace::state {
namespace {

using formats::JsonValue;

constexpr std::string_view kOffsetsKind = "offsets";
constexpr std::string_view kPreparedKind = "prepared";
constexpr std::string_view kCommitKind = "commit";

using PartitionPositions = std::map<std::string, std::int64_t>;

// -- sources: {name: {"from": {partition: position}, "to": {...}}} --------------------------------

JsonValue encode_ranges(const std::map<std::string, OffsetRange>& ranges) {
  JsonValue from = JsonValue::object();
  JsonValue to = JsonValue::object();
  for (const auto& [partition, range] : ranges) {
    from.set(partition, range.from);
    to.set(partition, range.to);
  }
  return JsonValue::object().set("from", std::move(from)).set("to", std::move(to));
}

Result<std::map<std::string, OffsetRange>> decode_ranges(const JsonValue& source) {
  MILLRACE_ASSIGN(const PartitionPositions from, get_integer_map(source, "from"));
  MILLRACE_ASSIGN(const PartitionPositions to, get_integer_map(source, "to"));
  std::map<std::string, OffsetRange> ranges;
  for (const auto& [partition, begin] : from) {
    const auto end = to.find(partition);
    if (end == to.end() || to.size() != from.size() || end->second < begin) {
      return fail(ErrorCode::kCorrupt, fmt::format("partition {} has no range", partition));
    }
    ranges.emplace(partition, OffsetRange{begin, end->second});
  }
  return ranges;
}

// -- small parts ----------------------------------------------------------------------------------

JsonValue encode_key_groups(const std::vector<KeyGroupRange>& groups) {
  JsonValue list = JsonValue::array();
  for (const KeyGroupRange& range : groups) {
    list.append(JsonValue::object().set("from", range.from).set("to", range.to));
  }
  return list;
}

Result<std::vector<KeyGroupRange>> decode_key_groups(const JsonValue& document) {
  MILLRACE_ASSIGN(const JsonValue::Array* list, document.get_array("key_groups"));
  std::vector<KeyGroupRange> groups;
  for (const JsonValue& element : *list) {
    MILLRACE_ASSIGN(const std::int32_t from, get_int32(element, "from"));
    MILLRACE_ASSIGN(const std::int32_t to, get_int32(element, "to"));
    groups.push_back({from, to});
  }
  return groups;
}

JsonValue encode_time(const std::optional<EventTime>& time) {
  return time ? JsonValue(time->value) : JsonValue();
}

Result<std::optional<EventTime>> decode_time(const JsonValue& document, std::string_view name) {
  const JsonValue* member = document.find(name);
  if (member != nullptr && member->is_null()) return std::optional<EventTime>();
  MILLRACE_ASSIGN(const std::int64_t time, document.get_integer(name));
  return std::optional(EventTime(time));
}

JsonValue encode_watermarks(const PreparedRecord& record) {
  JsonValue sources = JsonValue::object();
  for (const auto& [source, partitions] : record.watermarks) {
    JsonValue times = JsonValue::object();
    for (const auto& [partition, time] : partitions) times.set(partition, time.value);
    sources.set(source, std::move(times));
  }
  return sources;
}

Status decode_watermarks(const JsonValue& document, PreparedRecord& record) {
  MILLRACE_ASSIGN(const JsonValue* sources, document.get_object("watermarks_us"));
  for (const auto& [source, partitions] : sources->as_object()) {
    MILLRACE_ASSIGN(const PartitionPositions times, get_integer_map(*sources, source));
    auto& target = record.watermarks[source];
    for (const auto& [partition, time] : times) target.emplace(partition, EventTime(time));
  }
  return {};
}

JsonValue encode_outputs(const std::map<std::string, OutputPosition>& outputs) {
  JsonValue topics = JsonValue::object();
  for (const auto& [topic, position] : outputs) {
    JsonValue acknowledged = JsonValue::object();
    for (const auto& [partition, offset] : position.acknowledged) {
      acknowledged.set(std::to_string(partition), offset);
    }
    topics.set(topic, JsonValue::object()
                          .set("partition_count", position.partition_count)
                          .set("acknowledged", std::move(acknowledged)));
  }
  return topics;
}

Status decode_outputs(const JsonValue& document, PreparedRecord& record) {
  MILLRACE_ASSIGN(const JsonValue* topics, document.get_object("output_positions"));
  for (const auto& [topic, member] : topics->as_object()) {
    OutputPosition position;
    MILLRACE_ASSIGN(position.partition_count, get_int32(member, "partition_count"));
    MILLRACE_ASSIGN(position.acknowledged, get_partition_map(member, "acknowledged"));
    record.output_positions.emplace(topic, std::move(position));
  }
  return {};
}

JsonValue encode_state_files(const std::vector<StateFile>& files) {
  JsonValue list = JsonValue::array();
  for (const StateFile& file : files) {
    list.append(JsonValue::object()
                    .set("name", file.name)
                    .set("length", file.length)
                    .set("checksum", file.checksum));
  }
  return list;
}

Status decode_state_files(const JsonValue& document, PreparedRecord& record) {
  MILLRACE_ASSIGN(const JsonValue::Array* list, document.get_array("state_files"));
  for (const JsonValue& element : *list) {
    StateFile file;
    MILLRACE_ASSIGN(file.name, element.get_string("name"));
    MILLRACE_ASSIGN(file.length, element.get_integer("length"));
    MILLRACE_ASSIGN(file.checksum, element.get_string("checksum"));
    record.state_files.push_back(std::move(file));
  }
  return {};
}

JsonValue encode_memos(const PreparedRecord& record) {
  JsonValue sources = JsonValue::object();
  for (const auto& [source, partitions] : record.reader_memos) {
    JsonValue memos = JsonValue::object();
    for (const auto& [partition, memo] : partitions) memos.set(partition, memo);
    sources.set(source, std::move(memos));
  }
  return sources;
}

// A later build of the same format has added it: absent where no reader has one.
Status decode_memos(const JsonValue& document, PreparedRecord& record) {
  if (!document.has("reader_memos")) return {};
  MILLRACE_ASSIGN(const JsonValue* sources, document.get_object("reader_memos"));
  for (const auto& [source, member] : sources->as_object()) {
    MILLRACE_ASSIGN(const JsonValue* partitions, sources->get_object(source));
    for (const auto& [partition, memo] : partitions->as_object()) {
      MILLRACE_ASSIGN(record.reader_memos[source][partition], partitions->get_string(partition));
    }
  }
  return {};
}

JsonValue encode_mark(const std::optional<CommitMark>& mark) {
  if (!mark) return {};
  return JsonValue::object()
      .set("generation", mark->generation.value)
      .set("epoch", mark->epoch.value)
      .set("attempt", mark->attempt);
}

Result<std::optional<CommitMark>> decode_mark(const JsonValue& document) {
  const JsonValue* member = document.find("mark");
  if (member != nullptr && member->is_null()) return std::optional<CommitMark>();
  MILLRACE_ASSIGN(const JsonValue* object, document.get_object("mark"));
  CommitMark mark;
  MILLRACE_ASSIGN(mark.generation.value, object->get_integer("generation"));
  MILLRACE_ASSIGN(mark.epoch.value, object->get_integer("epoch"));
  MILLRACE_ASSIGN(mark.attempt, object->get_string("attempt"));
  return std::optional(mark);
}

Result<Drive> decode_drive(const JsonValue& document) {
  MILLRACE_ASSIGN(const std::string drive, document.get_string("drive"));
  if (drive == "open") return Drive::kOpen;
  if (drive == "planned") return Drive::kPlanned;
  return fail(ErrorCode::kCorrupt, fmt::format("member \"drive\" is no drive: {}", drive));
}

}  // namespace

// -- offsets/N ------------------------------------------------------------------------------------

std::string encode(const OffsetsRecord& record) {
  JsonValue sources = JsonValue::object();
  for (const auto& [source, ranges] : record.ranges) sources.set(source, encode_ranges(ranges));
  return encode_record_file(kOffsetsKind,
                            JsonValue::object()
                                .set("epoch", record.epoch.value)
                                .set("generation", record.generation.value)
                                .set("drive", record.drive == Drive::kOpen ? "open" : "planned")
                                .set("time_us", record.time.value)
                                .set("sources", std::move(sources))
                                .set("key_groups", encode_key_groups(record.key_groups)));
}

Result<OffsetsRecord> decode_offsets(std::string_view bytes) {
  MILLRACE_ASSIGN(const JsonValue document, decode_record_file(kOffsetsKind, bytes));
  OffsetsRecord record;
  MILLRACE_ASSIGN(record.epoch.value, document.get_integer("epoch"));
  MILLRACE_ASSIGN(record.generation.value, document.get_integer("generation"));
  MILLRACE_ASSIGN(record.drive, decode_drive(document));
  MILLRACE_ASSIGN(record.time.value, document.get_integer("time_us"));
  MILLRACE_ASSIGN(const JsonValue* sources, document.get_object("sources"));
  for (const auto& [source, member] : sources->as_object()) {
    MILLRACE_ASSIGN(auto ranges, decode_ranges(member));
    record.ranges.emplace(source, std::move(ranges));
  }
  MILLRACE_ASSIGN(record.key_groups, decode_key_groups(document));
  return record;
}

// -- prepared/N.<attempt> -------------------------------------------------------------------------

std::string encode(const PreparedRecord& record) {
  JsonValue handles = JsonValue::object();
  for (const auto& [sink, handle] : record.sink_handles) handles.set(sink, handle);
  JsonValue document = JsonValue::object();
  document.set("epoch", record.epoch.value)
      .set("attempt", record.attempt)
      .set("watermark_us", encode_time(record.watermark))
      .set("watermarks_us", encode_watermarks(record))
      .set("next_timer_due_us", encode_time(record.next_timer_due))
      .set("sink_handles", std::move(handles))
      .set("output_positions", encode_outputs(record.output_positions))
      .set("state_files", encode_state_files(record.state_files));
  if (!record.reader_memos.empty()) document.set("reader_memos", encode_memos(record));
  return encode_record_file(kPreparedKind, document);
}

Result<PreparedRecord> decode_prepared(std::string_view bytes) {
  MILLRACE_ASSIGN(const JsonValue document, decode_record_file(kPreparedKind, bytes));
  PreparedRecord record;
  MILLRACE_ASSIGN(record.epoch.value, document.get_integer("epoch"));
  MILLRACE_ASSIGN(record.attempt, document.get_string("attempt"));
  MILLRACE_ASSIGN(record.watermark, decode_time(document, "watermark_us"));
  MILLRACE_TRY(decode_watermarks(document, record));
  MILLRACE_ASSIGN(record.next_timer_due, decode_time(document, "next_timer_due_us"));
  MILLRACE_ASSIGN(const JsonValue* handles, document.get_object("sink_handles"));
  for (const auto& [sink, handle] : handles->as_object()) {
    MILLRACE_ASSIGN(record.sink_handles[sink], handles->get_string(sink));
  }
  MILLRACE_TRY(decode_outputs(document, record));
  MILLRACE_TRY(decode_state_files(document, record));
  MILLRACE_TRY(decode_memos(document, record));
  return record;
}

// -- marks ----------------------------------------------------------------------------------------

std::string to_text(const CommitMark& mark) {
  return fmt::format("{} {} {}", mark.generation.value, mark.epoch.value, mark.attempt);
}

std::optional<CommitMark> parse_mark(std::string_view text) {
  CommitMark mark;
  const char* const end = text.data() + text.size();
  const auto generation = std::from_chars(text.data(), end, mark.generation.value);
  if (generation.ec != std::errc() || generation.ptr == end || *generation.ptr != ' ')
    return std::nullopt;
  const auto epoch = std::from_chars(generation.ptr + 1, end, mark.epoch.value);
  if (epoch.ec != std::errc() || epoch.ptr == end || *epoch.ptr != ' ') return std::nullopt;
  mark.attempt.assign(epoch.ptr + 1, end);
  const bool is_mark = !mark.attempt.empty() && mark.attempt.find(' ') == std::string::npos &&
                       mark.generation.value >= 0 && mark.epoch.value >= 0;
  return is_mark ? std::optional(mark) : std::nullopt;
}

// -- commits/N ------------------------------------------------------------------------------------

std::string encode(const CommitRecord& record) {
  return encode_record_file(kCommitKind, JsonValue::object()
                                             .set("epoch", record.epoch.value)
                                             .set("attempt", record.attempt)
                                             .set("mark", encode_mark(record.mark)));
}

Result<CommitRecord> decode_commit(std::string_view bytes) {
  MILLRACE_ASSIGN(const JsonValue document, decode_record_file(kCommitKind, bytes));
  CommitRecord record;
  MILLRACE_ASSIGN(record.epoch.value, document.get_integer("epoch"));
  MILLRACE_ASSIGN(record.attempt, document.get_string("attempt"));
  MILLRACE_ASSIGN(record.mark, decode_mark(document));
  return record;
}

}  // namespace millrace::state
