#pragma once

#include "millrace/clock.hpp"

#include "connectors/connector_context.hpp"
#include "connectors/epoch_ledger.hpp"
#include "connectors/kafka_client.hpp"
#include "connectors/kafka_limit_watch.hpp"
#include "connectors/kafka_settings.hpp"
#include "connectors/kafka_target.hpp"
#include "stream/latency_histogram.hpp"
#include "stream/sink.hpp"

#include <librdkafka/rdkafka.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::connectors {

class KafkaTopics;

/// One record as it is handed over: what the client's list of fields wants, and what it counts.
struct KafkaHandOver {
  rd_kafka_vu_t* fields = nullptr;
  std::size_t count = 0;
  rd_kafka_headers_t* headers = nullptr;  ///< among the fields; taken over in any case
  EpochLedger::Slot slot = 0;
  std::int64_t bytes = 0;     ///< key and value, as reserve() counts
  std::int64_t in_batch = 0;  ///< alone in a batch, as brokers count
};

/// A topic that a sink writes to.
struct KafkaOutputTopic {
  std::string name;                  ///< empty: each record names its own
  std::int32_t partitions_made = 0;  ///< of a topic that is missing; 0: then it is an error
};

/// The one producer behind a sink's writers: hands records to the client and learns of each one's
/// end on the client's own threads, through an interceptor. So nobody polls for delivery reports,
/// and no thread of ours is woken for them; a record costs a few atomic operations.
///
/// What the client carries for us with each record is one word: the time of hand-over and the
/// epoch's slot.
///
/// Shared by all writers of a sink; thread-safe. Lives until the sink is destroyed.
class KafkaProducer {
 public:
  static constexpr std::int64_t kRecordsMax = 16'384;
  static constexpr std::int64_t kBytesMax = 32 << 20;
  /// A topic column may name so many topics.
  static constexpr std::size_t kTopicsMax = 1'000;

  [[nodiscard]] static Result<std::unique_ptr<KafkaProducer>> create(
      const std::string& sink, KafkaSettings settings, const ConnectorContext& context);
  ~KafkaProducer();

  void set_events(stream::SinkEvents events);
  /// False when enough is in flight; on_room comes once half of it is done.
  [[nodiscard]] bool is_ready();
  /// Counts records that are about to be produced; `bytes` are keys and values.
  [[nodiscard]] Result<EpochLedger::Slot> reserve(Epoch epoch, std::int64_t records,
                                                  std::int64_t bytes);
  /// Takes back a record that will not be produced at all, and is no loss: it is dealt with.
  void withdraw(EpochLedger::Slot slot, std::int64_t bytes);
  /// Gives back what was reserved and not produced.
  void give_back(EpochLedger::Slot slot, std::int64_t records, std::int64_t bytes);
  /// Hands one record over. On failure the record has been given back.
  [[nodiscard]] Status produce(const KafkaHandOver& record);

  /// How a record of a size is to be produced.
  enum class Care {
    kNone,      ///< whatever the client sends it with, the broker takes
    kRoom,      ///< the client's batches may be larger than the topic takes
    kAlone,     ///< only the broker can say: compressed it may fit, or no limit is known
    kTooLarge,  ///< the broker will refuse it
  };
  [[nodiscard]] Care care_for(const KafkaTarget& target, std::int64_t in_batch) const {
    const std::int64_t limit = target.record_bytes_max();
    if (batch_bytes_ < limit && in_batch <= batch_bytes_) [[likely]]
      return Care::kNone;
    return care_at(limit, in_batch);
  }
  /// The word that care is told by, for the field of `pack`.
  [[nodiscard]] static void* with_care(void* word, Care care);
  /// Hands a record over so that the broker can take it, and waits for that on the calling thread:
  /// for room among those on their way, or, for one that may be too large, for the broker's answer.
  /// kBadRecord when the broker refuses it as too large: it has been withdrawn.
  [[nodiscard]] Status produce_with_care(const KafkaHandOver& record, KafkaTarget& target,
                                         Care care);
  void seal(Epoch epoch) { ledger_.seal(epoch); }

