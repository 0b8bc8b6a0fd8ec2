#include "connectors/kafka_writer.hpp"

#include "connectors/kafka_record_size.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::connectors {
namespace {

bool is_bytes(TypeKind kind) { return kind == TypeKind::kString || kind == TypeKind::kBytes; }

bool is_headers(const DataType& type) {
  if (type.kind() != TypeKind::kArray || !type.fields()[0].type.is(TypeKind::kStruct)) return false;
  const auto& fields = type.fields()[0].type.fields();
  return fields.size() == 2 && is_bytes(fields[0].type.kind()) && is_bytes(fields[1].type.kind());
}

Result<std::optional<std::size_t>> find_column(const Schema& schema, std::string_view name,
                                               bool (*accepts)(const DataType&),
                                               std::string_view wanted) {
  const auto index = schema.find(name);
  if (!index || accepts(schema.field(*index).type)) return index;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("a kafka sink's {} must be {}, not {}", name, wanted,
                          schema.field(*index).type.to_string()));
}

// Null and empty are not the same: the first has no address.
void set_bytes(rd_kafka_vu_t& field, rd_kafka_vtype_t kind, const Column& column, std::size_t row) {
  field.vtype = kind;
  if (column.is_null(row)) {
    field.u.mem = {nullptr, 0};
    return;
  }
  static char empty = 0;
  const auto bytes = column.text(row);
  field.u.mem = {bytes.empty() ? &empty : const_cast<char*>(bytes.data()), bytes.size()};
}

std::string shown_topic(const Column& topics, std::size_t row) {
  return topics.is_null(row) ? "null" : std::string(topics.text(row));
}

std::int64_t floor_to_ms(std::int64_t us) { return us >= 0 ? us / 1000 : (us - 999) / 1000; }

}  // namespace

Result<std::unique_ptr<KafkaWriter>> KafkaWriter::open(
    KafkaProducer& producer, const std::string& topic, const SchemaRef& schema,
    bool keeps_partitions, std::shared_ptr<operators::ResumeLedger> resume) {
  MILLRACE_ASSIGN(const auto columns, find_columns(*schema));
  std::unique_ptr<KafkaWriter> writer(
      new KafkaWriter(producer, columns, keeps_partitions, std::move(resume)));
  writer->sizes_.reserve(kBatchRowsMax);
  if (!topic.empty()) {
    MILLRACE_ASSIGN(writer->target_, writer->find_target(topic));
  } else if (!columns.topic) {
    return fail(ErrorCode::kInvalidArgument,
                "a kafka sink needs the option topic, or topic_column with a column's name");
  }
  return writer;
}

Status KafkaWriter::resume_as(const stream::WriterPlace& place) {
  if (!resume_) return SinkWriter::resume_as(place);
  resumed_.emplace(resume_, place);
  return {};
}

Result<KafkaWriter::Target> KafkaWriter::find_target(const std::string& topic) {
  MILLRACE_ASSIGN(KafkaTarget* const found, producer_.target(topic));
  return Target{found, found->partitions(), keeps_partitions_ ? found->partitions() : 0};
}

Result<KafkaWriter::Columns> KafkaWriter::find_columns(const Schema& schema) {
  constexpr auto bytes = [](const DataType& type) { return is_bytes(type.kind()); };
  constexpr auto time = [](const DataType& type) { return type.kind() == TypeKind::kTimestamp; };
  constexpr auto text = [](const DataType& type) { return type.kind() == TypeKind::kString; };
  constexpr auto number = [](const DataType& type) { return type.kind() == TypeKind::kInt32; };
  Columns columns;
  MILLRACE_ASSIGN(const auto value, find_column(schema, "value", bytes, "string or bytes"));
  if (!value) {
    return fail(ErrorCode::kInvalidArgument,
                "a kafka sink needs a column value, not only " + schema.to_string());
  }
  columns.value = *value;
  MILLRACE_ASSIGN(columns.key, find_column(schema, "key", bytes, "string or bytes"));
  MILLRACE_ASSIGN(columns.headers, find_column(schema, "headers", is_headers,
                                               "array<struct<key string, value bytes>>"));
  MILLRACE_ASSIGN(columns.timestamp, find_column(schema, "timestamp", time, "timestamp"));
  MILLRACE_ASSIGN(columns.topic, find_column(schema, "topic", text, "string"));
  MILLRACE_ASSIGN(columns.partition, find_column(schema, "partition", number, "int"));
  return columns;
}

