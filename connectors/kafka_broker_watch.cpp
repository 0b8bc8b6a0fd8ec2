#include "connectors/kafka_broker_watch.hpp"

#include "connectors/kafka_refusal.hpp"

#include <fmt/format.h>

namespace millrace::connectors {

void KafkaBrokerWatch::note_failure(std::string_view reason, std::string_view refusal) {
  const std::lock_guard lock(mutex_);
  last_failure_ = has_served_ ? without_advice(reason) : std::string(reason);
  if (!has_served_ && (!lasting_refusal_of(reason).empty() || may_be_wrong_layer(reason)))
    telling_failure_ = reason;
  if (refusal.empty()) return;
  last_refusal_ = refusal;
  is_refused_ = true;
  needs_note_ = true;
}

void KafkaBrokerWatch::note_all_down() {
  const bool was_down = is_down_.exchange(true);
  needs_note_ = true;
  if (was_down || !log_) return;
  const auto reason = last_failure();
  log_(LogLevel::kWarning, fmt::format("{}: no broker of {} answers, waiting for one{}", owner_,
                                       bootstrap_, reason.empty() ? "" : " (" + reason + ")"));
}

void KafkaBrokerWatch::note_change(std::int16_t api_key) {
  has_answered_ = true;
  if (is_handshake(api_key)) return;
  has_served_ = true;
  {
    const std::lock_guard lock(mutex_);
    telling_failure_.clear();
  }
  needs_note_ = false;
  is_refused_ = false;
  if (!is_down_.exchange(false) || !log_) return;
  log_(LogLevel::kInfo, fmt::format("{}: a broker of {} answers again", owner_, bootstrap_));
}

std::string KafkaBrokerWatch::last_failure() const {
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

std::string KafkaBrokerWatch::telling_failure() const {
  const std::lock_guard lock(mutex_);
  return telling_failure_.empty() ? last_failure_ : telling_failure_;
}

std::string KafkaBrokerWatch::last_refusal() const {
  const std::lock_guard lock(mutex_);
  return last_refusal_;
}

}  // namespace millrace::connectors
