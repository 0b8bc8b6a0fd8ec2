#pragma once

#include "stream/source.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::support {

/// A reader that passes every call on: a test's own overrides the one it is about.
class ForwardingReader : public stream::SourceReader {
 public:
  explicit ForwardingReader(std::unique_ptr<stream::SourceReader> inner)
      : inner_(std::move(inner)) {}

  [[nodiscard]] const SchemaRef& schema() const override { return inner_->schema(); }
  [[nodiscard]] Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) override {
    return inner_->poll(out, rows_max, limit);
  }
  [[nodiscard]] std::int64_t position() const override { return inner_->position(); }
  void on_wake(std::function<void()> wake) override { inner_->on_wake(std::move(wake)); }
  [[nodiscard]] Result<bool> has_rows() override { return inner_->has_rows(); }
  [[nodiscard]] Status begin_history(std::int64_t position) override {
    return inner_->begin_history(position);
  }

 private:
  std::unique_ptr<stream::SourceReader> inner_;
};

/// A source that passes every call on: a test's own overrides the ones it is about.
class ForwardingSource : public stream::Source {
 public:
  explicit ForwardingSource(std::unique_ptr<stream::Source> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] Result<std::vector<stream::SourcePartition>> partitions() override {
    return inner_->partitions();
  }
  [[nodiscard]] Result<stream::Positions> start_positions() override {
    return inner_->start_positions();
  }
  [[nodiscard]] Result<stream::Positions> earliest_positions() override {
    return inner_->earliest_positions();
  }
  [[nodiscard]] Result<stream::Positions> surviving(stream::Positions positions) override {
    return inner_->surviving(std::move(positions));
  }
  [[nodiscard]] std::vector<stream::NewPartition> new_partitions() override {
    return inner_->new_partitions();
  }
  [[nodiscard]] std::chrono::milliseconds watch_interval() const override {
    return inner_->watch_interval();
  }
  [[nodiscard]] Result<stream::Positions> end_positions() override {
    return inner_->end_positions();
  }
  [[nodiscard]] stream::ReadLimit read_limit() const override { return inner_->read_limit(); }
  [[nodiscard]] Result<std::optional<stream::Positions>> ending_positions() override {
    return inner_->ending_positions();
  }
  void expect_replay(const stream::SourcePartition& partition, std::int64_t to) override {
    inner_->expect_replay(partition, to);
  }
  [[nodiscard]] Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override {
    return inner_->open_reader(partition, position, columns);
  }
  void committed(const stream::Positions& positions) override { inner_->committed(positions); }
  [[nodiscard]] bool is_replayable() const override { return inner_->is_replayable(); }
  [[nodiscard]] Status prime() override { return inner_->prime(); }
  void close() override { inner_->close(); }
  [[nodiscard]] std::optional<std::int64_t> lag() const override { return inner_->lag(); }
  [[nodiscard]] stream::LatencySnapshot fetch_latency() const override {
    return inner_->fetch_latency();
  }

 private:
  std::unique_ptr<stream::Source> inner_;
};

}  // namespace millrace::support
