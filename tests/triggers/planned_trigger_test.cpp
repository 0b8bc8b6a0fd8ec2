#include "triggers/planned_trigger.hpp"

#include <gtest/gtest.h>

namespace millrace::triggers {
namespace {

constexpr std::int64_t kMs = 1'000'000;

SteadyTime at_ms(std::int64_t ms) { return SteadyTime(ms * kMs); }

// The wall clock stands at 1,000,000,030 ms when the steady one stands at 5,000 ms.
PlannedTrigger started(const Trigger& trigger) {
  return {trigger, WallTime(1'000'000'030'000), at_ms(5'000)};
}

TEST(PlannedTrigger, T2LiesOnTheGridOfTheWallClock) {
  EXPECT_EQ(next_on_grid_ms(0, 100), 100);
  EXPECT_EQ(next_on_grid_ms(1, 100), 100);
  EXPECT_EQ(next_on_grid_ms(99, 100), 100);
  EXPECT_EQ(next_on_grid_ms(100, 100), 200);
  EXPECT_EQ(next_on_grid_ms(101, 100), 200);
  EXPECT_EQ(next_on_grid_ms(150, 100), 200);
  EXPECT_EQ(next_on_grid_ms(-1, 100), 0);
  EXPECT_EQ(next_on_grid_ms(-100, 100), 0);
  EXPECT_EQ(next_on_grid_ms(7, 0), 7);
}

TEST(PlannedTrigger, T2PlansAtTheNextIntervalOfTheWallClock) {
  const PlannedTrigger trigger = started({TriggerKind::kProcessingTime, 100});
  EXPECT_EQ(trigger.next(at_ms(5'000), true), at_ms(5'070)) << "wall clock ...100";
  EXPECT_EQ(trigger.next(at_ms(5'069), false), at_ms(5'070));
  EXPECT_EQ(trigger.next(at_ms(5'070), true), at_ms(5'170));
  EXPECT_FALSE(trigger.starts_on_input());
}

TEST(PlannedTrigger, T2BeginsOneEpochLateAndNotSeveral) {
  const PlannedTrigger trigger = started({TriggerKind::kProcessingTime, 100});
  // Asked for at 5,070; it took until 5,420, and the next one is asked for then.
  EXPECT_TRUE(trigger.is_behind(at_ms(5'070), at_ms(5'420)));
  EXPECT_EQ(trigger.next(at_ms(5'420), true), at_ms(5'470));
  EXPECT_FALSE(trigger.is_behind(at_ms(5'470), at_ms(5'570)));
}

TEST(PlannedTrigger, T1PlansOnInputOrAfterTheDelay) {
  const PlannedTrigger trigger = started({TriggerKind::kProcessingTime, 0});
  EXPECT_TRUE(trigger.starts_on_input());
  EXPECT_EQ(trigger.next(at_ms(5'000), false), at_ms(5'100));
  EXPECT_FALSE(trigger.is_behind(at_ms(5'000), at_ms(60'000)));
}

TEST(PlannedTrigger, T4PlansTheNextEpochAtOnceUntilAllIsRead) {
  const PlannedTrigger trigger = started({TriggerKind::kAvailableNow, 0});
  EXPECT_EQ(trigger.next(at_ms(5'000), true), at_ms(5'000));
  EXPECT_EQ(trigger.next(at_ms(5'000), false), at_ms(5'100)) << "a source that is away";
}

}  // namespace
}  // namespace millrace::triggers
