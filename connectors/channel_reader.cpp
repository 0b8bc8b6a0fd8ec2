#include "connectors/channel_reader.hpp"

#include "millrace/assert.hpp"

#include "stream/arena_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace millrace::connectors {
namespace {

/// Reads a channel: a whole batch changes hands by swaps; a part of one is copied.
class ChannelReader final : public stream::SourceReader {
 public:
  ChannelReader(std::shared_ptr<ChannelStream> table, std::int64_t position,
                std::vector<std::size_t> selection, const Clock& clock)
      : table_(std::move(table)),
        position_(position),
        selection_(std::move(selection)),
        clock_(clock),
        origin_{table_->name(), "channel " + table_->name(), 0} {
    std::vector<Field> fields;
    for (const std::size_t column : selection_) fields.push_back(table_->columns()[column]);
    schema_ = make_schema(std::move(fields));
  }
  ~ChannelReader() override { table_->detach(); }

  [[nodiscard]] const SchemaRef& schema() const override { return schema_; }
  [[nodiscard]] std::int64_t position() const override { return position_; }
  [[nodiscard]] Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) override;
  void on_wake(std::function<void()> wake) override { table_->on_wake(std::move(wake)); }
  [[nodiscard]] Result<bool> has_rows() override { return table_->front() != nullptr; }

 private:
  void take_whole(Batch& rows, Batch& out);
  void copy_part(const Batch& rows, std::size_t count, Batch& out);
  void describe(std::size_t count, Batch& out);

  const std::shared_ptr<ChannelStream> table_;
  std::int64_t position_;
  const std::vector<std::size_t> selection_;
  const Clock& clock_;
  const Origin origin_;
  SchemaRef schema_;
  std::size_t offset_ = 0;  ///< rows of the front that have been read
  std::vector<std::int64_t> positions_;
  std::vector<std::uint32_t> numbers_;
};

Result<stream::PollOutcome> ChannelReader::poll(Batch& out, std::size_t rows_max,
                                                std::int64_t limit) {
  // Rows of an epoch that ended before a restart, which nobody will hand in again.
  if (limit != stream::kNoLimit && !table_->is_resent()) position_ = std::max(position_, limit);
  if (position_ >= limit) return stream::PollOutcome::kLimit;
  ChannelQueue::Slot* const slot = table_->front();
  if (slot == nullptr) return stream::PollOutcome::kIdle;

  const std::size_t left = slot->rows.rows() - offset_;
  const std::size_t count = std::min(
      {left, rows_max,
       static_cast<std::size_t>(std::min<std::int64_t>(limit - position_, kBatchRowsMax))});
  table_->note_taken(count, slot->since);
  if (offset_ == 0 && count == left) {
    take_whole(slot->rows, out);
  } else {
    copy_part(slot->rows, count, out);
  }
  describe(count, out);
  offset_ = count == left ? 0 : offset_ + count;
  if (offset_ == 0) table_->pop();
  return stream::PollOutcome::kRows;
}

void ChannelReader::take_whole(Batch& rows, Batch& out) {
  for (std::size_t target = 0; target < selection_.size(); ++target)
    out.swap_column(target, rows, selection_[target]);
  out.adopt(rows);
}

void ChannelReader::copy_part(const Batch& rows, std::size_t count, Batch& out) {
  numbers_.resize(count);
  std::iota(numbers_.begin(), numbers_.end(), static_cast<std::uint32_t>(offset_));
  for (std::size_t target = 0; target < selection_.size(); ++target) {
    out.column(target).gather_from(rows.column(selection_[target]), numbers_);
    stream::own_text(out.column(target), out.arena());
  }
  out.set_rows(count);
}

void ChannelReader::describe(std::size_t count, Batch& out) {
  positions_.resize(count);
  std::iota(positions_.begin(), positions_.end(), position_);
  position_ += static_cast<std::int64_t>(count);
  out.set_positions(positions_);
  out.set_origin(&origin_);
  out.set_ingest(clock_.steady());
}

/// A channel as one query sees it.
class ChannelStreamSource final : public stream::Source {
 public:
  ChannelStreamSource(std::shared_ptr<ChannelStream> table, const Clock& clock)
      : table_(std::move(table)), clock_(clock) {}

  Result<std::vector<stream::SourcePartition>> partitions() override {
    return std::vector<stream::SourcePartition>{{table_->name(), table_->name(), 0}};
  }
  Result<stream::Positions> start_positions() override { return all_at(0); }
  Result<stream::Positions> earliest_positions() override { return all_at(0); }
  Result<stream::Positions> end_positions() override { return all_at(table_->next_sequence()); }
  void expect_replay(const stream::SourcePartition& /*partition*/, std::int64_t to) override {
    known_ = to;
  }
  Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override;
  void committed(const stream::Positions& positions) override {
    if (const auto found = positions.find(table_->name()); found != positions.end())
      table_->commit(found->second);
  }
  [[nodiscard]] bool is_replayable() const override { return false; }
  Status prime() override { return {}; }
  void close() override {}
  [[nodiscard]] stream::LatencySnapshot fetch_latency() const override {
    return table_->waiting_time().snapshot();
  }

 private:
  Result<stream::Positions> all_at(std::int64_t position) {
    return stream::Positions{{table_->name(), position}};
  }

  const std::shared_ptr<ChannelStream> table_;
  const Clock& clock_;
  std::int64_t known_ = 0;  ///< where the checkpoint's newest closed epoch ends
};

Result<std::unique_ptr<stream::SourceReader>> ChannelStreamSource::open_reader(
    const stream::SourcePartition& /*partition*/, std::int64_t position,
    const std::vector<std::string>& columns) {
  std::vector<std::size_t> selection;
  for (const std::string& name : columns) {
    const auto found = std::ranges::find(table_->columns(), name, &Field::name);
    MILLRACE_ASSERT(found != table_->columns().end());
    selection.push_back(static_cast<std::size_t>(found - table_->columns().begin()));
  }
  MILLRACE_TRY(table_->attach(clock_, position, std::max(position, known_)));
  return std::make_unique<ChannelReader>(table_, position, std::move(selection), clock_);
}

}  // namespace

std::unique_ptr<stream::Source> make_channel_source(std::shared_ptr<ChannelStream> table,
                                                    const Clock& clock) {
  return std::make_unique<ChannelStreamSource>(std::move(table), clock);
}

}  // namespace millrace::connectors
