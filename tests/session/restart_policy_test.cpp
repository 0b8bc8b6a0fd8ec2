#include "session/restart_policy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::session {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

class RestartPolicyTest : public testing::Test {
 protected:
  std::optional<std::int64_t> fail_after_seconds(std::int64_t seconds,
                                                 ErrorCode code = ErrorCode::kUnavailable) {
    policy.note_start(now);
    now.value += seconds * kSecond;
    return policy.delay_ms({code, "the broker is away"}, now);
  }

  RestartOptions options{true, 500, 3'000, 60'000};
  RestartPolicy policy{options};
  SteadyTime now{};
};

TEST_F(RestartPolicyTest, WaitsTwiceAsLongEachTimeUpToTheLimit) {
  std::vector<std::int64_t> delays;
  for (int time = 0; time < 5; ++time) delays.push_back(fail_after_seconds(1).value());
  EXPECT_EQ(delays, (std::vector<std::int64_t>{500, 1'000, 2'000, 3'000, 3'000}));
}

TEST_F(RestartPolicyTest, BeginsAnewAfterARunThatWasLongEnough) {
  EXPECT_EQ(fail_after_seconds(1), 500);
  EXPECT_EQ(fail_after_seconds(59), 1'000);
  EXPECT_EQ(fail_after_seconds(60), 500);
  EXPECT_EQ(fail_after_seconds(1), 1'000);
}

TEST_F(RestartPolicyTest, AStartThatFailsIsNoRun) {
  EXPECT_EQ(fail_after_seconds(1), 500);
  now.value += 600 * kSecond;  // it waited for a broker
  EXPECT_EQ(policy.delay_ms({ErrorCode::kUnavailable, "still away"}, now), 1'000);
}

TEST_F(RestartPolicyTest, TheFirstDelayIsWithinTheLimit) {
  RestartPolicy strict({true, 5'000, 2'000, 60'000});
  EXPECT_EQ(strict.delay_ms({ErrorCode::kIo, "no space left on device"}, now), 2'000);
}

TEST_F(RestartPolicyTest, OnlyWhatMayPassIsTriedAgain) {
  for (const ErrorCode code : {ErrorCode::kUnavailable, ErrorCode::kIo})
    EXPECT_TRUE(fail_after_seconds(1, code)) << to_string(code);
  for (const ErrorCode code :
       {ErrorCode::kInvalidArgument, ErrorCode::kNotFound, ErrorCode::kAlreadyExists,
        ErrorCode::kBadRecord, ErrorCode::kCorrupt, ErrorCode::kLocked, ErrorCode::kConflict,
        ErrorCode::kDataLoss, ErrorCode::kNotSupported, ErrorCode::kCancelled,
        ErrorCode::kInternal})
    EXPECT_FALSE(fail_after_seconds(1, code)) << to_string(code);
}

TEST_F(RestartPolicyTest, DoesNothingUnlessItIsAsked) {
  RestartPolicy off{RestartOptions{}};
  EXPECT_FALSE(off.delay_ms({ErrorCode::kUnavailable, "away"}, now));
}

}  // namespace
}  // namespace millrace::session
