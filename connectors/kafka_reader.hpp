#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"

#include "connectors/kafka_message_columns.hpp"
#include "connectors/kafka_offsets.hpp"
#include "formats/position_filter.hpp"
#include "stream/source.hpp"

#include <librdkafka/rdkafka.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace millrace::connectors {

class KafkaClient;

/// What a reader is opened with. Everything is borrowed from the source, which outlives it.
struct KafkaReaderSpec {
  KafkaClient* client = nullptr;
  rd_kafka_topic_t* topic = nullptr;
  std::string topic_name;
  std::int32_t partition = 0;
  std::int64_t position = 0;
  SchemaRef schema;
  std::vector<KafkaColumn> columns;
  const Origin* origin = nullptr;
  const Clock* clock = nullptr;
  stream::LatencyHistogram* fetch_latency = nullptr;
  std::atomic<bool>* has_fetched = nullptr;      ///< set once the broker has answered a fetch
  std::atomic<std::int64_t>* reached = nullptr;  ///< the position, for other threads
  bool skips_lost = false;     ///< goes on behind records that are gone, with a line that says so
  bool drops_replays = false;  ///< of records that Millrace jobs have written by resuming
  LogFunction log;
};

/// Reads one partition through a queue of its own. The client's thread fetches ahead into the queue
/// (bounded by queued.min.messages and queued.max.messages.kbytes) and says when it is no longer
/// empty; poll() takes messages out and copies them into a batch. Nothing is allocated per record
/// by us, and no lock of ours is taken.
class KafkaReader final : public stream::SourceReader {
 public:
  explicit KafkaReader(KafkaReaderSpec spec);
  ~KafkaReader() override;

  /// Begins to fetch. Once, before the first poll.
  [[nodiscard]] Status start();

  [[nodiscard]] const SchemaRef& schema() const override { return spec_.schema; }
  [[nodiscard]] Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) override;
  [[nodiscard]] std::int64_t position() const override { return position_; }
  void on_wake(std::function<void()> wake) override;
  [[nodiscard]] Result<bool> has_rows() override;
  [[nodiscard]] std::string memo() const override {
    return spec_.drops_replays ? filter_.to_text() : std::string();
  }
  [[nodiscard]] Status recall(std::string_view memo) override;
  [[nodiscard]] Status begin_history(std::int64_t position) override;

 private:
  using Messages = std::span<rd_kafka_message_t* const>;

  // Messages taken from the queue and not given yet, oldest first.
  [[nodiscard]] Messages held() const { return {held_.data() + first_, end_ - first_}; }
  void drop_first();

  bool refill();
  bool refill_or_arm();
  Result<bool> skip_events();
  Status read_event(const rd_kafka_message_t& event);
  [[nodiscard]] bool is_settled_loss(const rd_kafka_message_t& event) const;
  [[nodiscard]] Status check(rd_kafka_resp_err_t error, std::string_view reason);
  [[nodiscard]] std::size_t select(std::size_t rows_max, std::int64_t limit) const;
  [[nodiscard]] std::size_t drop_replays(std::size_t count);
  void tell_of_replay(std::int64_t offset);
  void give(std::size_t count, Batch& out);
  Status note_times(Messages messages);
  void note_drained(std::size_t rows, std::size_t bytes);
  void on_queue_event();
  [[nodiscard]] std::optional<KafkaRange> ask_range() const;
  Status on_gone_topic();
  Status on_lost_position();
  Status begin_at(std::int64_t position);
  Status begin_again_at(std::int64_t position);
  Status leave_history(std::int64_t position, std::string_view words);

  const KafkaReaderSpec spec_;
  const KafkaMessageColumns columns_;
  const bool reads_time_;
  rd_kafka_queue_t* queue_ = nullptr;
  bool is_started_ = false;
  bool has_restarted_ = false;  ///< another history has begun, and nobody was told yet
  bool awaits_topic_ = false;   ///< the next topic of that name; set until it gives something
  std::int64_t position_ = 0;
  std::int64_t end_seen_ = 0;  ///< below it nothing is left to come: an end that the queue told of
  std::int64_t lost_position_ = -1;  ///< the newest that the client said is lost
  std::array<rd_kafka_message_t*, kBatchRowsMax> held_{};
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  bool expects_more_ = true;       ///< the last look at the queue did not reach its end
  std::size_t drained_rows_ = 0;   ///< since the fetchers were last told of room
  std::size_t drained_bytes_ = 0;  ///< the same
  formats::PositionFilter filter_;
  std::int64_t passed_ =
      0;  ///< with the records that are given next, replays behind them are passed
  bool has_told_of_replays_ = false;
  std::function<void()> wake_;                                    ///< set before the first poll
  rd_kafka_resp_err_t queue_error_ = RD_KAFKA_RESP_ERR_NO_ERROR;  ///< the partition's, not passing
  std::atomic<bool> is_armed_{false};  ///< an idle poll waits for one wake
};

}  // namespace millrace::connectors
