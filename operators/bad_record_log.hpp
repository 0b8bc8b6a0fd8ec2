#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace millrace::operators {

/// Tells of a query's bad records in the log: the first one at once, then at most one line in ten
/// seconds, with how many there were. Shared by all tasks of a query; any thread. Called for bad
/// records only.
class BadRecordLog {
 public:
  static constexpr std::int64_t kIntervalNs = 10'000'000'000;

  /// The clock is a borrow that outlives the log.
  BadRecordLog(LogFunction log, const Clock& clock) : log_(std::move(log)), clock_(clock) {}

  /// `place` is where the record stands, `fate` what becomes of it ("skipped").
  void note(std::string_view source, std::string_view place, std::string_view reason,
            std::string_view fate);

 private:
  const LogFunction log_;
  const Clock& clock_;
  std::atomic<std::int64_t> next_ns_{INT64_MIN};
  std::atomic<std::int64_t> untold_{0};
};

}  // namespace millrace::operators
