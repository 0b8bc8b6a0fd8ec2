#include "triggers/real_time_trigger.hpp"

#include <gtest/gtest.h>

namespace millrace::triggers {
namespace {

SteadyTime at_ms(std::int64_t ms) { return SteadyTime(ms * 1'000'000); }

RunningEpoch busy_since(std::int64_t start_ms) {
  return {.started = at_ms(start_ms), .saw_input = true, .closed_uncommitted = 0};
}

TEST(RealTimeTrigger, ClosesAnEpochThatLastedTheInterval) {
  const RealTimeTrigger trigger(10);

  EXPECT_FALSE(trigger.should_close(SteadyTime(109'999'999), busy_since(100)));
  EXPECT_TRUE(trigger.should_close(at_ms(110), busy_since(100)));
}

TEST(RealTimeTrigger, LeavesAnEpochWithoutInputOpen) {
  const RealTimeTrigger trigger(10);

  RunningEpoch idle = busy_since(100);
  idle.saw_input = false;

  EXPECT_FALSE(trigger.should_close(at_ms(100'000), idle));
}

TEST(RealTimeTrigger, LetsTheEpochGrowWhileTwoAreClosedAndUncommitted) {
  const RealTimeTrigger trigger(10);

  RunningEpoch running = busy_since(100);
  running.closed_uncommitted = 1;
  EXPECT_TRUE(trigger.should_close(at_ms(110), running));
  running.closed_uncommitted = 2;
  EXPECT_FALSE(trigger.should_close(at_ms(110), running));
  EXPECT_FALSE(trigger.should_close(at_ms(5000), running));
}

TEST(RealTimeTrigger, IsAskedNextWhenTheIntervalIsOver) {
  const RealTimeTrigger trigger(10);

  EXPECT_EQ(trigger.next_check(at_ms(100), busy_since(100)), at_ms(110));
  EXPECT_EQ(trigger.next_check(at_ms(104), busy_since(100)), at_ms(110));
}

TEST(RealTimeTrigger, KeepsItsRhythmWhileIdle) {
  const RealTimeTrigger trigger(10);

  EXPECT_EQ(trigger.next_check(at_ms(110), busy_since(100)), at_ms(120));
  EXPECT_EQ(trigger.next_check(at_ms(1237), busy_since(100)), at_ms(1240));
}

TEST(RealTimeTrigger, ClosesOnceAndNotInABurstAfterAStall) {
  const RealTimeTrigger trigger(10);
  std::int64_t epoch_start_ms = 100;
  int closed = 0;

  for (std::int64_t now_ms = 200; now_ms < 230; ++now_ms) {
    if (!trigger.should_close(at_ms(now_ms), busy_since(epoch_start_ms))) continue;
    epoch_start_ms = now_ms;
    ++closed;
  }

  EXPECT_EQ(closed, 3);
  EXPECT_EQ(epoch_start_ms, 220);
}

}  // namespace
}  // namespace millrace::triggers
