#include "tests/support/simulated_broker.hpp"

#include "millrace/assert.hpp"

#include "operators/resume_ledger.hpp"
#include "tests/support/simulated_transactions.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace millrace::support {

DataType simulated_column_type(const std::string& name) {
  if (name == "key" || name == "value") return TypeKind::kBytes;
  if (name == "topic") return TypeKind::kString;
  if (name == "partition") return TypeKind::kInt32;
  if (name == "offset") return TypeKind::kInt64;
  MILLRACE_ASSERT(name == "timestamp");
  return TypeKind::kTimestamp;
}

class SimulatedReader final : public stream::SourceReader {
 public:
  SimulatedReader(SimulatedBroker& broker, stream::SourcePartition partition, std::int64_t position,
                  const std::vector<std::string>& columns)
      : broker_(broker),
        partition_(std::move(partition)),
        columns_(columns),
        position_(position),
        origin_{partition_.topic,
                "topic " + partition_.topic + ", partition " + std::to_string(partition_.number),
                partition_.number} {
    std::vector<Field> fields;
    for (const std::string& name : columns) fields.push_back({name, simulated_column_type(name)});
    schema_ = make_schema(std::move(fields));
    const std::lock_guard lock(broker_.mutex_);
    broker_.readers_.push_back(this);
    history_ = broker_.histories_[partition_.topic];
  }
  ~SimulatedReader() override {
    const std::lock_guard lock(broker_.mutex_);
    std::erase(broker_.readers_, this);
  }

  [[nodiscard]] const SchemaRef& schema() const override { return schema_; }
  [[nodiscard]] std::int64_t position() const override { return position_; }
  void on_wake(std::function<void()> wake) override { wake_ = std::move(wake); }
  [[nodiscard]] Result<bool> has_rows() override {
    const std::lock_guard lock(broker_.mutex_);
    return !is_stalled() &&
           position_ <
               static_cast<std::int64_t>(broker_.log(partition_.topic, partition_.number).size());
  }
  // Where it stands: at every restart the checkpoint must hold what belongs to its position.
  [[nodiscard]] std::string memo() const override { return "at " + std::to_string(position_); }
  [[nodiscard]] Status recall(std::string_view memo) override {
    ++broker_.recalls_;
    if (memo == this->memo() || history_ > 0) return {};
    return fail(ErrorCode::kInternal, "a reader at " + std::to_string(position_) +
                                          " is given the memo " + std::string(memo));
  }
  [[nodiscard]] Status begin_history(std::int64_t position) override {
    const std::lock_guard lock(broker_.mutex_);
    position_ = position;
    history_ = broker_.histories_[partition_.topic];
    return {};
  }
  [[nodiscard]] const stream::SourcePartition& partition() const { return partition_; }
  void wake() {
    if (wake_) wake_();
  }

