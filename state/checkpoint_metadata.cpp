#include "state/checkpoint_metadata.hpp"

#include "state/json_map.hpp"
#include "state/record_file.hpp"

#include <fmt/format.h>

namespace millrace::state {
namespace {

using formats::JsonValue;

constexpr std::string_view kKind = "metadata";

Status decode_forks(const JsonValue& document, CheckpointMetadata& metadata) {
  MILLRACE_ASSIGN(const JsonValue::Array* forks, document.get_array("forks"));
  for (const JsonValue& element : *forks) {
    Fork fork;
    MILLRACE_ASSIGN(fork.generation.value, element.get_integer("generation"));
    MILLRACE_ASSIGN(fork.epoch.value, element.get_integer("epoch"));
    metadata.forks.push_back(fork);
  }
  return {};
}

Status decode_transactional_ids(const JsonValue& document, CheckpointMetadata& metadata) {
  MILLRACE_ASSIGN(const JsonValue::Array* ids, document.get_array("transactional_ids"));
  for (const JsonValue& element : *ids) {
    if (!element.is_string()) return fail(ErrorCode::kCorrupt, "a transactional id is no text");
    metadata.transactional_ids.push_back(element.as_string());
  }
  return {};
}

Status decode_mark(const JsonValue& document, CheckpointMetadata& metadata) {
  const JsonValue* member = document.find("mark");
  if (member != nullptr && member->is_null()) return {};
  MILLRACE_ASSIGN(const JsonValue* object, document.get_object("mark"));
  MarkPartition mark;
  MILLRACE_ASSIGN(mark.topic, object->get_string("topic"));
  MILLRACE_ASSIGN(mark.partition, get_int32(*object, "partition"));
  metadata.mark = std::move(mark);
  return {};
}

// Members that later builds of the same format have added: absent in older files.
Status decode_resume(const JsonValue& document, CheckpointMetadata& metadata) {
  if (document.has("output_partitions")) {
    MILLRACE_ASSIGN(const auto counts, get_integer_map(document, "output_partitions"));
    for (const auto& [topic, count] : counts)
      metadata.output_partitions[topic] = static_cast<std::int32_t>(count);
  }
  if (document.has("histories")) {
    MILLRACE_ASSIGN(metadata.histories, get_integer_map(document, "histories"));
  }
  if (!document.has("tables")) return {};
  MILLRACE_ASSIGN(const JsonValue* tables, document.get_object("tables"));
  for (const auto& [name, fingerprint] : tables->as_object()) {
    if (!fingerprint.is_string()) return fail(ErrorCode::kCorrupt, "a fingerprint is no text");
    metadata.tables[name] = fingerprint.as_string();
  }
  return {};
}

template <typename Map>
JsonValue object_of(const Map& map) {
  JsonValue object = JsonValue::object();
  for (const auto& [name, value] : map) object.set(name, JsonValue(value));
  return object;
}

}  // namespace

std::string encode(const CheckpointMetadata& metadata) {
  JsonValue forks = JsonValue::array();
  for (const Fork& fork : metadata.forks) {
    forks.append(JsonValue::object()
                     .set("generation", fork.generation.value)
                     .set("epoch", fork.epoch.value));
  }
  JsonValue ids = JsonValue::array();
  for (const std::string& id : metadata.transactional_ids) ids.append(id);
  JsonValue mark;
  if (metadata.mark) {
    mark.set("topic", metadata.mark->topic).set("partition", metadata.mark->partition);
  }
  return encode_record_file(kKind,
                            JsonValue::object()
                                .set("format", metadata.format)
                                .set("oldest_reader", metadata.oldest_reader)
                                .set("checkpoint_id", metadata.checkpoint_id)
                                .set("created_us", metadata.created.value)
                                .set("generation", metadata.generation.value)
                                .set("forks", std::move(forks))
                                .set("transactional_ids", std::move(ids))
                                .set("mark", std::move(mark))
                                .set("output_partitions", object_of(metadata.output_partitions))
                                .set("tables", object_of(metadata.tables))
                                .set("histories", object_of(metadata.histories)));
}

Result<CheckpointMetadata> decode_metadata(std::string_view bytes) {
  MILLRACE_ASSIGN(const JsonValue document, decode_record_file(kKind, bytes));
  CheckpointMetadata metadata;
  MILLRACE_ASSIGN(metadata.format, document.get_integer("format"));
  MILLRACE_ASSIGN(metadata.oldest_reader, document.get_integer("oldest_reader"));
  if (metadata.oldest_reader > kCheckpointFormat) {
    return fail(ErrorCode::kNotSupported,
                fmt::format("it has format {} and needs a reader of format {}, this is one of {}",
                            metadata.format, metadata.oldest_reader, kCheckpointFormat));
  }
  MILLRACE_ASSIGN(metadata.checkpoint_id, document.get_string("checkpoint_id"));
  MILLRACE_ASSIGN(metadata.created.value, document.get_integer("created_us"));
  MILLRACE_ASSIGN(metadata.generation.value, document.get_integer("generation"));
  MILLRACE_TRY(decode_forks(document, metadata));
  MILLRACE_TRY(decode_transactional_ids(document, metadata));
  MILLRACE_TRY(decode_mark(document, metadata));
  MILLRACE_TRY(decode_resume(document, metadata));
  return metadata;
}

}  // namespace millrace::state
