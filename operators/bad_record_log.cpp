#include "operators/bad_record_log.hpp"

#include <fmt/format.h>

namespace millrace::operators {

void BadRecordLog::note(std::string_view source, std::string_view place, std::string_view reason,
                        std::string_view fate) {
  untold_.fetch_add(1);
  const std::int64_t now = clock_.steady().value;
  std::int64_t next = next_ns_.load();
  // Of the threads that come at the same moment one speaks.
  if (now < next || !next_ns_.compare_exchange_strong(next, now + kIntervalNs)) return;
  const std::int64_t count = untold_.exchange(0);
  if (!log_ || count == 0) return;
  const std::string others =
      count == 1 ? "" : fmt::format("; {} bad records since the last such line", count);
  log_(LogLevel::kWarning,
       fmt::format("source {}: {}: {}: {}{}", source, place, reason, fate, others));
}

}  // namespace millrace::operators
