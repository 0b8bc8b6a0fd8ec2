#include "triggers/read_limit.hpp"

#include <gtest/gtest.h>

namespace millrace::triggers {
namespace {

using stream::Positions;

Options options(std::initializer_list<std::pair<const char*, const char*>> entries) {
  Options result;
  for (const auto& [key, value] : entries) result.set(key, value);
  return result;
}

SteadyTime at_ms(std::int64_t ms) { return SteadyTime(ms * 1'000'000); }

TEST(ReadLimit, K9SpreadsTheLimitInProportion) {
  const Positions from = {{"t-0", 100}, {"t-1", 0}, {"t-2", 7}};
  const Positions ends = {{"t-0", 400}, {"t-1", 100}, {"t-2", 7}};
  EXPECT_EQ(spread(from, ends, 100), (Positions{{"t-0", 175}, {"t-1", 25}, {"t-2", 7}}));
}

TEST(ReadLimit, K9RoundsDownAndStarvesNobody) {
  // Shares of 10: 9.97 and 0.0299 and 0.0019: down, up, up.
  const Positions from = {{"t-0", 0}, {"t-1", 0}, {"t-2", 0}};
  const Positions ends = {{"t-0", 10'000}, {"t-1", 30}, {"t-2", 2}};
  EXPECT_EQ(spread(from, ends, 10), (Positions{{"t-0", 9}, {"t-1", 1}, {"t-2", 1}}));
}

TEST(ReadLimit, TakesAllThereIsWhenThatIsLess) {
  const Positions from = {{"t-0", 1}, {"t-1", 5}};
  EXPECT_EQ(spread(from, {{"t-0", 3}, {"t-1", 9}}, 1000), (Positions{{"t-0", 3}, {"t-1", 9}}));
  EXPECT_EQ(spread(from, {{"t-0", 3}, {"t-1", 9}}, INT64_MAX), (Positions{{"t-0", 3}, {"t-1", 9}}));
  EXPECT_EQ(spread(from, {{"t-0", INT64_MAX}, {"t-1", 9}}, INT64_MAX),
            (Positions{{"t-0", INT64_MAX}, {"t-1", 9}}));
}

TEST(ReadLimit, GivesNothingForPartitionsWithoutAnEnd) {
  EXPECT_EQ(spread({{"t-0", 4}, {"t-1", 4}}, {{"t-1", 2}}, 10),
            (Positions{{"t-0", 4}, {"t-1", 4}}));
}

TEST(ReadLimit, K10WaitsForTheMinimumButNotForEver) {
  const auto limit = parse_read_limit(options(
      {{"minOffsetsPerTrigger", "10"}, {"maxOffsetsPerTrigger", "20"}, {"maxTriggerDelay", "1s"}}));
  ASSERT_TRUE(limit) << limit.error().message;
  ReadLimiter limiter(*limit);
  const Positions from = {{"t-0", 0}};
  EXPECT_EQ(limiter.plan(from, {{"t-0", 3}}, at_ms(0)), (Positions{{"t-0", 3}}))
      << "the first one does not wait";
  EXPECT_EQ(limiter.plan(from, {{"t-0", 9}}, at_ms(999)), from);
  EXPECT_EQ(limiter.plan(from, {{"t-0", 10}}, at_ms(999)), (Positions{{"t-0", 10}}));
  EXPECT_EQ(limiter.plan(from, {{"t-0", 9}}, at_ms(1998)), from);
  EXPECT_EQ(limiter.plan(from, {{"t-0", 9}}, at_ms(1999)), (Positions{{"t-0", 9}}));
  EXPECT_EQ(limiter.plan(from, {{"t-0", 50}}, at_ms(2000)), (Positions{{"t-0", 20}}));
  EXPECT_EQ(limiter.plan_without_waiting(from, {{"t-0", 2}}), (Positions{{"t-0", 2}}));
}

TEST(ReadLimit, IsReadFromItsOptions) {
  const auto none = parse_read_limit({});
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->offsets_max || none->offsets_min);
  const auto both = parse_read_limit(
      options({{"max_offsets_per_trigger", "5"}, {"min_offsets_per_trigger", "5"}}));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->offsets_max, 5);
  EXPECT_EQ(both->offsets_min, 5);
  EXPECT_EQ(both->delay_max, std::chrono::minutes(15));
}

TEST(ReadLimit, RefusesWhatCannotBe) {
  EXPECT_EQ(parse_read_limit(options({{"maxOffsetsPerTrigger", "0"}})).error().message,
            "option max_offsets_per_trigger is a number above zero, not 0");
  EXPECT_EQ(
      parse_read_limit(options({{"maxOffsetsPerTrigger", "4"}, {"minOffsetsPerTrigger", "5"}}))
          .error()
          .message,
      "option min_offsets_per_trigger, 5, is above max_offsets_per_trigger, 4");
  EXPECT_EQ(
      parse_read_limit(options({{"maxTriggerDelay", "1 s"}})).error().message,
      "option max_trigger_delay says how long an epoch waits for min_offsets_per_trigger, and "
      "none is given");
}

}  // namespace
}  // namespace millrace::triggers
