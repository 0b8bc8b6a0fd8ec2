#pragma once

#include "connectors/kafka_probe.hpp"
#include "connectors/kafka_sink.hpp"
#include "connectors/kafka_source.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::support {

/// Options of a kafka table for tests: bootstrap servers and topic, then what is added.
stream::TableDefinition kafka_table(const std::string& bootstrap_servers, const std::string& topic,
                                    const Options& more = {});

/// Lets a test wait, bounded, for what another thread announces. No sleeping.
class Signal {
 public:
  void raise();
  /// False when nothing was raised since the last wait within ten seconds.
  bool wait();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_raised_ = false;
};

/// Reads a Kafka source as its task would: polls, and waits for the wake when idle.
class KafkaTap {
 public:
  /// Every column of a record.
  explicit KafkaTap(stream::Source& source, const stream::SourcePartition& partition,
                    std::int64_t position);

  /// Reads until there are `count` records (or ten seconds went by without one).
  std::vector<connectors::KafkaProbeRecord> read(std::size_t count,
                                                 std::size_t rows_max = kBatchRowsMax);
  /// Reads to the limit; the records, and reader().position() is the limit.
  std::vector<connectors::KafkaProbeRecord> read_to(std::int64_t limit);
  /// Polls, and waits for wakes in between, until this is so (or ten seconds went by without one).
  /// Records are not expected.
  void poll_until(const std::function<bool()>& is_enough);
  stream::SourceReader& reader() { return *reader_; }
  /// The error that ended the reading, or an empty text.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  bool step(std::vector<connectors::KafkaProbeRecord>& records, std::size_t rows_max,
            std::int64_t limit);

  std::unique_ptr<stream::SourceReader> reader_;
  std::unique_ptr<BatchPool> pool_;
  Signal signal_;
  std::string error_;
};

/// A batch with the record columns that a sink knows: value, key, headers, timestamp, partition.
class KafkaRows {
 public:
  KafkaRows();
  [[nodiscard]] const SchemaRef& schema() const { return pool_.schema(); }
  [[nodiscard]] Batch batch(const std::vector<connectors::KafkaProbeRecord>& records);

 private:
  BatchPool pool_;
};

}  // namespace millrace::support