Status KafkaWriter::write(const Batch& rows, Epoch epoch) {
  const auto count = rows.rows();
  if (resumed_) MILLRACE_TRY(resumed_->check(rows));
  std::int64_t bytes_left = measure(rows);
  MILLRACE_ASSIGN(const auto slot,
                  producer_.reserve(epoch, static_cast<std::int64_t>(count), bytes_left));
  void* const word = KafkaProducer::pack(producer_.clock().steady(), slot);
  for (std::size_t row = 0; row < count; ++row) {
    bytes_left -= sizes_[row].reserved;
    auto outcome = write_row(rows, row, word, slot);
    if (!outcome) [[unlikely]] {
      producer_.give_back(slot, static_cast<std::int64_t>(count - row - 1), bytes_left);
      return outcome;
    }
  }
  if (resumed_) resumed_->note_passed();
  return {};
}

// Takes the size of every record, once; gives what is to be reserved for all of them.
std::int64_t KafkaWriter::measure(const Batch& rows) {
  sizes_.resize(rows.rows());
  std::int64_t bytes = 0;
  for (std::size_t row = 0; row < sizes_.size(); ++row) {
    sizes_[row] = size_of(rows, row);
    bytes += sizes_[row].reserved;
  }
  return bytes;
}

Status KafkaWriter::write_row(const Batch& rows, std::size_t row, void* word,
                              EpochLedger::Slot slot) {
  if (resumed_) resumed_->next(rows.positions()[row]);
  const auto target = target_of(rows, row);
  if (!target) [[unlikely]]
    return refuse(rows, row, target.error(), shown_topic(rows.column(*columns_.topic), row), slot);
  const Size& size = sizes_[row];
  const auto refuse_as = [&](const Refusal& refusal) {
    return refuse(rows, row, refusal, (*target)->topic->name(), slot);
  };
  if (size.has_nameless_header) [[unlikely]]
    return refuse_as(unwritable("the record made from it has a header whose key is null"));
  const auto partition = partition_of(rows, row, **target);
  if (!partition) [[unlikely]]
    return refuse_as(partition.error());
  if (resumed_ && resumed_->is_written(*partition)) [[unlikely]] {
    producer_.withdraw(slot, size.reserved);
    return {};
  }
  const KafkaProducer::Care care = producer_.care_for(*(*target)->topic, size.in_batch);
  if (care == KafkaProducer::Care::kTooLarge || size.payload > producer_.payload_bytes_max())
      [[unlikely]]
    return refuse_as(oversized(oversize_of(size, **target)));
  return hand_over(rows, row, **target, *partition, word, slot);
}

KafkaWriter::Refusal KafkaWriter::unwritable(std::string reason) {
  return {stream::BadRecordReason::kUnwritable, {ErrorCode::kBadRecord, std::move(reason)}};
}

KafkaWriter::Refusal KafkaWriter::oversized(std::string reason) {
  return {stream::BadRecordReason::kOversized, {ErrorCode::kBadRecord, std::move(reason)}};
}