  [[nodiscard]] Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) override {
    const std::lock_guard lock(broker_.mutex_);
    if (position_ >= limit) return stream::PollOutcome::kLimit;
    if (is_stalled()) return stream::PollOutcome::kIdle;
    const int history = broker_.histories_[partition_.topic];
    if (std::exchange(history_, history) != history && position_ > 0) {
      position_ = 0;
      return stream::PollOutcome::kRestarted;
    }
    const auto& log = broker_.log(partition_.topic, partition_.number);
    const auto end = std::min(limit, static_cast<std::int64_t>(log.size()));
    const auto rows =
        std::min(static_cast<std::size_t>(std::max<std::int64_t>(0, end - position_)), rows_max);
    if (rows == 0) return stream::PollOutcome::kIdle;
    out.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) fill(out, row, log[position_ + row]);
    out.set_origin(&origin_);
    position_ += static_cast<std::int64_t>(rows);
    return stream::PollOutcome::kRows;
  }

 private:
  void fill(Batch& out, std::size_t row, const SimulatedRecord& record) {
    const std::int64_t offset = position_ + static_cast<std::int64_t>(row);
    out.positions()[row] = offset;
    for (std::size_t number = 0; number < columns_.size(); ++number) {
      Column& column = out.column(number);
      const std::string& name = columns_[number];
      if (name == "key") put_bytes(out, column, row, record.key);
      if (name == "value") put_bytes(out, column, row, record.value);
      if (name == "topic") column.values<std::string_view>()[row] = partition_.topic;
      if (name == "partition") column.values<std::int32_t>()[row] = partition_.number;
      if (name == "offset") column.values<std::int64_t>()[row] = offset;
      if (name == "timestamp") column.values<std::int64_t>()[row] = record.timestamp_us;
    }
  }
  [[nodiscard]] bool is_stalled() const {
    return broker_.stalled_ && broker_.stalled_->first == partition_.topic &&
           broker_.stalled_->second == partition_.number;
  }
  static void put_bytes(Batch& out, Column& column, std::size_t row,
                        const std::optional<std::string>& bytes) {
    if (bytes)
      column.values<std::string_view>()[row] = out.arena().store(*bytes);
    else
      column.set_null(row);
  }

  SimulatedBroker& broker_;
  const stream::SourcePartition partition_;
  const std::vector<std::string> columns_;
  SchemaRef schema_;
  std::int64_t position_;
  int history_ = 0;
  std::function<void()> wake_;
  const Origin origin_;
};

class SimulatedSource final : public stream::Source {
 public:
  SimulatedSource(SimulatedBroker& broker, std::string topic, bool begins_at_latest)
      : broker_(broker), topic_(std::move(topic)), begins_at_latest_(begins_at_latest) {}

  [[nodiscard]] Result<std::vector<stream::SourcePartition>> partitions() override {
    std::vector<stream::SourcePartition> found;
    for (std::int32_t number = 0; number < broker_.partition_count(topic_); ++number)
      found.push_back({topic_ + "-" + std::to_string(number), topic_, number});
    return found;
  }
  [[nodiscard]] Result<stream::Positions> start_positions() override {
    return begins_at_latest_ ? end_positions() : earliest_positions();
  }
  [[nodiscard]] Result<stream::Positions> earliest_positions() override {
    stream::Positions positions;
    for (std::int32_t number = 0; number < broker_.partition_count(topic_); ++number)
      positions[topic_ + "-" + std::to_string(number)] = 0;
    return positions;
  }
  [[nodiscard]] Result<stream::Positions> end_positions() override {
    stream::Positions positions;
    for (std::int32_t number = 0; number < broker_.partition_count(topic_); ++number)
      positions[topic_ + "-" + std::to_string(number)] =
          static_cast<std::int64_t>(broker_.log(topic_, number).size());
    return positions;
  }
  [[nodiscard]] Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override {
    return std::make_unique<SimulatedReader>(broker_, partition, position, columns);
  }
  [[nodiscard]] bool is_replayable() const override { return true; }
  [[nodiscard]] Status prime() override { return {}; }
  void close() override {}
  [[nodiscard]] stream::LatencySnapshot fetch_latency() const override { return {}; }

 private:
  SimulatedBroker& broker_;
  const std::string topic_;
  const bool begins_at_latest_;
};

class SimulatedSink final : public stream::Sink {
 public:
  SimulatedSink(SimulatedBroker& broker, std::string topic,
                std::shared_ptr<SimulatedTransactions> transactions = nullptr)
      : broker_(broker), topic_(std::move(topic)), transactions_(std::move(transactions)) {
    if (transactions_) transactions_->add_sink();
  }
  ~SimulatedSink() override { close(); }

