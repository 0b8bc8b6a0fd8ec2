#include "connectors/memory_source.hpp"

#include "millrace/assert.hpp"
#include "millrace/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::connectors {
namespace {

/// Reads one log from a position on.
class MemoryReader final : public stream::SourceReader {
 public:
  MemoryReader(std::shared_ptr<MemoryStream> table, MemoryLog& log, std::int32_t partition,
               std::int64_t position, std::vector<std::size_t> selection, const Clock& clock)
      : table_(std::move(table)),
        log_(log),
        position_(position),
        selection_(std::move(selection)),
        clock_(clock),
        origin_{table_->name(), fmt::format("memory {}, partition {}", table_->name(), partition),
                partition} {
    std::vector<Field> fields;
    for (const std::size_t column : selection_) fields.push_back(table_->columns()[column]);
    schema_ = make_schema(std::move(fields));
  }
  ~MemoryReader() override {
    if (is_subscribed_) log_.unsubscribe(subscription_);
  }

  [[nodiscard]] const SchemaRef& schema() const override { return schema_; }
  [[nodiscard]] std::int64_t position() const override { return position_; }

  Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max, std::int64_t limit) override {
    if (position_ >= limit) return stream::PollOutcome::kLimit;
    const std::int64_t end =
        std::min({log_.size(), limit, position_ + static_cast<std::int64_t>(rows_max)});
    if (end <= position_) return stream::PollOutcome::kIdle;
    log_.copy(position_, end, selection_, out);
    positions_.clear();
    for (; position_ < end; ++position_) positions_.push_back(position_);
    out.set_positions(positions_);
    out.set_origin(&origin_);
    out.set_ingest(clock_.steady());
    return stream::PollOutcome::kRows;
  }

  [[nodiscard]] Result<bool> has_rows() override { return log_.size() > position_; }

  void on_wake(std::function<void()> wake) override {
    MILLRACE_ASSERT(!is_subscribed_);
    subscription_ = log_.subscribe(std::move(wake));
    is_subscribed_ = true;
  }

 private:
  const std::shared_ptr<MemoryStream> table_;
  MemoryLog& log_;
  std::int64_t position_;
  const std::vector<std::size_t> selection_;
  const Clock& clock_;
  const Origin origin_;
  SchemaRef schema_;
  std::vector<std::int64_t> positions_;
  std::size_t subscription_ = 0;
  bool is_subscribed_ = false;
};

/// A memory stream as one query sees it.
class MemoryStreamSource final : public stream::Source {
 public:
  MemoryStreamSource(std::shared_ptr<MemoryStream> table, const Clock& clock)
      : table_(std::move(table)), clock_(clock) {}

  Result<std::vector<stream::SourcePartition>> partitions() override {
    std::vector<stream::SourcePartition> result;
    for (std::int32_t number = 0; number < table_->partition_count(); ++number)
      result.push_back({fmt::format("{}-{}", table_->name(), number), table_->name(), number});
    return result;
  }
  Result<stream::Positions> start_positions() override { return earliest_positions(); }
  Result<stream::Positions> earliest_positions() override {
    return positions([](MemoryLog&) { return std::int64_t{0}; });
  }
  Result<stream::Positions> end_positions() override {
    return positions([](MemoryLog& log) { return log.size(); });
  }
  [[nodiscard]] stream::Positions known_ends() const override {
    stream::Positions ends;
    for (std::int32_t number = 0; number < table_->partition_count(); ++number)
      if (const auto log = table_->log(number))
        ends[fmt::format("{}-{}", table_->name(), number)] = (*log)->size();
    return ends;
  }
  Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override;
  [[nodiscard]] bool is_replayable() const override { return true; }
  Status prime() override { return {}; }
  void close() override {}
  [[nodiscard]] stream::LatencySnapshot fetch_latency() const override { return {}; }

 private:
  template <typename Position>
  Result<stream::Positions> positions(Position position) {
    stream::Positions result;
    MILLRACE_ASSIGN(const std::vector<stream::SourcePartition> all, partitions());
    for (const stream::SourcePartition& one : all) {
      MILLRACE_ASSIGN(MemoryLog * log, table_->log(one.number));
      result[one.name] = position(*log);
    }
    return result;
  }

  const std::shared_ptr<MemoryStream> table_;
  const Clock& clock_;
};

Result<std::unique_ptr<stream::SourceReader>> MemoryStreamSource::open_reader(
    const stream::SourcePartition& partition, std::int64_t position,
    const std::vector<std::string>& columns) {
  MILLRACE_ASSIGN(MemoryLog * log, table_->log(partition.number));
  if (position > log->size()) {
    return fail(ErrorCode::kDataLoss,
                fmt::format("memory {} has {} rows in partition {}, the checkpoint goes on from {}",
                            table_->name(), log->size(), partition.number, position));
  }
  std::vector<std::size_t> selection;
  for (const std::string& name : columns) {
    const auto found = std::ranges::find(table_->columns(), name, &Field::name);
    MILLRACE_ASSERT(found != table_->columns().end());
    selection.push_back(static_cast<std::size_t>(found - table_->columns().begin()));
  }
  return std::make_unique<MemoryReader>(table_, *log, partition.number, position,
                                        std::move(selection), clock_);
}

}  // namespace

MemoryStream::MemoryStream(std::string name, std::vector<Field> columns, std::int32_t partitions)
    : name_(std::move(name)), columns_(std::move(columns)) {
  MILLRACE_ASSERT(partitions > 0);
  for (std::int32_t number = 0; number < partitions; ++number)
    logs_.push_back(std::make_unique<MemoryLog>(name_, columns_));
}

Result<std::unique_ptr<stream::Source>> MemoryStream::open_source(const Clock& clock) {
  return std::make_unique<MemoryStreamSource>(shared_from_this(), clock);
}

Result<MemoryLog*> MemoryStream::log(std::int32_t partition) {
  if (partition >= 0 && partition < partition_count())
    return logs_[static_cast<std::size_t>(partition)].get();
  return fail(ErrorCode::kNotFound, fmt::format("memory {} has {} partitions; there is no {}",
                                                name_, partition_count(), partition));
}

}  // namespace millrace::connectors

namespace millrace {
namespace {

connectors::MemoryStream& stream_of(const MemorySource& source) {
  return static_cast<connectors::MemoryStream&>(*source.host());
}

}  // namespace

MemorySource::MemorySource(std::string name, std::vector<Field> columns, std::int32_t partitions)
    : HostTable(std::make_shared<connectors::MemoryStream>(std::move(name), std::move(columns),
                                                           partitions)) {}

Status MemorySource::add(const Row& row, std::int32_t partition) {
  return add_rows({row}, partition);
}

Status MemorySource::add_rows(const std::vector<Row>& rows, std::int32_t partition) {
  MILLRACE_ASSIGN(connectors::MemoryLog * log, stream_of(*this).log(partition));
  return log->add(rows);
}

std::int64_t MemorySource::size(std::int32_t partition) const {
  const auto log = stream_of(*this).log(partition);
  return log ? (*log)->size() : 0;
}

}  // namespace millrace
