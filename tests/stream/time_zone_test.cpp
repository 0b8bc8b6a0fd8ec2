#include "stream/time_zone.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kHour = 3600 * kSecond;

const TimeZone& zone(std::string_view name) { return **TimeZone::find(name); }

TEST(TimeZone, FollowsDaylightSaving) {
  const TimeZone& new_york = zone("America/New_York");

  EXPECT_EQ(new_york.to_local(1'709'210'096 * kSecond), 1'709'192'096 * kSecond);  // winter: -5 h
  EXPECT_EQ(new_york.to_local(1'720'000'000 * kSecond), 1'719'985'600 * kSecond);  // summer: -4 h
  EXPECT_EQ(new_york.to_utc(1'709'192'096 * kSecond), 1'709'210'096 * kSecond);
  EXPECT_EQ(new_york.to_utc(1'719'985'600 * kSecond), 1'720'000'000 * kSecond);
}

TEST(TimeZone, TakesTheFirstOfTwoEqualLocalTimes) {
  // 2024-11-03 01:30 comes twice, at 05:30Z and at 06:30Z.
  EXPECT_EQ(zone("America/New_York").to_utc(1'730'597'400 * kSecond), 1'730'611'800 * kSecond);
}

TEST(TimeZone, PutsATimeThatNeverComesBehindTheGap) {
  // 2024-03-10 02:30 is skipped: 03:30 daylight time is 07:30Z.
  EXPECT_EQ(zone("America/New_York").to_utc(1'710'037'800 * kSecond), 1'710'055'800 * kSecond);
}

TEST(TimeZone, KnowsOffsetsByNumber) {
  EXPECT_EQ(zone("UTC").to_local(7), 7);
  EXPECT_EQ(zone("Z").to_local(7), 7);
  EXPECT_EQ(zone("+02:00").to_local(0), 2 * kHour);
  EXPECT_EQ(zone("-0530").to_local(0), -5 * kHour - kHour / 2);
  EXPECT_EQ(zone("GMT+8").to_local(0), 8 * kHour);
}

TEST(TimeZone, BearsTheEndsOfTime) {
  constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(zone("+02:00").to_local(kMaximum), kMaximum);
  EXPECT_EQ(zone("Europe/Berlin").to_utc(std::numeric_limits<std::int64_t>::min()),
            std::numeric_limits<std::int64_t>::min());
}

TEST(TimeZone, RefusesWhatIsNone) {
  for (const char* name : {"", "Mars/Olympus", "+19:00", "+2:60", "UTC+", "../../etc/passwd"})
    EXPECT_FALSE(TimeZone::find(name)) << name;
  EXPECT_EQ(TimeZone::find("Berlin").error().message,
            "unknown time zone: Berlin; accepted: names like Europe/Berlin, UTC, offsets like "
            "+02:00");
}

}  // namespace
}  // namespace millrace::stream
