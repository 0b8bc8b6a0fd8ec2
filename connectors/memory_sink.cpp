#include "millrace/memory.hpp"

#include "stream/host_table.hpp"
#include "stream/sink.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

namespace millrace {
namespace {

/// What stands behind a MemorySink: the rows. Thread-safe.
class MemoryTarget final : public stream::HostTable,
                           public std::enable_shared_from_this<MemoryTarget> {
 public:
  explicit MemoryTarget(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return "memory"; }
  [[nodiscard]] stream::HostRole role() const override { return stream::HostRole::kSink; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }
  [[nodiscard]] Result<std::unique_ptr<stream::Sink>> open_sink(const SchemaRef& schema,
                                                                const Clock& clock) override;

  void keep(const Batch& rows) {
    const std::lock_guard lock(mutex_);
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      Row values;
      for (std::size_t column = 0; column < rows.column_count(); ++column)
        values.push_back(value_of(rows.column(column), row));
      rows_.push_back(std::move(values));
    }
  }
  [[nodiscard]] std::vector<Row> rows() const {
    const std::lock_guard lock(mutex_);
    return rows_;
  }
  [[nodiscard]] std::vector<Row> take_rows() {
    const std::lock_guard lock(mutex_);
    return std::exchange(rows_, {});
  }
  [[nodiscard]] Schema schema() const {
    const std::lock_guard lock(mutex_);
    return schema_;
  }

 private:
  const std::string name_;
  const std::vector<Field> columns_;  ///< none: it takes the query's
  mutable std::mutex mutex_;          ///< guards what follows
  Schema schema_;
  std::vector<Row> rows_;
};

/// A memory sink as one query sees it. A row that is kept is acknowledged.
class MemoryTargetSink final : public stream::Sink {
 public:
  explicit MemoryTargetSink(std::shared_ptr<MemoryTarget> target) : target_(std::move(target)) {}

  void set_events(stream::SinkEvents events) override { events_ = std::move(events); }
  Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override;
  Status prime() override { return {}; }
  void seal(Epoch epoch) override { events_.on_flushed(epoch); }
  [[nodiscard]] std::int64_t in_flight() const override { return 0; }
  [[nodiscard]] std::int64_t acknowledged() const override { return acknowledged_.load(); }
  [[nodiscard]] stream::LatencySnapshot acknowledge_latency() const override { return {}; }
  void close() override {}

  void keep(const Batch& rows) {
    target_->keep(rows);
    acknowledged_.fetch_add(static_cast<std::int64_t>(rows.rows()));
  }

 private:
  const std::shared_ptr<MemoryTarget> target_;
  stream::SinkEvents events_;
  std::atomic<std::int64_t> acknowledged_{0};
};

class MemoryWriter final : public stream::SinkWriter {
 public:
  explicit MemoryWriter(MemoryTargetSink& sink) : sink_(sink) {}

  [[nodiscard]] bool is_ready() override { return true; }
  Status write(const Batch& rows, Epoch /*epoch*/) override {
    sink_.keep(rows);
    return {};
  }

 private:
  MemoryTargetSink& sink_;
};

Result<std::unique_ptr<stream::SinkWriter>> MemoryTargetSink::open_writer(SchemaRef /*schema*/) {
  return std::make_unique<MemoryWriter>(*this);
}

Result<std::unique_ptr<stream::Sink>> MemoryTarget::open_sink(const SchemaRef& schema,
                                                              const Clock& /*clock*/) {
  const std::lock_guard lock(mutex_);
  schema_ = *schema;
  return std::make_unique<MemoryTargetSink>(shared_from_this());
}

MemoryTarget& target_of(const MemorySink& sink) { return static_cast<MemoryTarget&>(*sink.host()); }

}  // namespace

MemorySink::MemorySink(std::string name)
    : HostTable(std::make_shared<MemoryTarget>(std::move(name))) {}

std::vector<Row> MemorySink::rows() const { return target_of(*this).rows(); }

std::vector<Row> MemorySink::take_rows() { return target_of(*this).take_rows(); }

Schema MemorySink::schema() const { return target_of(*this).schema(); }

}  // namespace millrace