// With a kind, the row is somebody's to judge, and no loss when it is dealt with.
Status KafkaWriter::refuse(const Batch& rows, std::size_t row, const Refusal& refusal,
                           std::string_view topic, EpochLedger::Slot slot) {
  const std::int64_t bytes = sizes_[row].reserved;
  const bool is_judged = refusal.kind && on_unwritable_;
  const Status decided = is_judged ? on_unwritable_(rows, row, *refusal.kind, refusal.error.message)
                                   : fail(row_error(rows, row, topic, refusal.error.message));
  if (decided)
    producer_.withdraw(slot, bytes);
  else
    producer_.give_back(slot, 1, bytes);
  return decided;
}

Status KafkaWriter::hand_over(const Batch& rows, std::size_t row, Target& target,
                              std::int32_t partition, void* word, EpochLedger::Slot slot) {
  const Size& size = sizes_[row];
  KafkaTarget& topic = *target.topic;
  const KafkaProducer::Care care = producer_.care_for(topic, size.in_batch);
  const bool takes_care = care != KafkaProducer::Care::kNone;
  std::array<rd_kafka_vu_t, 8> fields;
  std::size_t count = 0;
  const auto next = [&](rd_kafka_vtype_t kind) -> rd_kafka_vu_t& {
    fields[count].vtype = kind;
    return fields[count++];
  };
  next(RD_KAFKA_VTYPE_RKT).u.rkt = topic.handle();
  next(RD_KAFKA_VTYPE_MSGFLAGS).u.i = RD_KAFKA_MSG_F_COPY;
  next(RD_KAFKA_VTYPE_OPAQUE).u.ptr = takes_care ? KafkaProducer::with_care(word, care) : word;
  next(RD_KAFKA_VTYPE_PARTITION).u.i32 = partition;
  set_bytes(next(RD_KAFKA_VTYPE_VALUE), RD_KAFKA_VTYPE_VALUE, rows.column(columns_.value), row);
  if (columns_.key) {
    set_bytes(next(RD_KAFKA_VTYPE_KEY), RD_KAFKA_VTYPE_KEY, rows.column(*columns_.key), row);
  }
  if (columns_.timestamp) {
    next(RD_KAFKA_VTYPE_TIMESTAMP).u.i64 = timestamp_ms_of(rows, row);
  }
  rd_kafka_headers_t* const headers = headers_of(rows, row);
  if (headers != nullptr) next(RD_KAFKA_VTYPE_HEADERS).u.headers = headers;
  const KafkaHandOver record{fields.data(), count, headers, slot, size.reserved, size.in_batch};
  const Status outcome =
      takes_care ? producer_.produce_with_care(record, topic, care) : producer_.produce(record);
  if (outcome) [[likely]] {
    ++handed_over_;
    return {};
  }
  if (outcome.error().code != ErrorCode::kBadRecord)
    return fail(row_error(rows, row, topic.name(), outcome.error().message));
  // The broker has refused it, so that it is accounted for.
  const Refusal refusal = oversized(oversize_of(size, target));
  if (on_unwritable_) return on_unwritable_(rows, row, *refusal.kind, refusal.error.message);
  return fail(row_error(rows, row, topic.name(), refusal.error.message));
}

KafkaWriter::Size KafkaWriter::size_of(const Batch& rows, std::size_t row) const {
  const auto length = [](const Column& column, std::size_t at) {
    return column.is_null(at) ? std::int64_t{-1}
                              : static_cast<std::int64_t>(column.text(at).size());
  };
  const std::int64_t value = length(rows.column(columns_.value), row);
  const std::int64_t key = columns_.key ? length(rows.column(*columns_.key), row) : -1;
  Size size;
  size.reserved = std::max<std::int64_t>(0, key) + std::max<std::int64_t>(0, value);
  size.payload = size.reserved;
  ListEntry entries{};
  std::int64_t headers = 0;
  if (columns_.headers && !rows.column(*columns_.headers).is_null(row)) {
    const Column& column = rows.column(*columns_.headers);
    entries = column.value<ListEntry>(row);
    const Column& pairs = column.child(0);
    for (std::size_t i = entries.offset; i < entries.offset + entries.length; ++i) {
      size.has_nameless_header |= pairs.child(0).is_null(i);
      const std::int64_t name = std::max<std::int64_t>(0, length(pairs.child(0), i));
      const std::int64_t content = length(pairs.child(1), i);
      headers += kafka_field_size(name) + kafka_field_size(content);
      size.payload += name + std::max<std::int64_t>(0, content);
    }
  }
  if (resumed_) {
    constexpr auto kName = static_cast<std::int64_t>(formats::kRecordPositionHeader.size());
    constexpr auto kContent = static_cast<std::int64_t>(formats::kRecordPositionBytes);
    headers += kafka_field_size(kName) + kafka_field_size(kContent);
    size.payload += kName + kContent;
    ++entries.length;
  }
  size.in_batch = kafka_record_size(key, value, entries.length, headers);
  return size;
}

