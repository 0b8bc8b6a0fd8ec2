#include "state/retention.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::int64_t kMinuteUs = 60 * kSecondUs;
constexpr std::int64_t kNoonUs = 1'700'006'400 * kSecondUs;  // a whole minute

const RetentionOptions kKeepTwo{.keep_newest = 2, .retain_for_ms = 5 * 60'000};

std::vector<std::int64_t> removed(std::vector<RetainedEpoch> committed, std::int64_t now_us,
                                  const RetentionOptions& options = kKeepTwo) {
  std::vector<std::int64_t> numbers;
  for (const Epoch epoch : epochs_to_remove(committed, WallTime(now_us), options)) {
    numbers.push_back(epoch.value);
  }
  return numbers;
}

RetainedEpoch at(std::int64_t epoch, std::int64_t us_from_noon) {
  return {Epoch(epoch), WallTime(kNoonUs + us_from_noon)};
}

using Numbers = std::vector<std::int64_t>;

TEST(Retention, KeepsTheNewestWhateverTheirAge) {
  EXPECT_EQ(removed({}, kNoonUs), Numbers{});
  EXPECT_EQ(removed({at(0, 0)}, kNoonUs + 1000 * kMinuteUs), Numbers{});
  EXPECT_EQ(removed({at(0, 0), at(1, 1)}, kNoonUs + 1000 * kMinuteUs), Numbers{});
}

TEST(Retention, ThinsOlderEpochsToTheFirstOfEachMinute) {
  EXPECT_EQ(removed({at(0, 0), at(1, 10 * kSecondUs), at(2, 59 * kSecondUs), at(3, kMinuteUs),
                     at(4, kMinuteUs + 1), at(5, kMinuteUs + 2), at(6, kMinuteUs + 3)},
                    kNoonUs + 2 * kMinuteUs),
            (Numbers{1, 2, 4}));
}

TEST(Retention, RemovesWhatIsOlderThanRetainFor) {
  const std::vector<RetainedEpoch> committed = {at(0, 0), at(1, kMinuteUs), at(2, 2 * kMinuteUs),
                                                at(3, 3 * kMinuteUs)};
  EXPECT_EQ(removed(committed, kNoonUs + 5 * kMinuteUs), Numbers{});
  EXPECT_EQ(removed(committed, kNoonUs + 5 * kMinuteUs + 1000), Numbers{0});
  EXPECT_EQ(removed(committed, kNoonUs + 50 * kMinuteUs), (Numbers{0, 1}));
}

TEST(Retention, HasNothingToDoAfterItWasDone) {
  EXPECT_EQ(removed({at(0, 0), at(3, kMinuteUs), at(5, kMinuteUs + 2), at(6, kMinuteUs + 3)},
                    kNoonUs + 2 * kMinuteUs),
            Numbers{});
}

TEST(Retention, IsBoundedWhenTheWallClockWasFarAhead) {
  std::vector<RetainedEpoch> committed;
  for (std::int64_t i = 0; i < 20; ++i) committed.push_back(at(i, (100 + i) * kMinuteUs));

  EXPECT_EQ(removed(committed, kNoonUs), (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(Retention, BearsTimesAtTheEndsOfTheRange) {
  EXPECT_EQ(
      removed(
          {{Epoch(0), WallTime(INT64_MIN)}, {Epoch(1), WallTime(INT64_MAX)}, at(2, 0), at(3, 0)},
          kNoonUs),
      Numbers{0});
}

TEST(Retention, KeepsAnHourOfTenMillisecondEpochsUnderAThousandFiles) {
  const RetentionOptions options;
  std::vector<RetainedEpoch> committed;
  std::size_t largest = 0;

  for (std::int64_t i = 0; i < 366'000; ++i) {
    const WallTime now(kNoonUs + i * 10'000);
    committed.push_back({Epoch(i), now});
    for (const Epoch epoch : epochs_to_remove(committed, now, options)) {
      std::erase_if(committed, [&](const RetainedEpoch& entry) { return entry.epoch == epoch; });
    }
    largest = std::max(largest, committed.size());
  }

  EXPECT_EQ(largest, 160u);  // 100 whole and 60 minutes, three files each
}

}  // namespace
}  // namespace millrace::state