  void set_events(stream::SinkEvents events) override {
    events_ = std::move(events);
    if (transactions_) transactions_->on_room(events_.on_room);
  }
  [[nodiscard]] Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override;
  [[nodiscard]] stream::Decider* decider() override { return transactions_.get(); }
  [[nodiscard]] bool may_write(Epoch epoch) const {
    return !transactions_ || transactions_->may_write(epoch);
  }
  [[nodiscard]] Status prime() override { return {}; }
  [[nodiscard]] Result<stream::Resumption> resume(const stream::ResumePoint& point) override;
  [[nodiscard]] stream::OutputEnds acknowledged_ends() const override;
  [[nodiscard]] Result<stream::OutputEnds> output_ends() override {
    const std::lock_guard lock(broker_.mutex_);
    stream::OutputEnds ends;
    for (std::int32_t number = 0; number < broker_.partition_count(topic_); ++number)
      ends[topic_][number] = static_cast<std::int64_t>(broker_.log(topic_, number).size());
    return ends;
  }
  [[nodiscard]] const std::shared_ptr<operators::ResumeLedger>& ledger() const { return ledger_; }
  void seal(Epoch epoch) override {
    const std::lock_guard lock(broker_.mutex_);
    sealed_.insert(epoch);
    flush_sealed();
  }
  [[nodiscard]] std::int64_t in_flight() const override {
    const std::lock_guard lock(broker_.mutex_);
    return in_flight_;
  }
  [[nodiscard]] std::int64_t acknowledged() const override {
    const std::lock_guard lock(broker_.mutex_);
    return acknowledged_;
  }
  [[nodiscard]] stream::LatencySnapshot acknowledge_latency() const override { return {}; }
  /// What is under way stays under way, but nobody hears of it any more.
  void close() override {
    const std::lock_guard lock(broker_.mutex_);
    for (SimulatedBroker::Waiting& one : broker_.waiting_)
      if (one.sink == this) one.sink = nullptr;
  }

  [[nodiscard]] std::int32_t partition_of(const SimulatedRecord& record) const {
    const std::lock_guard lock(broker_.mutex_);
    const std::int32_t partitions = broker_.partition_count(topic_);
    return record.key ? static_cast<std::int32_t>(std::hash<std::string>()(*record.key) %
                                                  static_cast<std::size_t>(partitions))
                      : 0;
  }
  void take(SimulatedRecord record, Epoch epoch) {
    const std::lock_guard lock(broker_.mutex_);
    const std::int32_t partition = partition_of(record);
    ++unacknowledged_[epoch];
    ++in_flight_;
    broker_.waiting_.push_back({topic_, partition, std::move(record), epoch, this,
                                transactions_ ? transactions_->of(epoch) : nullptr});
  }
  void acknowledge(const SimulatedBroker::Waiting& one) {
    const Epoch epoch = one.epoch;
    acknowledged_ends_[one.partition] =
        static_cast<std::int64_t>(broker_.log(topic_, one.partition).size());
    --unacknowledged_[epoch];
    --in_flight_;
    ++acknowledged_;
    flush_sealed();
    if (in_flight_ < kInFlightMax && events_.on_room) events_.on_room();
  }

  static constexpr std::int64_t kInFlightMax = 64;

 private:
  void flush_sealed() {
    while (!sealed_.empty() && unacknowledged_[*sealed_.begin()] == 0) {
      const Epoch epoch = *sealed_.begin();
      sealed_.erase(sealed_.begin());
      if (events_.on_flushed) events_.on_flushed(epoch);
      if (transactions_) transactions_->note_flushed(epoch);
    }
  }

  SimulatedBroker& broker_;
  const std::string topic_;
  const std::shared_ptr<SimulatedTransactions> transactions_;  ///< null: visible at once
  stream::SinkEvents events_;
  std::map<Epoch, std::int64_t> unacknowledged_;
  std::set<Epoch> sealed_;
  std::int64_t in_flight_ = 0;
  std::int64_t acknowledged_ = 0;
  std::shared_ptr<operators::ResumeLedger> ledger_;
  std::map<std::int32_t, std::int64_t> from_;
  std::map<std::int32_t, std::int64_t> acknowledged_ends_;
};

