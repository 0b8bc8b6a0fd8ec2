#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "stream/latency_histogram.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace millrace::stream {

/// What a sink tells the query. Called from any thread (a client's own too); must not block.
struct SinkEvents {
  /// Every record of a sealed epoch has been acknowledged. Once per sealed epoch, in epoch order.
  std::function<void(Epoch)> on_flushed;
  /// A record can never be written, or the client is dead: the query stops with this cause.
  std::function<void(Error)> on_failure;
  /// Writers that were not ready may be ready again.
  std::function<void()> on_room;
};

/// Decides about a row that can never be written because it is larger than its target takes;
/// `reason` is a sentence with both sizes. Success: the row is dealt with, writing goes on.
using OnOversized =
    std::function<Status(const Batch& rows, std::size_t row, const std::string& reason)>;

/// One task's way into a sink. Owned and called by that task's thread; never blocks.
class SinkWriter {
 public:
  virtual ~SinkWriter() = default;
  /// Room for the output of one more input batch. False is the back-pressure: the task takes no
  /// further input until on_room.
  [[nodiscard]] virtual bool is_ready() = 0;
  /// Hands rows over, in order. The batch may be recycled when this returns.
  [[nodiscard]] virtual Status write(const Batch& rows, Epoch epoch) = 0;
  /// Installs who is asked, within `write`, about rows that are too large; before the first write.
  /// Without it such a row is a failure of `write`. Sinks that know no limit ignore it.
  virtual void on_oversized(OnOversized /*decide*/) {}
};

/// Positions just past the newest record, by topic and partition.
using OutputEnds = std::map<std::string, std::map<std::int32_t, std::int64_t>>;

/// A sink as a whole, shared by the tasks of one query.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Installs the callbacks; before the first writer is opened.
  virtual void set_events(SinkEvents events) = 0;
  /// Opens a writer for batches of `schema` (the encode step's output: value and, by name, key,
  /// headers, timestamp, topic, partition).
  [[nodiscard]] virtual Result<std::unique_ptr<SinkWriter>> open_writer(SchemaRef schema) = 0;
  /// Connects, creates topic handles, checks that the target exists (kNotFound names the nearest).
  [[nodiscard]] virtual Status prime() = 0;
  /// Of all partitions that rows may go to, as far as they are known beforehand: what lies below is
  /// not this query's. Once, behind prime().
  [[nodiscard]] virtual Result<OutputEnds> output_ends() { return OutputEnds(); }
  /// Says that no task will write any more records of `epoch`; on_flushed(epoch) follows when its
  /// own count of unacknowledged records is zero (perhaps within this call).
  virtual void seal(Epoch epoch) = 0;
  /// Records handed over and not yet acknowledged.
  [[nodiscard]] virtual std::int64_t in_flight() const = 0;
  /// Records acknowledged so far.
  [[nodiscard]] virtual std::int64_t acknowledged() const = 0;
  /// Hand-over to acknowledgement; scraped by copy from any thread.
  [[nodiscard]] virtual LatencySnapshot acknowledge_latency() const = 0;
  /// Drops what is not sent, ends background work; after it no callback is called. Writers must be
  /// gone first.
  virtual void close() = 0;
};

}  // namespace millrace::stream
