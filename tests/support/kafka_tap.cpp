#include "tests/support/kafka_tap.hpp"

#include "connectors/kafka_record.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace millrace::support {

using connectors::KafkaProbeRecord;
using stream::PollOutcome;

namespace {

std::optional<std::string> bytes_at(const Column& column, std::size_t row) {
  if (column.is_null(row)) return std::nullopt;
  return std::string(column.text(row));
}

KafkaProbeRecord record_at(const Batch& batch, std::size_t row) {
  KafkaProbeRecord record;
  record.key = bytes_at(batch.column(0), row);
  record.value = bytes_at(batch.column(1), row);
  record.partition = batch.column(3).value<std::int32_t>(row);
  record.offset = batch.column(4).value<std::int64_t>(row);
  record.timestamp_ms = batch.column(5).value<std::int64_t>(row) / 1000;
  const auto entries = batch.column(7).value<ListEntry>(row);
  const auto& headers = batch.column(7).child(0);
  for (std::size_t i = entries.offset; i < entries.offset + entries.length; ++i) {
    record.headers.emplace_back(headers.child(0).text(i), bytes_at(headers.child(1), i));
  }
  EXPECT_EQ(batch.positions()[row], record.offset);
  return record;
}

void append_bytes(Column& column, Arena& arena, const std::optional<std::string>& text) {
  if (text) {
    column.append(arena.store(*text));
  } else {
    column.append_null();
  }
}

}  // namespace

stream::TableDefinition kafka_table(const std::string& bootstrap_servers, const std::string& topic,
                                    const Options& more) {
  stream::TableDefinition table;
  table.name = topic;
  table.connector = "kafka";
  table.options.set("bootstrap_servers", bootstrap_servers);
  table.options.set("topic", topic);
  for (const auto& entry : more.entries()) table.options.set(entry.key, entry.value);
  return table;
}

void Signal::raise() {
  const std::lock_guard lock(mutex_);
  is_raised_ = true;
  changed_.notify_all();
}

bool Signal::wait() {
  std::unique_lock lock(mutex_);
  const bool was_raised =
      changed_.wait_for(lock, std::chrono::seconds(10), [this] { return is_raised_; });
  is_raised_ = false;
  return was_raised;
}

KafkaTap::KafkaTap(stream::Source& source, const stream::SourcePartition& partition,
                   std::int64_t position) {
  std::vector<std::string> columns;
  for (const auto& field : connectors::kafka_record_fields()) columns.push_back(field.name);
  auto reader = source.open_reader(partition, position, columns);
  EXPECT_TRUE(reader.has_value()) << reader.error().message;
  reader_ = std::move(*reader);
  pool_ = std::make_unique<BatchPool>(reader_->schema());
  reader_->on_wake([this] { signal_.raise(); });
}

bool KafkaTap::step(std::vector<KafkaProbeRecord>& records, std::size_t rows_max,
                    std::int64_t limit) {
  Batch batch = pool_->take();
  const auto outcome = reader_->poll(batch, rows_max, limit);
  if (!outcome) {
    error_ = outcome.error().message;
    return false;
  }
  if (*outcome == PollOutcome::kLimit) return false;
  if (*outcome == PollOutcome::kIdle) return signal_.wait();
  if (*outcome == PollOutcome::kRestarted) return true;
  EXPECT_GT(batch.rows(), 0U);
  EXPECT_LE(batch.rows(), rows_max);
  for (std::size_t row = 0; row < batch.rows(); ++row) records.push_back(record_at(batch, row));
  EXPECT_GE(reader_->position(), records.back().offset + 1);
  return true;
}

std::vector<KafkaProbeRecord> KafkaTap::read(std::size_t count, std::size_t rows_max) {
  std::vector<KafkaProbeRecord> records;
  while (records.size() < count && step(records, rows_max, stream::kNoLimit)) {
  }
  return records;
}

std::vector<KafkaProbeRecord> KafkaTap::read_to(std::int64_t limit) {
  std::vector<KafkaProbeRecord> records;
  while (step(records, kBatchRowsMax, limit)) {
  }
  return records;
}

void KafkaTap::poll_until(const std::function<bool()>& is_enough) {
  std::vector<KafkaProbeRecord> records;
  while (!is_enough() && step(records, kBatchRowsMax, stream::kNoLimit)) {
  }
  EXPECT_TRUE(records.empty());
}

KafkaRows::KafkaRows()
    : pool_(make_schema({{"value", TypeKind::kBytes},
                         {"key", TypeKind::kBytes},
                         {"headers", connectors::kafka_headers_type()},
                         {"timestamp", TypeKind::kTimestamp},
                         {"partition", TypeKind::kInt32}})) {}

Batch KafkaRows::batch(const std::vector<KafkaProbeRecord>& records) {
  Batch batch = pool_.take();
  for (const auto& record : records) {
    append_bytes(batch.column(0), batch.arena(), record.value);
    append_bytes(batch.column(1), batch.arena(), record.key);
    auto& entries = batch.column(2).child(0);
    const auto offset = static_cast<std::uint32_t>(entries.child(0).size());
    for (const auto& [name, value] : record.headers) {
      entries.child(0).append(batch.arena().store(name));
      append_bytes(entries.child(1), batch.arena(), value);
    }
    batch.column(2).append(ListEntry{offset, static_cast<std::uint32_t>(record.headers.size())});
    if (record.timestamp_ms == 0) {
      batch.column(3).append_null();
    } else {
      batch.column(3).append(record.timestamp_ms * 1000);
    }
    if (record.partition < 0) {
      batch.column(4).append_null();
    } else {
      batch.column(4).append(record.partition);
    }
  }
  batch.set_rows(records.size());
  return batch;
}

}  // namespace millrace::support
