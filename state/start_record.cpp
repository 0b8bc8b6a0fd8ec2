#include "state/start_record.hpp"

#include "state/json_map.hpp"
#include "state/record_file.hpp"

namespace millrace::state {
namespace {

using formats::JsonValue;

constexpr std::string_view kKind = "start";

}  // namespace

std::string encode(const StartRecord& record) {
  JsonValue sources = JsonValue::object();
  for (const auto& [source, positions] : record.sources) {
    JsonValue members = JsonValue::object();
    for (const auto& [partition, position] : positions) members.set(partition, position);
    sources.set(source, std::move(members));
  }
  JsonValue outputs = JsonValue::object();
  for (const auto& [topic, watermarks] : record.outputs) {
    JsonValue members = JsonValue::object();
    for (const auto& [partition, offset] : watermarks) {
      members.set(std::to_string(partition), offset);
    }
    outputs.set(topic, std::move(members));
  }
  return encode_record_file(
      kKind,
      JsonValue::object().set("sources", std::move(sources)).set("outputs", std::move(outputs)));
}

Result<StartRecord> decode_start(std::string_view bytes) {
  MILLRACE_ASSIGN(const JsonValue document, decode_record_file(kKind, bytes));
  StartRecord record;
  MILLRACE_ASSIGN(const JsonValue* sources, document.get_object("sources"));
  for (const auto& [source, member] : sources->as_object()) {
    MILLRACE_ASSIGN(record.sources[source], get_integer_map(*sources, source));
  }
  MILLRACE_ASSIGN(const JsonValue* outputs, document.get_object("outputs"));
  for (const auto& [topic, member] : outputs->as_object()) {
    MILLRACE_ASSIGN(record.outputs[topic], get_partition_map(*outputs, topic));
  }
  return record;
}

}  // namespace millrace::state
