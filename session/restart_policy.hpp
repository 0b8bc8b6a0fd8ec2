#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include <cstdint>
#include <optional>

namespace millrace::session {

/// Whether and how a query that failed starts again.
struct RestartOptions {
  bool is_on = false;
  std::int64_t delay_ms = 1'000;       ///< before the first restart; each further one waits twice
  std::int64_t delay_max_ms = 60'000;  ///< ...as long, but never longer than this
  std::int64_t reset_after_ms = 600'000;  ///< a run of this length makes the next delay the first
};

/// Whether what failed so may go well when it is tried again: a broker or a disk. Anything else
/// fails again, or is better looked at by somebody: a job that is refused, a bad record, records
/// that are gone, a damaged checkpoint, one that another owner has taken.
[[nodiscard]] bool may_pass(const Error& cause);

/// Says how long a query that failed waits before it starts again. A pure decision over times that
/// are passed in; used by one thread.
class RestartPolicy {
 public:
  explicit RestartPolicy(const RestartOptions& options) : options_(options) {}

  /// The query runs from `now` on.
  void note_start(SteadyTime now) { started_ = now; }
  /// It failed at `now`, or could not be started: ms to wait, or nothing when it stays down.
  [[nodiscard]] std::optional<std::int64_t> delay_ms(const Error& cause, SteadyTime now);

 private:
  const RestartOptions options_;
  std::optional<SteadyTime> started_;  ///< of the run that goes on
  std::int64_t next_ms_ = 0;           ///< 0: the first delay
};

}  // namespace millrace::session
