#pragma once

#include "millrace/channel.hpp"

#include "connectors/channel_queue.hpp"
#include "connectors/epoch_ledger.hpp"
#include "stream/host_table.hpp"
#include "stream/latency_histogram.hpp"
#include "stream/sink.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::connectors {

/// What the tasks of one query and the receivers of their rows share: counts per epoch, and whether
/// the query still wants to hear of them. Thread-safe.
class ChannelDelivery {
 public:
  explicit ChannelDelivery(const Clock& clock) : clock_(clock) {}

  void set_events(stream::SinkEvents events);
  [[nodiscard]] EpochLedger& ledger() { return ledger_; }
  /// Counts rows as delivered.
  void deliver(Epoch epoch, std::size_t rows, SteadyTime since);
  /// A receiver has made room.
  void make_room();
  /// After it nothing is called any more.
  void close();

  std::atomic<std::int64_t> written{0};
  std::atomic<std::int64_t> delivered{0};
  stream::LatencyHistogram latency;

 private:
  const Clock& clock_;
  std::mutex mutex_;  ///< guards what follows, and every use of the clock
  bool is_closed_ = false;
  stream::SinkEvents events_;
  EpochLedger ledger_;
};

/// What stands behind a ChannelSink: the lanes of the query that writes, one per task, or the
/// callback. Thread-safe.
class ChannelTarget final : public stream::HostTable,
                            public std::enable_shared_from_this<ChannelTarget> {
 public:
  ChannelTarget(std::string name, ChannelSinkOptions options,
                std::function<void(const Batch&)> callback);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return "channel"; }
  [[nodiscard]] stream::HostRole role() const override { return stream::HostRole::kSink; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }
  [[nodiscard]] Result<std::unique_ptr<stream::Sink>> open_sink(const SchemaRef& schema,
                                                                const Clock& clock) override;

  // -- the host's threads -------------------------------------------------------------------------

  [[nodiscard]] std::optional<ReceivedRows> try_receive();
  /// Waits at most until `limit`, for ever without one; none when it has passed.
  [[nodiscard]] Result<std::optional<ReceivedRows>> receive(
      std::optional<std::chrono::steady_clock::time_point> limit);

  // -- the query ----------------------------------------------------------------------------------

  [[nodiscard]] const std::function<void(const Batch&)>& callback() const { return callback_; }
  [[nodiscard]] std::shared_ptr<ChannelLane> add_lane(SchemaRef schema,
                                                      std::shared_ptr<ChannelDelivery> delivery);
  /// Drops the lanes of a query that has ended, with what waits in them.
  void end_query();
  /// Something has been put into a lane.
  void announce();

 private:
  const std::string name_;
  const ChannelSinkOptions options_;
  const std::function<void(const Batch&)> callback_;
  const std::vector<Field> columns_;  ///< none: it takes the query's

  std::mutex mutex_;  ///< guards lanes_ and the two below, and what waits on `arrived_`
  std::condition_variable arrived_;
  std::vector<std::shared_ptr<ChannelLane>> lanes_;
  bool has_query_ = false;
  bool had_query_ = false;
  std::size_t next_lane_ = 0;
  std::atomic<int> receivers_waiting_{0};
};

}  // namespace millrace::connectors
