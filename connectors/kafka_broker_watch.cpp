#include "connectors/kafka_broker_watch.hpp"

#include <fmt/format.h>

namespace millrace::connectors {

void KafkaBrokerWatch::note_failure(std::string_view reason) {
  const std::lock_guard lock(mutex_);
  last_failure_ = reason;
}

void KafkaBrokerWatch::note_all_down() {
  if (is_down_.exchange(true) || !log_) return;
  const auto reason = last_failure();
  log_(LogLevel::kWarning, fmt::format("{}: no broker of {} answers, waiting for one{}", owner_,
                                       bootstrap_, reason.empty() ? "" : " (" + reason + ")"));
}

void KafkaBrokerWatch::note_refused(std::string_view reason) {
  note_failure(reason);
  is_refused_ = true;
}

void KafkaBrokerWatch::note_back() {
  is_refused_ = false;
  if (!is_down_.exchange(false) || !log_) return;
  log_(LogLevel::kInfo, fmt::format("{}: a broker of {} answers again", owner_, bootstrap_));
}

std::string KafkaBrokerWatch::last_failure() const {
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

}  // namespace millrace::connectors
