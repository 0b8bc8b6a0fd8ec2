#include "connectors/kafka_tail.hpp"

#include "connectors/kafka_offsets.hpp"
#include "connectors/kafka_record_position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace millrace::connectors {
namespace {

using Clock = std::chrono::steady_clock;
using formats::RecordPosition;

struct QueueDeleter {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
};
struct TopicDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};

/// Reads the tails of one topic's partitions.
class TailReader {
 public:
  TailReader(const KafkaClient& client, const KafkaTailSpec& spec, const LogFunction& log)
      : client_(client),
        spec_(spec),
        log_(log),
        topic_(rd_kafka_topic_new(client.handle(), spec.topic.c_str(), nullptr)),
        queue_(rd_kafka_queue_new(client.handle())) {
    for (const auto& [number, from] : spec_.from)
      partitions_.push_back({fmt::format("{}-{}", spec.topic, number), spec.topic, number});
  }
  ~TailReader() {
    for (const std::int32_t number : started_) rd_kafka_consume_stop(topic_.get(), number);
  }
  TailReader(const TailReader&) = delete;
  TailReader& operator=(const TailReader&) = delete;

  Result<operators::WrittenMarks> run() {
    if (partitions_.empty()) return operators::WrittenMarks();
    MILLRACE_ASSIGN(const std::vector<KafkaRange> ranges, wait_for_ranges());
    for (std::size_t i = 0; i < partitions_.size(); ++i) MILLRACE_TRY(start(i, ranges[i]));
    auto quiet_since = Clock::now();
    // Done when all that there was is read, nothing of ours has come for a while, and the leaders
    // say that there is no more.
    while (!has_reached(ends_) || Clock::now() - quiet_since < spec_.settle) {
      if (take_messages()) quiet_since = Clock::now();
      MILLRACE_TRY(check());
      if (has_reached(ends_) && Clock::now() - quiet_since >= spec_.settle)
        MILLRACE_TRY(refresh_ends());
    }
    return std::move(tail_);
  }

 private:
  Result<std::vector<KafkaRange>> wait_for_ranges() {
    for (;;) {
      Result<std::vector<KafkaRange>> ranges = ranges_of(client_, partitions_);
      if (ranges || ranges.error().code != ErrorCode::kUnavailable) return ranges;
      MILLRACE_TRY(client_.check_not_refused());
      MILLRACE_TRY(client_.wait_a_moment());
    }
  }

  Status start(std::size_t i, const KafkaRange& range) {
    const std::int32_t number = partitions_[i].number;
    std::int64_t from = spec_.from.at(number);
    if (from == kFromTheBeginning) from = range.first;
    if (!range.takes(from)) {
      const std::string lost = fmt::format(
          "topic {}, partition {}: what this query wrote behind its newest commit begins at offset "
          "{}, and the partition holds {} to {}",
          spec_.topic, number, from, range.first, range.end);
      if (!spec_.goes_on_without) {
        return fail(ErrorCode::kDataLoss,
                    lost + "; on_lost_tail = 'continue' goes on, and may write some records twice");
      }
      if (log_) log_(LogLevel::kWarning, lost + "; some records may be written twice");
      from = range.first;
    }
    reached_[number] = from;
    ends_[number] = range.end;
    if (rd_kafka_consume_start_queue(topic_.get(), number, from, queue_.get()) != 0) {
      return fail(ErrorCode::kIo,
                  fmt::format("topic {}, partition {} cannot be read: {}", spec_.topic, number,
                              rd_kafka_err2str(rd_kafka_last_error())));
    }
    started_.push_back(number);
    return {};
  }

  /// True when one of them was ours.
  bool take_messages() {
    constexpr int kWaitMs = 20;
    constexpr std::size_t kMany = 512;
    std::array<rd_kafka_message_t*, kMany> messages{};
    const auto count =
        rd_kafka_consume_batch_queue(queue_.get(), kWaitMs, messages.data(), messages.size());
    bool is_ours = false;
    for (ssize_t i = 0; i < count; ++i) {
      is_ours = take(*messages[static_cast<std::size_t>(i)]) || is_ours;
      rd_kafka_message_destroy(messages[static_cast<std::size_t>(i)]);
    }
    return is_ours;
  }

  bool take(const rd_kafka_message_t& message) {
    if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      reached_[message.partition] = std::max(reached_[message.partition], message.offset);
      return false;
    }
    if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) lost_ = message.partition;
      return false;  // all others pass, or the broker is asked and tells
    }
    reached_[message.partition] = std::max(reached_[message.partition], message.offset + 1);
    const auto position = record_position_of(message);
    if (!position || position->checkpoint != spec_.checkpoint ||
        position->generation != spec_.generation) {
      return false;
    }
    stream::OutputMark& newest = tail_[{position->writer, position->source}][message.partition];
    newest = std::max(newest, position->mark);
    return true;
  }

  Status check() {
    if (lost_) {
      return fail(ErrorCode::kDataLoss, fmt::format("topic {}, partition {}: records were removed "
                                                    "while they were read",
                                                    spec_.topic, *lost_));
    }
    return has_reached(ends_) ? Status() : client_.check_not_refused();
  }

  Status refresh_ends() {
    MILLRACE_ASSIGN(const std::vector<KafkaRange> ranges, wait_for_ranges());
    for (std::size_t i = 0; i < partitions_.size(); ++i)
      ends_[partitions_[i].number] = ranges[i].end;
    return {};
  }

  [[nodiscard]] bool has_reached(const std::map<std::int32_t, std::int64_t>& ends) const {
    return std::ranges::all_of(
        ends, [&](const auto& end) { return reached_.at(end.first) >= end.second; });
  }

  const KafkaClient& client_;
  const KafkaTailSpec& spec_;
  const LogFunction& log_;
  std::unique_ptr<rd_kafka_topic_t, TopicDeleter> topic_;
  std::unique_ptr<rd_kafka_queue_t, QueueDeleter> queue_;
  std::vector<stream::SourcePartition> partitions_;
  std::vector<std::int32_t> started_;
  std::map<std::int32_t, std::int64_t> reached_;
  std::map<std::int32_t, std::int64_t> ends_;
  std::optional<std::int32_t> lost_;
  operators::WrittenMarks tail_;
};

}  // namespace

Result<operators::WrittenMarks> read_kafka_tail(const KafkaClient& client,
                                                const KafkaTailSpec& spec, const LogFunction& log) {
  return TailReader(client, spec, log).run();
}

}  // namespace millrace::connectors
