#pragma once

#include "millrace/error.hpp"

#include "connectors/kafka_client.hpp"

#include <librdkafka/rdkafka.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace millrace::connectors {

/// Bytes of a batch with this record alone, as brokers count.
[[nodiscard]] std::int64_t kafka_batch_size(const rd_kafka_message_t& message);

/// One topic that a producer writes to: its handle, how large a record it takes, and what is known
/// of its partitions.
///
/// A broker refuses a whole batch when the batch is larger than the topic's limit, and does not say
/// which record it means. So what is on its way to a topic whose limit is below the client's
/// batches is kept below the limit here, and whatever the client makes of it fits.
///
/// Owned by its producer, and made by it; any thread.
class KafkaTarget {
 public:
  /// `conf` is taken over. Without a handle (`is_valid`), the name is none for a topic.
  KafkaTarget(const KafkaClient& client, const std::string& name, rd_kafka_topic_conf_t* conf,
              std::int32_t partitions, std::int64_t record_bytes_max);
  ~KafkaTarget() { close(); }
  KafkaTarget(const KafkaTarget&) = delete;
  KafkaTarget& operator=(const KafkaTarget&) = delete;

  /// The target that a message of a client's callback was produced to.
  [[nodiscard]] static KafkaTarget& of(const rd_kafka_message_t& message) {
    return *static_cast<KafkaTarget*>(rd_kafka_topic_opaque(message.rkt));
  }

  /// Gives the handle back. The object must stay until the client is gone: records that it gives up
  /// then still name it. Idempotent.
  void close();

  [[nodiscard]] bool is_valid() const { return handle_ != nullptr; }
  [[nodiscard]] rd_kafka_topic_t* handle() const { return handle_; }
  [[nodiscard]] std::string name() const { return rd_kafka_topic_name(handle_); }
  /// When it was first seen; 0: no broker told.
  [[nodiscard]] std::int32_t partitions() const { return partitions_; }

  /// How large a batch, be it of one record, the topic takes at most; kUnknown when no broker told.
  static constexpr std::int64_t kUnknown = INT64_MAX;
  [[nodiscard]] std::int64_t record_bytes_max() const {
    return record_bytes_max_.load(std::memory_order_relaxed);
  }
  void set_record_bytes_max(std::int64_t bytes) { record_bytes_max_.store(bytes); }

  /// Whether the broker took a record for a copy while none of ours is surely in the partition: it
  /// is one when an answer was lost, and the broker then knows the records before it. When it is
  /// the first, nobody knows.
  [[nodiscard]] bool is_doubtful(const rd_kafka_message_t& message);

  /// A record is acknowledged. One thread per partition at a time.
  void note_end(const rd_kafka_message_t& message);
  /// Just past the newest record that is acknowledged, in each of the first so many partitions; 0
  /// where none of ours is.
  [[nodiscard]] std::map<std::int32_t, std::int64_t> acknowledged_ends(
      std::int32_t partitions) const;

  /// Whoever produces with care holds it from before await_room() until the record is handed over,
  /// or, when nothing may travel beside the record, until it is done with.
  [[nodiscard]] std::unique_lock<std::mutex> take_turn() { return std::unique_lock(turn_); }
  /// Waits, some seconds at most, until a record of so many bytes and those on their way are no
  /// more than `bytes_max` together; until nothing is on its way when it alone is more.
  [[nodiscard]] Status await_room(std::int64_t bytes, std::int64_t bytes_max);
  /// A record produced with care is on its way, or done with. `bytes` as batches count.
  void depart(std::int64_t bytes) { on_their_way_.fetch_add(bytes); }
  void arrive(std::int64_t bytes);
  /// A record produced alone is done with.
  void settle(rd_kafka_resp_err_t outcome);
  /// What became of it. Waits, some seconds at most.
  [[nodiscard]] Result<rd_kafka_resp_err_t> await_outcome();

 private:
  static constexpr std::int32_t kPartitionsMax = 4096;  ///< those beyond share the last place

  rd_kafka_topic_t* handle_;
  const std::int32_t partitions_;
  std::atomic<std::int64_t> record_bytes_max_;
  std::array<std::atomic<bool>, kPartitionsMax> is_sure_{};
  std::array<std::atomic<std::int64_t>, kPartitionsMax> ends_{};  ///< 0: none of ours yet

  std::mutex turn_;
  std::mutex mutex_;  ///< guards outcome_, and the wait for it and for room
  std::condition_variable arrived_;
  std::optional<rd_kafka_resp_err_t> outcome_;
  std::atomic<std::int64_t> on_their_way_{0};
};

}  // namespace millrace::connectors
