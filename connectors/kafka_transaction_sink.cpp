#include "connectors/kafka_transaction_sink.hpp"

#include "connectors/kafka_writer.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace millrace::connectors {
namespace {

constexpr std::size_t kProducers = KafkaTransactions::kProducers;

// Rows that a sink's writers have handed over, by epoch; they count as acknowledged together.
class RowLedger {
 public:
  void add(Epoch epoch, std::int64_t rows) { place_of(epoch).fetch_add(rows); }
  void settle(Epoch epoch) { acknowledged_.fetch_add(place_of(epoch).exchange(0)); }
  [[nodiscard]] std::int64_t acknowledged() const { return acknowledged_.load(); }
  [[nodiscard]] std::int64_t in_flight() const {
    std::int64_t rows = 0;
    for (const auto& place : places_) rows += place.load();
    return rows;
  }

 private:
  std::atomic<std::int64_t>& place_of(Epoch epoch) {
    return places_[static_cast<std::size_t>(epoch.value) % kProducers];
  }

  std::array<std::atomic<std::int64_t>, kProducers> places_{};
  std::atomic<std::int64_t> acknowledged_{0};
};

class TransactionWriter final : public stream::SinkWriter {
 public:
  using Writers = std::array<std::unique_ptr<KafkaWriter>, kProducers>;

  TransactionWriter(std::shared_ptr<KafkaTransactions> transactions, RowLedger& rows,
                    Writers writers)
      : transactions_(std::move(transactions)), rows_(rows), writers_(std::move(writers)) {}

  void begin_epoch(Epoch epoch) override { epoch_ = epoch; }
  [[nodiscard]] bool is_ready() override {
    return transactions_->may_write(epoch_) && writer_of(epoch_).is_ready();
  }
  [[nodiscard]] Status write(const Batch& rows, Epoch epoch) override {
    transactions_->note_written(epoch);
    KafkaWriter& writer = writer_of(epoch);
    const std::int64_t before = writer.handed_over();
    Status written = writer.write(rows, epoch);
    rows_.add(epoch, writer.handed_over() - before);
    return written;
  }
  void on_unwritable(stream::OnUnwritable decide) override {
    for (const auto& writer : writers_) writer->on_unwritable(decide);
  }

 private:
  KafkaWriter& writer_of(Epoch epoch) {
    return *writers_[static_cast<std::size_t>(epoch.value) % kProducers];
  }

  const std::shared_ptr<KafkaTransactions> transactions_;
  RowLedger& rows_;
  const Writers writers_;
  Epoch epoch_;
};

class TransactionSink final : public stream::Sink {
 public:
  TransactionSink(KafkaTransactionSinkSpec spec, std::shared_ptr<KafkaTransactions> transactions)
      : spec_(std::move(spec)),
        transactions_(std::move(transactions)),
        number_(transactions_->add_sink({spec_.topic, spec_.partitions_made})) {}
  ~TransactionSink() override { close(); }

  void set_events(stream::SinkEvents events) override {
    events.on_flushed = [this, on_flushed = std::move(events.on_flushed)](Epoch epoch) {
      rows_.settle(epoch);
      if (on_flushed) on_flushed(epoch);
    };
    transactions_->set_events(number_, std::move(events));
  }
  Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override {
    TransactionWriter::Writers writers;
    for (std::size_t number = 0; number < kProducers; ++number) {
      MILLRACE_ASSIGN(writers[number],
                      KafkaWriter::open(transactions_->producer(number), spec_.topic, schema,
                                        spec_.keeps_partitions));
    }
    return std::make_unique<TransactionWriter>(transactions_, rows_, std::move(writers));
  }
  Status prime() override { return transactions_->prime(); }
  stream::Decider* decider() override { return transactions_.get(); }
  void seal(Epoch epoch) override { transactions_->seal(epoch); }
  std::int64_t in_flight() const override { return rows_.in_flight(); }
  std::int64_t acknowledged() const override { return rows_.acknowledged(); }
  stream::LatencySnapshot acknowledge_latency() const override {
    return transactions_->acknowledge_latency();
  }
  void close() override {
    if (!std::exchange(is_closed_, true)) transactions_->close();
  }

 private:
  const KafkaTransactionSinkSpec spec_;
  const std::shared_ptr<KafkaTransactions> transactions_;
  const std::size_t number_;
  RowLedger rows_;
  bool is_closed_ = false;
};

}  // namespace

Result<std::unique_ptr<stream::Sink>> make_kafka_transaction_sink(KafkaTransactionSinkSpec spec,
                                                                  KafkaTransactionSpec shared,
                                                                  const ConnectorContext& context) {
  std::shared_ptr<KafkaTransactions>& transactions = context.shared->transactions;
  if (transactions) {
    MILLRACE_TRY(transactions->check_agrees(spec.name, shared));
  } else {
    transactions = std::make_shared<KafkaTransactions>(spec.name, std::move(shared), context);
  }
  return std::make_unique<TransactionSink>(std::move(spec), transactions);
}

}  // namespace millrace::connectors
