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

}  // namespace
}  // namespace millrace::actors