  /// A topic, looked up at first sight: then it asks the brokers, which takes some round trips, a
  /// second when there is no such topic, or longer when it is made or has no leaders yet. Writers
  /// keep the answer; that there is none is kept here for some seconds. kNotFound names the
  /// nearest, kInvalidArgument says why there can be none.
  [[nodiscard]] Result<KafkaTarget*> target(const std::string& name);
  /// How many partitions a topic has now. Asks the brokers, for those who met a number too large.
  [[nodiscard]] Result<std::int32_t> partitions_now(const std::string& name);
  /// Where each partition of a topic ends now. Asks the brokers; starting thread only.
  [[nodiscard]] Result<std::map<std::int32_t, std::int64_t>> ends_of(const std::string& topic);
  /// Whether batches are compressed, so that a record may take less than its size.
  [[nodiscard]] bool compresses() const { return compresses_; }
  /// KafkaTarget::acknowledged_ends of a topic; nothing of one that is not known. Any thread.
  [[nodiscard]] std::map<std::int32_t, std::int64_t> acknowledged_ends(const std::string& topic,
                                                                       std::int32_t partitions);
  /// Bytes of key, value and headers that the client itself takes at most.
  [[nodiscard]] std::int64_t payload_bytes_max() const { return payload_bytes_max_; }
  /// Waits until a first record would go out at once: producer id (but for a transactional one,
  /// which gets its own later), connections to the leaders. Topics that are missing, these (of
  /// which some may have no name) and those seen later, are made, or are errors, as each says.
  [[nodiscard]] Status prime(const std::vector<KafkaOutputTopic>& topics);

  /// What a record carries besides its bytes.
  [[nodiscard]] static void* pack(SteadyTime now, EpochLedger::Slot slot);

  /// For the calls of transactions; good until close(), behind prime().
  [[nodiscard]] rd_kafka_t* handle() const { return client_->handle(); }
  [[nodiscard]] const KafkaClient& client() const { return *client_; }
  [[nodiscard]] std::int64_t in_flight() const { return records_of(in_flight_.load()); }
  [[nodiscard]] std::int64_t acknowledged() const;
  [[nodiscard]] stream::LatencySnapshot acknowledge_latency() const { return latency_.snapshot(); }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  /// Drops what is not sent. No callback comes after it. Idempotent.
  void close();

 private:
  // Records and bytes in flight in one word, so that one atomic operation counts both.
  static constexpr int kByteBits = 40;
  static std::int64_t both(std::int64_t records, std::int64_t bytes) {
    return (records << kByteBits) + bytes;
  }
  static std::int64_t records_of(std::int64_t both) { return both >> kByteBits; }
  static std::int64_t bytes_of(std::int64_t both) {
    return both & ((std::int64_t{1} << kByteBits) - 1);
  }

  KafkaProducer(const std::string& sink, KafkaSettings settings, const ConnectorContext& context);
  Status open_client();
  Result<std::map<std::string, std::int32_t>> partitions_of(
      const std::vector<KafkaOutputTopic>& wanted);
  Result<std::map<std::string, std::int64_t>> learn_limits(
      const std::map<std::string, std::int32_t>& topics);
  [[nodiscard]] std::int64_t ask_limit(const std::string& topic) const;
  static rd_kafka_resp_err_t on_acknowledgement(rd_kafka_t*, rd_kafka_message_t* message,
                                                void* producer);
  Status await_leaders(const std::string& name, std::int32_t partitions);
  [[nodiscard]] Care care_at(std::int64_t limit, std::int64_t in_batch) const;
  Status hand_over_with_care(const KafkaHandOver& record, KafkaTarget& target);
  Result<KafkaTarget*> find_target(const std::string& name);
  Status await_topic(const std::string& name, KafkaTopics& topics);
  Result<KafkaTarget*> add_target(const std::string& name, std::int32_t partitions,
                                  std::int64_t limit);
  void remember_missing(const std::string& name, const Error& error);
  void watch_limits();
  void look_at_limits();
  void note_done(const rd_kafka_message_t& message);
  void report_failure(Error error);
  void release(std::int64_t records, std::int64_t bytes);
  static bool is_low(std::int64_t both);

  const std::string owner_;
  KafkaSettings settings_;
  const ConnectorContext context_;
  const Clock& clock_;
  const std::int64_t payload_bytes_max_;
  const bool compresses_;
  const bool is_transactional_;
  std::int64_t batch_bytes_;  ///< what the client makes a batch of at most, but for a single record
  EpochLedger ledger_;
  stream::SinkEvents events_;
  stream::LatencyHistogram latency_;
  alignas(64) std::atomic<std::int64_t> in_flight_{0};
  alignas(64) std::atomic<std::int64_t> reserved_{0};  ///< records ever
  std::atomic<std::int64_t> not_written_{0};           ///< of them given back or failed
  std::atomic<bool> is_waited_for_{false};             ///< a writer was refused
  std::atomic<bool> has_failed_{false};
  std::atomic<bool> is_closing_{false};

  std::int32_t partitions_made_ = 0;  ///< of a topic that is missing; 0: it is an error
  std::mutex mutex_;                  ///< guards targets_ and missing_
  std::map<std::string, std::unique_ptr<KafkaTarget>, std::less<>> targets_;
  struct Missing {
    std::chrono::steady_clock::time_point found_out;
    Error error;
  };
  std::map<std::string, Missing, std::less<>> missing_;
  std::unique_ptr<KafkaClient> client_;
  std::unique_ptr<KafkaLimitWatch> limit_watch_;
};

}  // namespace millrace::connectors
