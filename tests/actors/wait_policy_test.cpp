#include "actors/wait_policy.hpp"

#include <gtest/gtest.h>

namespace millrace::actors {
namespace {

TEST(WaitPolicy, OfParkSleepsAtOnce) {
  EXPECT_FALSE(ParkPolicy().looks_again(SteadyTime(1000), SteadyTime(1000)));
}

TEST(WaitPolicy, OfAdaptiveLooksForFiftyMicroseconds) {
  EXPECT_TRUE(AdaptivePolicy().looks_again(SteadyTime(1000), SteadyTime(1000)));
  EXPECT_TRUE(AdaptivePolicy().looks_again(SteadyTime(1000), SteadyTime(50'999)));
  EXPECT_FALSE(AdaptivePolicy().looks_again(SteadyTime(1000), SteadyTime(51'000)));
}

TEST(WaitPolicy, OfSpinNeverSleeps) {
  EXPECT_TRUE(SpinPolicy().looks_again(SteadyTime(0), SteadyTime(3'600'000'000'000)));
}

TEST(WaitPolicy, IsFoundByItsName) {
  EXPECT_NE(dynamic_cast<const ParkPolicy*>(wait_policy_named("park")), nullptr);
  EXPECT_NE(dynamic_cast<const AdaptivePolicy*>(wait_policy_named("adaptive")), nullptr);
  EXPECT_NE(dynamic_cast<const SpinPolicy*>(wait_policy_named("spin")), nullptr);
  EXPECT_EQ(wait_policy_named("sleep"), nullptr);
}

}  // namespace
}  // namespace millrace::actors
