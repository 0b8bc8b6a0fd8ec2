#include "stream/plan/dead_letter_planning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::stream {
namespace {

tl::unexpected<Error> refuse(const Relation& relation, std::string_view problem) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("table {}: {}", relation.table.name, problem));
}

const Field* record_field(const Relation& relation, std::string_view name) {
  const auto found = std::ranges::find(relation.traits.record, name, &Field::name);
  return found == relation.traits.record.end() ? nullptr : &*found;
}

Status check_decode_settings(const Relation& relation) {
  const BadRecordPolicy& policy = relation.bad_records;
  if (!relation.is_decoded || relation.format == "raw") {
    if (!relation.table.options.has("mode") && !policy.names_corrupt_column) return {};
    return refuse(
        relation,
        fmt::format("option {} does nothing with format 'raw': any value is "
                    "well formed",
                    policy.names_corrupt_column ? "column_name_of_corrupt_record" : "mode"));
  }
  if (policy.on_decode != OnBadRecord::kNull) return {};
  const auto& declared = relation.table.columns;
  const auto found = std::ranges::find(declared, policy.corrupt_column, &Field::name);
  if (found == declared.end()) {
    if (!policy.names_corrupt_column) return {};
    return refuse(relation,
                  fmt::format("column_name_of_corrupt_record = '{}' names no declared column",
                              policy.corrupt_column));
  }
  if (found->type.is(TypeKind::kString)) return {};
  return refuse(relation, fmt::format("column {} takes the text of corrupt records, so it must be "
                                      "text, not {}",
                                      found->name, found->type.to_string()));
}

/// Whether a source with these options reads that topic, as far as its name alone tells.
bool reads_topic(const Options& options, std::string_view topic) {
  for (const char* key : {"topic", "subscribe"}) {
    const std::string list = options.get_or(key, "");
    std::string_view rest = list;
    while (!rest.empty()) {
      std::string_view name = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      if (name == topic) return true;
    }
  }
  return false;
}

Result<TableDefinition> dead_letter_table(const Relation& relation) {
  const BadRecordPolicy& policy = relation.bad_records;
  TableDefinition table;
  table.name = "dead letters of " + relation.table.name;
  if (!policy.dead_letter_path.empty()) {
    table.connector = kDeadLetterFileConnector;
    table.options.set("path", policy.dead_letter_path);
    return table;
  }
  if (reads_topic(relation.table.options, policy.dead_letter_topic)) {
    return refuse(relation,
                  fmt::format("dead_letter_topic = '{}' is what the table reads: a letter "
                              "would come back as a bad record for ever",
                              policy.dead_letter_topic));
  }
  if (relation.traits.sink_beside.entries().empty()) {
    return refuse(relation, fmt::format("connector {} has no topics to write dead letters to; use "
                                        "the option dead_letter_path",
                                        relation.table.connector));
  }
  table.connector = relation.table.connector;
  table.options = relation.traits.sink_beside;
  table.options.set("topic", policy.dead_letter_topic);
  return table;
}

/// Where a column of the record is among those that the source reads; added when it is not.
std::optional<std::size_t> read_column(const Relation& stream, std::string_view name,
                                       SourceSpec& source, std::vector<Field>& fields) {
  const Field* field = record_field(stream, name);
  if (field == nullptr) return std::nullopt;
  const auto found = std::ranges::find(source.record_columns, name);
  if (found != source.record_columns.end())
    return static_cast<std::size_t>(found - source.record_columns.begin());
  source.record_columns.emplace_back(name);
  fields.push_back(*field);
  return fields.size() - 1;
}

SchemaRef letter_schema(const DeadLetterSpec& letters, const Relation& stream) {
  std::vector<Field> fields = {{"value", TypeKind::kBytes}};
  if (letters.is_lines) return make_schema(std::move(fields));
  fields.push_back({"key", TypeKind::kBytes});
  fields.push_back({"headers", record_field(stream, "headers")->type});
  if (letters.timestamp_column) fields.push_back({"timestamp", TypeKind::kTimestamp});
  return make_schema(std::move(fields));
}

}  // namespace

Status resolve_bad_records(Relation& relation) {
  auto policy = BadRecordPolicy::parse(relation.table.options);
  if (!policy) return refuse(relation, policy.error().message);
  relation.bad_records = std::move(*policy);
  MILLRACE_TRY(check_decode_settings(relation));
  if (!relation.bad_records.has_dead_letters()) return {};
  if (record_field(relation, "value") == nullptr) {
    return refuse(relation, fmt::format("on_bad_record = 'dead_letter' keeps a record's bytes, and "
                                        "connector {} gives none",
                                        relation.table.connector));
  }
  MILLRACE_ASSIGN(relation.dead_letters, dead_letter_table(relation));
  return {};
}

BadRecordSpec plan_bad_records(const Relation& stream, SourceSpec& source) {
  BadRecordSpec spec;
  spec.policy = stream.bad_records;
  if (!stream.dead_letters) return spec;
  DeadLetterSpec letters;
  letters.is_lines = stream.dead_letters->connector == kDeadLetterFileConnector;
  std::vector<Field> fields = source.schema->fields();
  letters.value_column = read_column(stream, "value", source, fields);
  letters.key_column = read_column(stream, "key", source, fields);
  letters.headers_column = read_column(stream, "headers", source, fields);
  letters.timestamp_column = read_column(stream, "timestamp", source, fields);
  letters.topic_column = read_column(stream, "topic", source, fields);
  source.schema = make_schema(std::move(fields));
  letters.sink = SinkSpec{*stream.dead_letters, "none", letter_schema(letters, stream)};
  spec.dead_letter = std::move(letters);
  return spec;
}

}  // namespace millrace::stream