Result<stream::Resumption> SimulatedSink::resume(const stream::ResumePoint& point) {
  const std::lock_guard lock(broker_.mutex_);
  ledger_ = std::make_shared<operators::ResumeLedger>();
  ledger_->position.checkpoint = *formats::checkpoint_id_bytes(point.checkpoint_id);
  ledger_->position.generation = static_cast<std::uint32_t>(point.generation.value);
  ledger_->partitions = broker_.partition_count(topic_);
  const auto known = point.from.find(topic_);
  from_ = known == point.from.end() ? std::map<std::int32_t, std::int64_t>() : known->second;
  for (std::int32_t number = 0; number < broker_.partition_count(topic_); ++number) {
    const auto& log = broker_.log(topic_, number);
    for (auto at = static_cast<std::size_t>(from_[number]); at < log.size(); ++at) {
      const auto& position = log[at].position;
      if (!position || position->checkpoint != ledger_->position.checkpoint) continue;
      auto& newest = ledger_->tail[{position->writer, position->source}][number];
      newest = std::max(newest, position->mark);
    }
  }
  return stream::Resumption{!ledger_->tail.empty(), {{topic_, ledger_->partitions}}};
}

stream::OutputEnds SimulatedSink::acknowledged_ends() const {
  const std::lock_guard lock(broker_.mutex_);
  if (!ledger_) return {};
  auto ends = from_;
  if (ledger_->behind.load() == 0 || broker_.tells_ends_early_)
    for (const auto& [partition, end] : acknowledged_ends_)
      ends[partition] = std::max(ends[partition], end);
  return {{topic_, std::move(ends)}};
}

class SimulatedWriter final : public stream::SinkWriter {
 public:
  SimulatedWriter(SimulatedSink& sink, SchemaRef schema)
      : sink_(sink),
        key_(schema->find("key")),
        value_(schema->find("value")),
        timestamp_(schema->find("timestamp")) {}

  [[nodiscard]] bool is_ready() override {
    return sink_.may_write(epoch_) && sink_.in_flight() < SimulatedSink::kInFlightMax;
  }
  void begin_epoch(Epoch epoch) override { epoch_ = epoch; }
  [[nodiscard]] Status resume_as(const stream::WriterPlace& place) override {
    resumed_.emplace(sink_.ledger(), place);
    return {};
  }
  [[nodiscard]] Status write(const Batch& rows, Epoch epoch) override {
    if (resumed_) MILLRACE_TRY(resumed_->check(rows));
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      SimulatedRecord record;
      record.key = text_of(rows, key_, row);
      record.value = text_of(rows, value_, row);
      if (timestamp_) record.timestamp_us = rows.column(*timestamp_).value<std::int64_t>(row);
      if (resumed_) {
        resumed_->next(rows.positions()[row]);
        if (resumed_->is_written(sink_.partition_of(record))) continue;
        const formats::RecordPositionBytes& bytes = resumed_->header();
        record.position = formats::decode_record_position({bytes.data(), bytes.size()});
      }
      sink_.take(std::move(record), epoch);
    }
    if (resumed_) resumed_->note_passed();
    return {};
  }

 private:
  static std::optional<std::string> text_of(const Batch& rows, std::optional<std::size_t> column,
                                            std::size_t row) {
    if (!column || rows.column(*column).is_null(row)) return std::nullopt;
    return std::string(rows.column(*column).text(row));
  }

  SimulatedSink& sink_;
  const std::optional<std::size_t> key_, value_, timestamp_;
  std::optional<operators::ResumedWriter> resumed_;
  Epoch epoch_;
};

Result<std::unique_ptr<stream::SinkWriter>> SimulatedSink::open_writer(SchemaRef schema) {
  return std::make_unique<SimulatedWriter>(*this, std::move(schema));
}

std::vector<SimulatedRecord>& SimulatedBroker::log(const std::string& topic,
                                                   std::int32_t partition) {
  MILLRACE_ASSERT(partition < partition_count(topic));
  return topics_[topic][static_cast<std::size_t>(partition)];
}

void SimulatedBroker::create_topic(const std::string& topic, std::int32_t partitions) {
  const std::lock_guard lock(mutex_);
  topics_[topic].resize(static_cast<std::size_t>(partitions));
}

