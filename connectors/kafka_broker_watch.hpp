#pragma once

#include "millrace/log.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace millrace::connectors {

/// Says in one line that no broker answers any more, and in one that one answers again. Owned by a
/// client; told by the client's own threads. `note_response` comes with every response and costs
/// one relaxed load while all is well.
///
/// A broker answers when it has served a request: to be told that a connection is refused, by a
/// wrong password say, is no answer.
class KafkaBrokerWatch {
 public:
  /// `owner` begins each line ("source clicks").
  KafkaBrokerWatch(std::string owner, std::string bootstrap, LogFunction log)
      : owner_(std::move(owner)), bootstrap_(std::move(bootstrap)), log_(std::move(log)) {}

  /// A connection failed; kept as the reason to give, without what the client advises on settings
  /// once a broker has served us under these. `refusal`, where it is not empty, says that it will
  /// fail again until somebody does this.
  void note_failure(std::string_view reason, std::string_view refusal = "");
  /// Every broker is unreachable, or takes connections and says nothing.
  void note_all_down();
  /// A broker has answered a request of this kind (the protocol's API key).
  void note_response(std::int16_t api_key) {
    if (needs_note_.load(std::memory_order_relaxed)) [[unlikely]]
      note_change(api_key);
    if (api_key == kInitProducerId) [[unlikely]]
      has_producer_id_.store(true, std::memory_order_relaxed);
  }
  /// Whether an idempotent producer has got its id, without which it sends nothing.
  [[nodiscard]] bool has_producer_id() const {
    return has_producer_id_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_down() const { return is_down_.load(std::memory_order_relaxed); }
  /// Whether a broker has answered at all, and be it to refuse what comes next.
  [[nodiscard]] bool has_answered() const { return has_answered_.load(std::memory_order_relaxed); }
  /// Whether a broker has refused us as we are, and none has served us since.
  [[nodiscard]] bool is_refused() const { return is_refused_.load(std::memory_order_relaxed); }
  /// The last reason given, for an error message.
  [[nodiscard]] std::string last_failure() const;
  /// The last reason that may tell why it will fail for ever, when one came since a broker served
  /// us; else the last. The client does not give its reason each time.
  [[nodiscard]] std::string telling_failure() const;
  /// What is to be done about the last refusal.
  [[nodiscard]] std::string last_refusal() const;
  [[nodiscard]] const std::string& bootstrap() const { return bootstrap_; }

 private:
  static constexpr std::int16_t kInitProducerId = 22;

  // Said while a connection is made, before the broker knows who we are.
  static bool is_handshake(std::int16_t api_key) {
    constexpr std::int16_t kSaslHandshake = 17;
    constexpr std::int16_t kApiVersions = 18;
    constexpr std::int16_t kSaslAuthenticate = 36;
    return api_key == kSaslHandshake || api_key == kApiVersions || api_key == kSaslAuthenticate;
  }
  void note_change(std::int16_t api_key);

  const std::string owner_;
  const std::string bootstrap_;
  const LogFunction log_;
  std::atomic<bool> is_down_{false};
  std::atomic<bool> is_refused_{false};
  std::atomic<bool> has_answered_{false};
  std::atomic<bool> has_served_{false};
  std::atomic<bool> needs_note_{true};  ///< one of the three says that the next response is news
  std::atomic<bool> has_producer_id_{false};
  mutable std::mutex mutex_;  ///< guards the texts
  std::string last_failure_;
  std::string telling_failure_;
  std::string last_refusal_;
};

}  // namespace millrace::connectors
