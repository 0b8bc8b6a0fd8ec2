#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"
#include "millrace/host_table.hpp"
#include "millrace/memory.hpp"
#include "millrace/schema.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace {

/// How a channel source behaves; every part has a default.
struct ChannelSourceOptions {
  std::size_t rows_max = 65'536;  ///< rows that wait for the query at most
  /// Whether the program hands rows in again after a restart, from `next_sequence` on. False: rows
  /// that were handed in and not committed are lost with the process, and the numbers go on behind
  /// the newest that the checkpoint knows of.
  bool is_resent = false;
};

/// Rows of the host's, put into a batch on demand: `append` adds rows [first, first + count) at the
/// end of every column. For ChannelSender; a plain value.
struct ChannelFill {
  const void* rows = nullptr;
  void (*append)(const void* rows, std::size_t first, std::size_t count, Batch& to) = nullptr;
};

/// Hands rows from the program's threads to one query: bounded, in order, numbered. A row's text is
/// copied once, into the batch that the query reads. Every function may be called from any thread;
/// rows of one thread stay in order. A handle, see HostTable.
///
///     millrace::ChannelSource orders("orders", {{"id", TypeKind::kInt64}});
///     auto query = session.read_stream(orders)....start();
///     auto sequence = orders.send({Value::int64(1)});   // faster: a ChannelSender (typed.hpp)
///
/// Each row has a sequence number: 0, 1, 2, ... over the life of a checkpoint. An epoch makes rows
/// durable: `committed_up_to` says how far. After a restart the program starts the query and asks
/// `next_sequence` where to go on. One query at a time reads a channel; rows are taken only while
/// one does (else kUnavailable), and what it had not read when it ended is gone.
class ChannelSource final : public HostTable {
 public:
  ChannelSource(std::string name, std::vector<Field> columns, ChannelSourceOptions options = {});

  /// Hands in one row, waiting for room; gives its number. kUnavailable: no query reads the channel
  /// (any more). kInvalidArgument: the row does not fit, naming the column and both types.
  [[nodiscard]] Result<std::int64_t> send(const Row& row) const;
  /// The same without waiting; none when the channel is full.
  [[nodiscard]] Result<std::optional<std::int64_t>> try_send(const Row& row) const;
  /// Hands in rows, waiting for room; gives the number of the first. After an error some may have
  /// been taken: `next_sequence` says how many.
  [[nodiscard]] Result<std::int64_t> send_rows(const std::vector<Row>& rows) const;
  /// Hands in as many as there is room for, from the first on, and gives how many that were.
  [[nodiscard]] Result<std::size_t> try_send_rows(const std::vector<Row>& rows) const;
  /// The same for rows of any form: what ChannelSender is made from.
  [[nodiscard]] Result<std::int64_t> send_filled(const ChannelFill& fill, std::size_t rows) const;
  [[nodiscard]] Result<std::size_t> try_send_filled(const ChannelFill& fill,
                                                    std::size_t rows) const;
  [[nodiscard]] Result<std::optional<std::int64_t>> try_send_one(const ChannelFill& fill) const;

  /// The number that the next row will have. After a restart: where to go on.
  [[nodiscard]] std::int64_t next_sequence() const;
  /// Rows below this number are durable: every sink has what was made of them, and the checkpoint
  /// says so. Without a checkpoint it counts only what the sinks have.
  [[nodiscard]] std::int64_t committed_up_to() const;
  /// Calls `callback` with `committed_up_to` after each epoch that moves it, on a thread of the
  /// query that moves no rows; it must not block for long. Set it before the query starts.
  void on_committed(std::function<void(std::int64_t up_to)> callback) const;
  /// Rows that wait for the query now.
  [[nodiscard]] std::size_t rows_waiting() const;
};

/// How a channel sink behaves; every part has a default.
struct ChannelSinkOptions {
  std::size_t batches_max = 64;  ///< batches per task that wait for the program at most
};

struct ChannelLane;  // the implementation's part

/// Rows that came out of a channel. They count as delivered (and their epoch can be committed) when
/// this is destroyed; their text lives as long. Move-only; may be destroyed on any thread.
class ReceivedRows {
 public:
  ReceivedRows(std::shared_ptr<ChannelLane> lane, Batch rows, Epoch epoch, SteadyTime since);
  ReceivedRows(ReceivedRows&&) noexcept = default;
  ReceivedRows& operator=(ReceivedRows&& other) noexcept;
  ~ReceivedRows();

  [[nodiscard]] const Batch& rows() const { return rows_; }
  /// One row as values, for programs in no hurry.
  [[nodiscard]] Row row(std::size_t number) const;

 private:
  void deliver();

  std::shared_ptr<ChannelLane> lane_;
  Batch rows_;
  Epoch epoch_;
  SteadyTime since_;
};

/// Takes rows from one query to the program's threads. Two forms:
///
/// - With a callback: it is called with every batch on the thread that made it. The least latency;
///   it must not block, for the query waits, nor keep the batch. A query with several source
///   partitions may call it from several threads at once when it has several worker threads.
/// - Without: batches wait, bounded, until the program receives them; while the channel is full the
///   query takes no further input. One thread at a time receives. A stop waits until everything
///   has been received.
///
/// Delivery is at least once: rows of an epoch that was not committed come again after a restart.
class ChannelSink final : public HostTable {
 public:
  explicit ChannelSink(std::string name, ChannelSinkOptions options = {});
  ChannelSink(std::string name, std::function<void(const Batch& rows)> callback);

  /// Waits for rows. kCancelled: the query that wrote to the channel has ended.
  [[nodiscard]] Result<ReceivedRows> receive() const;
  /// The same for a bounded time; none when it is over.
  [[nodiscard]] Result<std::optional<ReceivedRows>> receive(std::chrono::nanoseconds limit) const;
  /// Takes what is there; none when nothing is. For threads that spin.
  [[nodiscard]] std::optional<ReceivedRows> try_receive() const;
};

}  // namespace millrace
