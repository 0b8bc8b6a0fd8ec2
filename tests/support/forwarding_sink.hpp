#pragma once

#include "stream/sink.hpp"

#include <memory>
#include <utility>

namespace millrace::support {

/// A writer that passes every call on: a test's own overrides the one it is about.
class ForwardingWriter : public stream::SinkWriter {
 public:
  explicit ForwardingWriter(std::unique_ptr<stream::SinkWriter> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] bool is_ready() override { return inner_->is_ready(); }
  void begin_epoch(Epoch epoch) override { inner_->begin_epoch(epoch); }
  [[nodiscard]] Status write(const Batch& rows, Epoch epoch) override {
    return inner_->write(rows, epoch);
  }
  void on_unwritable(stream::OnUnwritable decide) override {
    inner_->on_unwritable(std::move(decide));
  }
  [[nodiscard]] Status resume_as(const stream::WriterPlace& place) override {
    return inner_->resume_as(place);
  }

 private:
  std::unique_ptr<stream::SinkWriter> inner_;
};

/// A sink that passes every call on: a test's own overrides the ones it is about.
class ForwardingSink : public stream::Sink {
 public:
  explicit ForwardingSink(std::unique_ptr<stream::Sink> inner) : inner_(std::move(inner)) {}

  void set_events(stream::SinkEvents events) override { inner_->set_events(std::move(events)); }
  [[nodiscard]] Result<stream::Resumption> resume(const stream::ResumePoint& point) override {
    return inner_->resume(point);
  }
  [[nodiscard]] stream::Decider* decider() override { return inner_->decider(); }
  [[nodiscard]] stream::OutputEnds acknowledged_ends() const override {
    return inner_->acknowledged_ends();
  }
  [[nodiscard]] Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override {
    return inner_->open_writer(std::move(schema));
  }
  [[nodiscard]] Status prime() override { return inner_->prime(); }
  [[nodiscard]] Result<stream::OutputEnds> output_ends() override { return inner_->output_ends(); }
  void seal(Epoch epoch) override { inner_->seal(epoch); }
  [[nodiscard]] std::int64_t in_flight() const override { return inner_->in_flight(); }
  [[nodiscard]] std::int64_t acknowledged() const override { return inner_->acknowledged(); }
  [[nodiscard]] stream::LatencySnapshot acknowledge_latency() const override {
    return inner_->acknowledge_latency();
  }
  void close() override { inner_->close(); }

 private:
  std::unique_ptr<stream::Sink> inner_;
};

}  // namespace millrace::support
