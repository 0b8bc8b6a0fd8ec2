#pragma once

#include "millrace/error.hpp"
#include "millrace/log.hpp"

#include "connectors/kafka_broker_watch.hpp"
#include "connectors/kafka_settings.hpp"

#include <librdkafka/rdkafka.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace millrace::connectors {

/// What a client is made from.
struct KafkaClientSpec {
  std::string owner;  ///< begins each log line: "source clicks"
  KafkaRole role = KafkaRole::kSource;
  KafkaSettings settings;
  LogFunction log;
  std::stop_token cancelled;  ///< whoever waits for a broker gives up
  /// Called on the client's threads when it can never work again (fenced, out of sequence).
  std::function<void(Error)> on_fatal;
  /// Called by the broker's thread for every produced record that is done with, well or not: the
  /// cheapest report there is, no thread of ours is woken. `opaque` goes along.
  rd_kafka_interceptor_f_on_acknowledgement_t* on_acknowledgement = nullptr;
  void* opaque = nullptr;
};

/// One client of a Kafka cluster: owns the library's handle and serves its errors, so that nobody
/// has to poll it. Errors reach the library's background thread, which sleeps while there are none.
/// Created and destroyed on the starting thread; the handle may be used from any.
class KafkaClient {
 public:
  [[nodiscard]] static Result<std::unique_ptr<KafkaClient>> create(KafkaClientSpec spec);
  ~KafkaClient();
  KafkaClient(const KafkaClient&) = delete;
  KafkaClient& operator=(const KafkaClient&) = delete;

  /// What was found wrong with a partition (its topic is gone, may not be read) while the calling
  /// thread last took messages from that partition's queue; asking forgets it.
  [[nodiscard]] static rd_kafka_resp_err_t take_queue_error();

  /// Passes a line of the library's own on to the log, for kafka.debug. Any thread.
  void say(std::string_view facility, std::string_view line) const;
  [[nodiscard]] rd_kafka_t* handle() const { return handle_; }
  /// Whose client it is ("source clicks"): what each of its errors begins with.
  [[nodiscard]] const std::string& owner() const { return spec_.owner; }
  [[nodiscard]] const KafkaBrokerWatch& watch() const { return watch_; }
  /// Says that brokers are waited for, once, when the client itself has not noticed it yet: it
  /// takes ten seconds to give up on a broker that takes connections and says nothing.
  void note_silence() const { watch_.note_all_down(); }
  /// Makes the threads that fetch look at once whether a full queue has room again: clients before
  /// 2.2 do so by themselves only when something else wakes them, up to a second later. Any thread.
  void nudge_fetchers() const;
  /// Waits a moment for the cluster; kCancelled when the start was called off meanwhile.
  [[nodiscard]] Status wait_a_moment() const;
  /// An error that says who could not be reached, and the last reason the client gave.
  [[nodiscard]] Error unreachable(std::string_view doing, std::string_view detail) const;
  /// kInvalidArgument when to wait makes nothing better: says who refuses what, and what to do.
  [[nodiscard]] Status check_not_refused() const;
  /// The same for who has waited for seconds: what was one accident among others at first is the
  /// rule by now. Blocks for some seconds at most.
  [[nodiscard]] Status check_not_refused_for_long() const;

 private:
  [[nodiscard]] Error refused(std::string_view refusal) const;
  explicit KafkaClient(KafkaClientSpec spec);
  Status open();
  void serve(rd_kafka_event_t* event);
  void tell_of_fatal();

  KafkaClientSpec spec_;
  mutable KafkaBrokerWatch watch_;  ///< thread-safe
  const std::string sasl_username_;
  const std::string sasl_password_;
  rd_kafka_t* handle_ = nullptr;
};

}  // namespace millrace::connectors
