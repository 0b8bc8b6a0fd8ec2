#pragma once

#include "millrace/channel.hpp"

#include "connectors/channel_queue.hpp"
#include "stream/host_table.hpp"
#include "stream/latency_histogram.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::connectors {

/// What stands behind a ChannelSource: the queue between the host's threads and the one task that
/// reads it. Senders take turns under a mutex; the reader takes no lock but to wake a sender that
/// waits for room. Thread-safe.
class ChannelStream final : public stream::HostTable,
                            public std::enable_shared_from_this<ChannelStream> {
 public:
  ChannelStream(std::string name, std::vector<Field> columns, ChannelSourceOptions options);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return "channel"; }
  [[nodiscard]] stream::HostRole role() const override { return stream::HostRole::kSource; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }
  [[nodiscard]] bool is_replayable() const override { return false; }
  [[nodiscard]] Result<std::unique_ptr<stream::Source>> open_source(const Clock& clock) override;

  // -- the host's threads -------------------------------------------------------------------------

  /// Hands in rows [first, first + count), waiting for room; gives the number of the first.
  [[nodiscard]] Result<std::int64_t> give_all(const ChannelFill& fill, std::size_t count);
  /// What was handed in, and the number of its first row.
  struct Given {
    std::size_t rows = 0;
    std::int64_t first = 0;
  };
  /// Hands in what there is room for.
  [[nodiscard]] Result<Given> give_some(const ChannelFill& fill, std::size_t count);
  [[nodiscard]] std::int64_t next_sequence() const;
  [[nodiscard]] std::int64_t committed_up_to() const { return committed_.load(); }
  void on_committed(std::function<void(std::int64_t)> callback);
  [[nodiscard]] std::size_t rows_waiting() const;

  // -- the query ----------------------------------------------------------------------------------

  /// A query reads from now on. `known` is where its checkpoint ends: epochs up to there are closed
  /// and not all committed. kConflict when another query does.
  [[nodiscard]] Status attach(const Clock& clock, std::int64_t position, std::int64_t known);
  /// It does no more.
  void detach();
  void commit(std::int64_t up_to);
  [[nodiscard]] bool is_resent() const { return options_.is_resent; }
  [[nodiscard]] const stream::LatencyHistogram& waiting_time() const { return waiting_time_; }

  // -- the task that reads ------------------------------------------------------------------------

  /// The oldest batch, or null after having asked for a wake-up.
  [[nodiscard]] ChannelQueue::Slot* front();
  /// Done with the front. `rows` were read from it.
  void pop();
  /// Counts rows as read, which makes room.
  void note_taken(std::size_t rows, SteadyTime since);
  void on_wake(std::function<void()> wake);

 private:
  [[nodiscard]] Status check_attached() const;
  [[nodiscard]] std::size_t room() const;
  std::size_t append(const ChannelFill& fill, std::size_t first, std::size_t count);
  void wake_reader();
  void wake_senders();

  const std::string name_;
  const std::vector<Field> columns_;
  const ChannelSourceOptions options_;

  mutable std::mutex mutex_;  ///< senders, attach and detach
  std::condition_variable room_made_;
  std::atomic<int> senders_waiting_{0};
  const Clock* clock_ = nullptr;  ///< while a query reads
  std::int64_t next_ = 0;         ///< number of the next row
  std::size_t rows_given_ = 0;
  BatchPool pool_;  ///< before the queue, which holds its batches
  ChannelQueue queue_;

  std::atomic<std::size_t> rows_taken_{0};
  std::atomic<bool> is_reader_waiting_{false};
  std::mutex wake_mutex_;  ///< guards wake_; taken only to wake
  std::function<void()> wake_;
  stream::LatencyHistogram waiting_time_;

  std::atomic<std::int64_t> committed_{0};
  std::mutex callback_mutex_;  ///< guards callback_
  std::function<void(std::int64_t)> callback_;
};

}  // namespace millrace::connectors
