#include "triggers/planned_trigger.hpp"

#include "millrace/assert.hpp"

namespace millrace::triggers {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kNsPerUs = 1'000;

std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

}  // namespace

std::int64_t next_on_grid_ms(std::int64_t now_ms, std::int64_t interval_ms) {
  if (interval_ms == 0) return now_ms;
  return (floor_divide(now_ms, interval_ms) + 1) * interval_ms;
}

PlannedTrigger::PlannedTrigger(const Trigger& trigger, WallTime wall, SteadyTime steady)
    : interval_ms_(trigger.kind == TriggerKind::kProcessingTime ? trigger.interval_ms : 0),
      is_bounded_(trigger.kind != TriggerKind::kProcessingTime),
      wall_offset_ns_(wall.value * kNsPerUs - steady.value) {
  MILLRACE_ASSERT(is_planned(trigger));
}

SteadyTime PlannedTrigger::next(SteadyTime asked, bool found) const {
  if (is_bounded_ && found) return asked;
  if (interval_ms_ == 0) return SteadyTime(asked.value + kPollingDelayMs * kNsPerMs);
  const std::int64_t asked_ms = floor_divide(asked.value + wall_offset_ns_, kNsPerMs);
  return SteadyTime(next_on_grid_ms(asked_ms, interval_ms_) * kNsPerMs - wall_offset_ns_);
}

bool PlannedTrigger::is_behind(SteadyTime begun, SteadyTime now) const {
  return interval_ms_ > 0 && now.value - begun.value > interval_ms_ * kNsPerMs;
}

}  // namespace millrace::triggers
