#include "triggers/real_time_trigger.hpp"

#include "millrace/assert.hpp"

#include <limits>

namespace millrace::triggers {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

RealTimeTrigger::RealTimeTrigger(std::int64_t interval_ms) : interval_ns_(interval_ms * kNsPerMs) {
  MILLRACE_ASSERT(interval_ms > 0 &&
                  interval_ms <= std::numeric_limits<std::int64_t>::max() / kNsPerMs);
}

bool RealTimeTrigger::should_close(SteadyTime now, const RunningEpoch& running) const {
  if (!running.saw_input || running.closed_uncommitted >= kClosedEpochsMax) return false;
  return now.value - running.started.value >= interval_ns_;
}

SteadyTime RealTimeTrigger::next_check(SteadyTime now, const RunningEpoch& running) const {
  const std::int64_t elapsed_ns = now.value - running.started.value;
  MILLRACE_ASSERT(elapsed_ns >= 0);
  const std::int64_t since_tick_ns = elapsed_ns % interval_ns_;
  return SteadyTime(now.value - since_tick_ns + interval_ns_);
}

}  // namespace millrace::triggers
