#include "session/restart_policy.hpp"

#include <algorithm>
#include <utility>

namespace millrace::session {

bool may_pass(const Error& cause) {
  switch (cause.code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kIo:
      return true;
    default:
      return false;
  }
}

std::optional<std::int64_t> RestartPolicy::delay_ms(const Error& cause, SteadyTime now) {
  const std::optional<SteadyTime> started = std::exchange(started_, std::nullopt);
  if (!options_.is_on || !may_pass(cause)) return std::nullopt;
  const bool was_healthy =
      started && now.value - started->value >= options_.reset_after_ms * 1'000'000;
  if (was_healthy || next_ms_ == 0) next_ms_ = options_.delay_ms;
  const std::int64_t delay = std::min(next_ms_, options_.delay_max_ms);
  next_ms_ = std::min(delay * 2, options_.delay_max_ms);
  return delay;
}

}  // namespace millrace::session