std::string KafkaWriter::oversize_of(const Size& size, const Target& target) const {
  const std::string topic = target.topic->name();
  const std::int64_t limit = target.topic->record_bytes_max();
  if (size.payload > producer_.payload_bytes_max())
    return fmt::format(
        "the record made from it has {} bytes, the client takes {} (kafka.message.max.bytes)",
        size.payload, producer_.payload_bytes_max());
  const std::string bytes = fmt::format("the record made from it has {} bytes{}", size.in_batch,
                                        producer_.compresses() ? " before it is compressed" : "");
  if (limit == KafkaTarget::kUnknown)
    return fmt::format(
        "{}, and the broker refuses it as too large for topic {} (max.message.bytes)", bytes,
        topic);
  return fmt::format("{}, topic {} takes {} (max.message.bytes){}", bytes, topic, limit,
                     producer_.compresses() ? ", and the broker refuses it compressed too" : "");
}

tl::expected<KafkaWriter::Target*, KafkaWriter::Refusal> KafkaWriter::target_of(const Batch& rows,
                                                                                std::size_t row) {
  if (target_.topic != nullptr) return &target_;
  const auto& column = rows.column(*columns_.topic);
  if (column.is_null(row))
    return tl::unexpected(unwritable("the topic of the record made from it is null"));
  const auto name = column.text(row);
  if (const auto known = targets_.find(name); known != targets_.end()) return &known->second;
  const auto found = find_target(std::string(name));
  if (found) return &targets_.emplace(name, *found).first->second;
  const bool is_of_record = found.error().code == ErrorCode::kNotFound ||
                            found.error().code == ErrorCode::kInvalidArgument;
  if (is_of_record)
    return tl::unexpected(
        unwritable("the record made from it goes nowhere: " + found.error().message));
  return tl::unexpected(Refusal{std::nullopt, found.error()});
}

tl::expected<std::int32_t, KafkaWriter::Refusal> KafkaWriter::partition_of(const Batch& rows,
                                                                           std::size_t row,
                                                                           Target& target) const {
  if (!columns_.partition) return default_partition_of(rows, row, target);
  const auto& column = rows.column(*columns_.partition);
  if (column.is_null(row)) return default_partition_of(rows, row, target);
  const auto partition = column.value<std::int32_t>(row);
  if (const auto checked = check_partition(partition, target); !checked)
    return tl::unexpected(checked.error());
  return partition;
}

// A partition that is not known may have come since: then the client learns of it too.
tl::expected<void, KafkaWriter::Refusal> KafkaWriter::check_partition(std::int32_t partition,
                                                                      Target& target) const {
  if (partition >= 0 && partition < target.partitions) [[likely]]
    return {};
  const std::string topic = target.topic->name();
  if (partition >= 0) {
    const auto count = producer_.partitions_now(topic);
    if (!count) return tl::unexpected(Refusal{std::nullopt, count.error()});
    target.partitions = *count;
    if (partition < target.partitions) return {};
  }
  return tl::unexpected(unwritable(
      fmt::format("the partition of the record made from it is {}, and topic {} has {} of them, "
                  "from 0 on",
                  partition, topic, target.partitions)));
}

