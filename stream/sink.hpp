#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "stream/bad_record_policy.hpp"
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

/// Decides about a row that can never be written: kOversized or kUnwritable, and a sentence that
/// says why. Success: the row is dealt with, writing goes on.
using OnUnwritable = std::function<Status(const Batch& rows, std::size_t row, BadRecordReason kind,
                                          const std::string& reason)>;

/// Which of a query's places that write it is, and what of: the same at every start of one plan.
struct WriterPlace {
  std::uint32_t number = 0;
  std::string source;     ///< the source's name in the plan
  std::string partition;  ///< the source partition's name
};

/// One task's way into a sink. Owned and called by that task's thread; blocks only where a sink
/// says so.
class SinkWriter {
 public:
  virtual ~SinkWriter() = default;
  /// Room for the output of one more input batch. False is the back-pressure: the task takes no
  /// further input until on_room.
  [[nodiscard]] virtual bool is_ready() = 0;
  /// What is written from now on belongs to this epoch. Before the first row, and behind each
  /// barrier.
  virtual void begin_epoch(Epoch /*epoch*/) {}
  /// Hands rows over, in order. The batch may be recycled when this returns.
  [[nodiscard]] virtual Status write(const Batch& rows, Epoch epoch) = 0;
  /// Installs who is asked, within `write`, about rows that can never be written; before the first
  /// write. Without it such a row is a failure of `write`. Sinks that take any row ignore it.
  virtual void on_unwritable(OnUnwritable /*decide*/) {}
  /// Makes it leave out what it wrote before a crash, and mark what it writes; before the first
  /// write, of a sink that resumes.
  [[nodiscard]] virtual Status resume_as(const WriterPlace& place);
};

/// Positions just past the newest record, by topic and partition.
using OutputEnds = std::map<std::string, std::map<std::int32_t, std::int64_t>>;

/// Where a sink goes on that writes exactly once by resuming: without transactions, by looking what
/// it wrote behind the newest commit, which it does not write again.
struct ResumePoint {
  std::string checkpoint_id;  ///< 32 hexadecimal digits
  Generation generation;
  /// Where the newest commit found the ends of what the query had written: all that was written
  /// behind that commit lies at or above them.
  OutputEnds from;
  /// Partitions, per topic, that records are spread over; a topic that is not here: all it has now.
  std::map<std::string, std::int32_t> partitions;
  bool is_first_start = false;  ///< nothing was ever written
};

/// What it found.
struct Resumption {
  bool has_written = false;  ///< there are records behind the newest commit
  /// Partitions that the topics have now.
  std::map<std::string, std::int32_t> partitions;
};

class Decider;

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
  /// Makes the sink write exactly once by resuming, from here on. Behind prime(), before the first
  /// writer is opened; blocks for as long as the look at its output takes. kNotSupported from sinks
  /// that cannot.
  [[nodiscard]] virtual Result<Resumption> resume(const ResumePoint& point);
  /// What makes its output visible, epoch by epoch, when it writes exactly once by transactions; a
  /// borrow, the same one from all sinks that share a transaction. Null: rows are visible at once.
  [[nodiscard]] virtual Decider* decider() { return nullptr; }
  /// How far what the query wrote is acknowledged: just past the newest record, in each partition
  /// that it writes to. Any thread. Empty from sinks that do not resume.
  [[nodiscard]] virtual OutputEnds acknowledged_ends() const { return {}; }
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
