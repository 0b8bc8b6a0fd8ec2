#include "connectors/kafka_message_columns.hpp"

#include <cstring>
#include <string_view>

namespace millrace::connectors {
namespace {

using Messages = std::span<rd_kafka_message_t* const>;

struct Bytes {
  const void* data;  ///< null: the field is null, which is not the same as empty
  std::size_t size;
};

Bytes key_of(const rd_kafka_message_t& message) { return {message.key, message.key_len}; }
Bytes value_of(const rd_kafka_message_t& message) { return {message.payload, message.len}; }

// One allocation for the whole column, so that neighbouring rows are neighbours in memory.
template <typename Member>
void fill_bytes(Messages messages, Member member, Column& column, Arena& arena) {
  std::size_t size = 0;
  for (const auto* message : messages) size += member(*message).size;
  char* to = arena.allocate(size);
  const auto views = column.values<std::string_view>();
  for (std::size_t row = 0; row < messages.size(); ++row) {
    const Bytes bytes = member(*messages[row]);
    views[row] = {to, bytes.size};
    if (bytes.data == nullptr) {
      column.set_null(row);
    } else if (bytes.size > 0) {
      std::memcpy(to, bytes.data, bytes.size);
    }
    to += bytes.size;
  }
}

void fill_topic(Messages messages, Column& column, Arena& arena) {
  const auto topic = arena.store(rd_kafka_topic_name(messages.front()->rkt));
  for (auto& view : column.values<std::string_view>()) view = topic;
}

void fill_timestamps(Messages messages, Column& column) {
  const auto values = column.values<std::int64_t>();
  for (std::size_t row = 0; row < messages.size(); ++row) {
    rd_kafka_timestamp_type_t type{};
    const auto ms = rd_kafka_message_timestamp(messages[row], &type);
    values[row] = ms * 1000;
    if (type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE) column.set_null(row);
  }
}

void fill_timestamp_types(Messages messages, Column& column) {
  const auto values = column.values<std::int32_t>();
  for (std::size_t row = 0; row < messages.size(); ++row) {
    rd_kafka_timestamp_type_t type{};
    rd_kafka_message_timestamp(messages[row], &type);
    values[row] = static_cast<std::int32_t>(type) - 1;
  }
}

std::size_t header_count(const rd_kafka_message_t& message) {
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return 0;
  return rd_kafka_header_cnt(headers);
}

void fill_header(const rd_kafka_message_t& message, std::size_t index, std::size_t row,
                 Column& entries, Arena& arena) {
  rd_kafka_headers_t* headers = nullptr;
  rd_kafka_message_headers(&message, &headers);
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  rd_kafka_header_get_all(headers, index, &name, &value, &size);
  entries.child(0).values<std::string_view>()[row] = arena.store(name);
  auto& values = entries.child(1);
  values.values<std::string_view>()[row] =
      value == nullptr ? std::string_view() : arena.store({static_cast<const char*>(value), size});
  if (value == nullptr) values.set_null(row);
}

// A record without headers has an empty array, not a null one.
void fill_headers(Messages messages, Column& column, Arena& arena) {
  const auto lists = column.values<ListEntry>();
  std::uint32_t total = 0;
  for (std::size_t row = 0; row < messages.size(); ++row) {
    const auto count = static_cast<std::uint32_t>(header_count(*messages[row]));
    lists[row] = {total, count};
    total += count;
  }
  auto& entries = column.child(0);
  entries.resize(total);
  for (std::size_t row = 0; row < messages.size(); ++row) {
    for (std::uint32_t i = 0; i < lists[row].length; ++i) {
      fill_header(*messages[row], i, lists[row].offset + i, entries, arena);
    }
  }
}

void fill_column(KafkaColumn kind, Messages messages, Column& column, Arena& arena) {
  switch (kind) {
    case KafkaColumn::kKey:
      return fill_bytes(messages, key_of, column, arena);
    case KafkaColumn::kValue:
      return fill_bytes(messages, value_of, column, arena);
    case KafkaColumn::kTopic:
      return fill_topic(messages, column, arena);
    case KafkaColumn::kPartition:
      for (auto& value : column.values<std::int32_t>()) value = messages.front()->partition;
      return;
    case KafkaColumn::kOffset: {
      const auto values = column.values<std::int64_t>();
      for (std::size_t row = 0; row < messages.size(); ++row) values[row] = messages[row]->offset;
      return;
    }
    case KafkaColumn::kTimestamp:
      return fill_timestamps(messages, column);
    case KafkaColumn::kTimestampType:
      return fill_timestamp_types(messages, column);
    case KafkaColumn::kHeaders:
      return fill_headers(messages, column, arena);
  }
}

}  // namespace

void KafkaMessageColumns::fill(Messages messages, Batch& out) const {
  out.resize(messages.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    fill_column(columns_[i], messages, out.column(i), out.arena());
  }
  const auto positions = out.positions();
  for (std::size_t row = 0; row < messages.size(); ++row) positions[row] = messages[row]->offset;
}

}  // namespace millrace::connectors