std::int32_t SimulatedBroker::partition_count(const std::string& topic) const {
  const std::lock_guard lock(mutex_);
  const auto found = topics_.find(topic);
  return found == topics_.end() ? 0 : static_cast<std::int32_t>(found->second.size());
}

std::size_t SimulatedBroker::record_count(const std::string& topic) const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  if (const auto found = topics_.find(topic); found != topics_.end())
    for (const auto& partition : found->second) count += partition.size();
  return count;
}

void SimulatedBroker::produce(const std::string& topic, std::int32_t partition,
                              SimulatedRecord record) {
  const std::lock_guard lock(mutex_);
  log(topic, partition).push_back(std::move(record));
  for (SimulatedReader* reader : readers_)
    if (reader->partition().topic == topic && reader->partition().number == partition)
      reader->wake();
}

void SimulatedBroker::recreate_topic(const std::string& topic) {
  const std::lock_guard lock(mutex_);
  for (auto& log : topics_[topic]) log.clear();
  ++histories_[topic];
}

void SimulatedBroker::stall(const std::string& topic, std::int32_t partition) {
  const std::lock_guard lock(mutex_);
  stalled_ = {topic, partition};
}

void SimulatedBroker::release() {
  const std::lock_guard lock(mutex_);
  stalled_.reset();
  for (SimulatedReader* reader : readers_) reader->wake();
}

std::size_t SimulatedBroker::deliver(std::size_t count) {
  const std::lock_guard lock(mutex_);
  std::size_t delivered = 0;
  for (; delivered < count && !waiting_.empty(); ++delivered) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    if (!next.transaction)
      produce(next.topic, next.partition, std::move(next.record));
    else if (!next.transaction->is_decided)
      next.transaction->entries.push_back({next.topic, next.partition, std::move(next.record)});
    if (next.sink != nullptr) next.sink->acknowledge(next);
  }
  return delivered;
}

void SimulatedBroker::drop_client(std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  std::map<std::pair<std::string, std::int32_t>, std::size_t> arriving;
  for (const Waiting& one : waiting_) ++arriving[{one.topic, one.partition}];
  for (auto& [where, count] : arriving) count = random() % (count + 1);
  for (Waiting& one : std::exchange(waiting_, {})) {
    std::size_t& left = arriving[{one.topic, one.partition}];
    if (left == 0) continue;
    --left;
    if (!one.transaction) produce(one.topic, one.partition, std::move(one.record));
  }
  if (lets_the_dead_decide_) return;
  // A commit that was on its way arrives, or does not.
  for (const std::shared_ptr<PendingTransaction>& transaction : std::exchange(held_, {}))
    if (random() % 2 == 0) commit(*transaction);
}

void SimulatedBroker::commit(PendingTransaction& transaction) {
  if (std::exchange(transaction.is_decided, true)) return;
  for (PendingTransaction::Entry& entry : transaction.entries)
    produce(entry.topic, entry.partition, std::move(entry.record));
  mark_ = transaction.mark;
}

std::optional<std::string> SimulatedBroker::mark() const {
  const std::lock_guard lock(mutex_);
  return mark_;
}

std::unique_ptr<stream::Source> SimulatedBroker::make_source(const std::string& topic,
                                                             bool begins_at_latest) {
  return std::make_unique<SimulatedSource>(*this, topic, begins_at_latest);
}

std::unique_ptr<stream::Sink> SimulatedBroker::make_sink(const std::string& topic) {
  return std::make_unique<SimulatedSink>(*this, topic);
}

std::shared_ptr<SimulatedTransactions> SimulatedBroker::make_transactions(
    std::function<CommitFate()> fates) {
  return std::make_shared<SimulatedTransactions>(*this, std::move(fates));
}

std::unique_ptr<stream::Sink> SimulatedBroker::make_sink(
    const std::string& topic, std::shared_ptr<SimulatedTransactions> transactions) {
  return std::make_unique<SimulatedSink>(*this, topic, std::move(transactions));
}

}  // namespace millrace::support
