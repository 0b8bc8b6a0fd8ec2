#pragma once

#include "millrace/error.hpp"

#include <librdkafka/rdkafka.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace millrace::connectors {

/// Where a decider's mark is kept, and what it is.
struct KafkaMark {
  std::string group;
  std::string topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;  ///< any that is valid; tools show it
  std::string text;
};

/// The transactions of one producer, one after the other. Its calls wait for the brokers, for as
/// long as it takes, until they are told to give up. One thread at a time, but that a mark may be
/// sent while records are produced.
class KafkaTransaction {
 public:
  /// `handle` is a borrow of a producer with that transactional id. `timeout`: the brokers abort
  /// what takes longer.
  KafkaTransaction(rd_kafka_t* handle, std::string id, std::chrono::milliseconds timeout,
                   std::stop_token cancelled)
      : handle_(handle), id_(std::move(id)), timeout_(timeout), cancelled_(std::move(cancelled)) {}

  /// Fences every producer that had this id before, and ends its transaction: what was not decided
  /// is aborted.
  [[nodiscard]] Status init();
  /// From here on produced records belong to it. Asks nobody.
  [[nodiscard]] Status begin();
  /// The first record is about to be produced: the brokers' clock begins.
  void note_begun() { begun_.store(std::chrono::steady_clock::now().time_since_epoch().count()); }
  [[nodiscard]] Status send_mark(const KafkaMark& mark);
  /// After an error nobody knows what became of it but who does init() next.
  [[nodiscard]] Status commit();
  /// Best effort, some seconds at most: who reads committed records need not wait for the brokers'
  /// own clock.
  void abort();
  /// Makes calls that wait return with kCancelled. Any thread.
  void give_up() { has_given_up_.store(true); }

  /// What a failure of this producer means: kConflict when another process has taken over,
  /// kUnavailable when the brokers have ended a transaction of ours that took too long.
  [[nodiscard]] Error explain(rd_kafka_resp_err_t code, std::string_view doing,
                              std::string_view reason) const;

 private:
  template <typename Call>
  [[nodiscard]] Status wait_for(std::string_view doing, Call call);
  [[nodiscard]] bool is_over_time() const;

  rd_kafka_t* const handle_;
  const std::string id_;
  const std::chrono::milliseconds timeout_;
  const std::stop_token cancelled_;
  std::atomic<bool> has_given_up_{false};
  std::atomic<std::int64_t> begun_{0};  ///< steady clock's ticks
};

class KafkaClient;

/// The mark that a group bears, once nothing undecided is in the way of it; nothing when there is
/// none. `client` is one that reads committed records only, in that group. Waits for the brokers.
[[nodiscard]] Result<std::optional<std::string>> read_kafka_mark(const KafkaClient& client,
                                                                 const KafkaMark& place);

}  // namespace millrace::connectors