std::int32_t KafkaWriter::default_partition_of(const Batch& rows, std::size_t row,
                                               const Target& target) const {
  if (resumed_) return resumed_partition_of(rows, row);
  if (target.keyless_partitions == 0 || rows.origin() == nullptr) return RD_KAFKA_PARTITION_UA;
  if (columns_.key && !rows.column(*columns_.key).is_null(row)) return RD_KAFKA_PARTITION_UA;
  return rows.origin()->partition % target.keyless_partitions;
}

// Never the client's choice: where a record goes must be the same when it is made again.
std::int32_t KafkaWriter::resumed_partition_of(const Batch& rows, std::size_t row) const {
  const std::int32_t count = resumed_->partitions();
  if (!columns_.key || rows.column(*columns_.key).is_null(row))
    return rows.origin()->partition % count;
  const std::string_view key = rows.column(*columns_.key).text(row);
  return rd_kafka_msg_partitioner_murmur2(nullptr, key.data(), key.size(), count, nullptr, nullptr);
}

// The client takes 0 for "now", so that very millisecond of 1970 cannot be written; null is now
// too.
std::int64_t KafkaWriter::timestamp_ms_of(const Batch& rows, std::size_t row) const {
  const auto& column = rows.column(*columns_.timestamp);
  return column.is_null(row) ? 0 : floor_to_ms(column.value<std::int64_t>(row));
}

rd_kafka_headers_t* KafkaWriter::headers_of(const Batch& rows, std::size_t row) {
  ListEntry entries{};
  if (columns_.headers && !rows.column(*columns_.headers).is_null(row))
    entries = rows.column(*columns_.headers).value<ListEntry>(row);
  if (entries.length == 0 && !resumed_) return nullptr;
  rd_kafka_headers_t* headers = rd_kafka_headers_new(entries.length + (resumed_ ? 1 : 0));
  if (entries.length > 0) add_headers(headers, rows.column(*columns_.headers), entries);
  if (resumed_) {
    const formats::RecordPositionBytes& position = resumed_->header();
    rd_kafka_header_add(headers, formats::kRecordPositionHeader.data(),
                        formats::kRecordPositionHeader.size(), position.data(), position.size());
  }
  return headers;
}

void KafkaWriter::add_headers(rd_kafka_headers_t* headers, const Column& column,
                              ListEntry entries) {
  const auto& names = column.child(0).child(0);
  const auto& values = column.child(0).child(1);
  for (std::size_t i = entries.offset; i < entries.offset + entries.length; ++i) {
    const auto name = names.text(i);
    // It says where a record stands in the topic that it was read from, and means nothing here.
    if (name == formats::kRecordPositionHeader) [[unlikely]]
      continue;
    const auto value = values.is_null(i) ? std::string_view() : values.text(i);
    const char* data = values.is_null(i) ? nullptr : value.empty() ? "" : value.data();
    rd_kafka_header_add(headers, name.empty() ? "" : name.data(), static_cast<ssize_t>(name.size()),
                        data, static_cast<ssize_t>(value.size()));
  }
}

Error KafkaWriter::row_error(const Batch& rows, std::size_t row, std::string_view topic,
                             std::string_view reason) const {
  const auto& value = rows.column(columns_.value);
  const auto size = value.is_null(row) ? 0 : value.text(row).size();
  std::string from;
  if (rows.origin() != nullptr && row < rows.positions().size()) {
    from = fmt::format(", made from {}, offset {}", rows.origin()->label, rows.positions()[row]);
  }
  return {ErrorCode::kBadRecord, fmt::format("topic {}: a record (value of {} bytes{}) cannot be "
                                             "written: {}",
                                             topic, size, from, reason)};
}

}  // namespace millrace::connectors
