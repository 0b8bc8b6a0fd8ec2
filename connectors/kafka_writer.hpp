#pragma once

#include "connectors/kafka_producer.hpp"
#include "operators/resume_ledger.hpp"
#include "stream/sink.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::connectors {

/// One task's way into a Kafka sink: turns the rows of a batch into produced records, in order.
/// Reads the columns value, key, headers, timestamp, topic and partition of its schema; nothing
/// inside a value steers a record. Owned and called by its task's thread. Blocks only at the first
/// record for a topic, at one for a partition that is new (see KafkaProducer::target), and at one
/// whose size needs care (see KafkaProducer::produce_with_care).
class KafkaWriter final : public stream::SinkWriter {
 public:
  /// `topic` is where records go, or empty when the schema has a topic column. The producer has
  /// been primed and outlives the writer. `keeps_partitions`: a record without key and partition
  /// goes to the partition of its source's number (modulo), so that where it goes never depends on
  /// chance and a source partition stays in order; else the client's partitioner decides. `resume`
  /// is that of a sink that writes exactly once by resuming, or null.
  [[nodiscard]] static Result<std::unique_ptr<KafkaWriter>> open(
      KafkaProducer& producer, const std::string& topic, const SchemaRef& schema,
      bool keeps_partitions, std::shared_ptr<operators::ResumeLedger> resume = nullptr);

  [[nodiscard]] bool is_ready() override { return producer_.is_ready(); }
  [[nodiscard]] Status write(const Batch& rows, Epoch epoch) override;
  void on_unwritable(stream::OnUnwritable decide) override { on_unwritable_ = std::move(decide); }
  [[nodiscard]] Status resume_as(const stream::WriterPlace& place) override;
  /// Records that went to the client so far.
  [[nodiscard]] std::int64_t handed_over() const { return handed_over_; }

 private:
  struct Columns {
    std::size_t value = 0;
    std::optional<std::size_t> key;
    std::optional<std::size_t> headers;
    std::optional<std::size_t> timestamp;
    std::optional<std::size_t> topic;
    std::optional<std::size_t> partition;
  };

  // A topic and how many partitions records without a key are spread over: as many as it had at
  // first, so that where they go does not change while the query runs. 0: the client chooses.
  struct Target {
    KafkaTarget* topic = nullptr;
    std::int32_t partitions = 0;  ///< 0: not known
    std::int32_t keyless_partitions = 0;
  };
  /// How large a record is.
  struct Size {
    std::int64_t reserved = 0;  ///< key and value, as the producer's bound counts
    std::int64_t payload = 0;   ///< key, value and headers, as the client counts
    std::int64_t in_batch = 0;  ///< alone in a batch, as the broker counts
    bool has_nameless_header = false;
  };
  /// Why a record is not written: what is the matter with it, or with us.
  struct Refusal {
    std::optional<stream::BadRecordReason> kind;  ///< none: the query cannot go on
    Error error;                                  ///< its message, without place
  };
  static Refusal unwritable(std::string reason);
  static Refusal oversized(std::string reason);

  KafkaWriter(KafkaProducer& producer, Columns columns, bool keeps_partitions,
              std::shared_ptr<operators::ResumeLedger> resume)
      : producer_(producer),
        columns_(columns),
        keeps_partitions_(keeps_partitions),
        resume_(std::move(resume)) {}

  static Result<Columns> find_columns(const Schema& schema);
  std::int64_t measure(const Batch& rows);
  Status write_row(const Batch& rows, std::size_t row, void* word, EpochLedger::Slot slot);
  Status refuse(const Batch& rows, std::size_t row, const Refusal& refusal, std::string_view topic,
                EpochLedger::Slot slot);
  [[nodiscard]] Status hand_over(const Batch& rows, std::size_t row, Target& target,
                                 std::int32_t partition, void* word, EpochLedger::Slot slot);
  [[nodiscard]] Size size_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] std::string oversize_of(const Size& size, const Target& target) const;
  Result<Target> find_target(const std::string& topic);
  tl::expected<Target*, Refusal> target_of(const Batch& rows, std::size_t row);
  tl::expected<std::int32_t, Refusal> partition_of(const Batch& rows, std::size_t row,
                                                   Target& target) const;
  tl::expected<void, Refusal> check_partition(std::int32_t partition, Target& target) const;
  [[nodiscard]] std::int32_t default_partition_of(const Batch& rows, std::size_t row,
                                                  const Target& target) const;
  [[nodiscard]] std::int64_t timestamp_ms_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] std::int32_t resumed_partition_of(const Batch& rows, std::size_t row) const;
  [[nodiscard]] rd_kafka_headers_t* headers_of(const Batch& rows, std::size_t row);
  static void add_headers(rd_kafka_headers_t* headers, const Column& column, ListEntry entries);
  [[nodiscard]] Error row_error(const Batch& rows, std::size_t row, std::string_view topic,
                                std::string_view reason) const;

  KafkaProducer& producer_;
  const Columns columns_;
  const bool keeps_partitions_;
  const std::shared_ptr<operators::ResumeLedger> resume_;  ///< null: delivers at least once
  std::optional<operators::ResumedWriter> resumed_;
  std::vector<Size> sizes_;  ///< of the batch that is being written
  Target target_;            ///< without a handle: each row names its topic
  std::map<std::string, Target, std::less<>> targets_;
  stream::OnUnwritable on_unwritable_;  ///< may be empty
  std::int64_t handed_over_ = 0;
};

}  // namespace millrace::connectors
