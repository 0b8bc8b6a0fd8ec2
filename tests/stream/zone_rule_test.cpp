#include "stream/zone_rule.hpp"

#include "stream/calendar.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

std::int64_t seconds(std::int64_t year, std::int64_t month, std::int64_t day, std::int64_t hour) {
  return days_since_epoch({year, month, day}) * 86'400 + hour * 3'600;
}

std::vector<ZoneChange> changes(std::string_view rule, std::int64_t year) {
  std::vector<ZoneChange> result;
  ZoneRule::parse(rule)->add_changes(year, result);
  return result;
}

using Changes = std::vector<ZoneChange>;

TEST(ZoneRule, NamesTheWeekdayOfAMonth) {
  EXPECT_EQ(
      changes("CET-1CEST,M3.5.0,M10.5.0/3", 2050),
      (Changes{{seconds(2050, 3, 27, 1), 7200, "CEST"}, {seconds(2050, 10, 30, 1), 3600, "CET"}}));
  EXPECT_EQ(changes("EST5EDT,M3.2.0,M11.1.0", 2026),
            (Changes{{seconds(2026, 3, 8, 7), -14'400, "EDT"},
                     {seconds(2026, 11, 1, 6), -18'000, "EST"}}));
}

TEST(ZoneRule, CanBeginTheSummerBeforeTheNewYear) {
  EXPECT_EQ(changes("AEST-10AEDT,M10.1.0,M4.1.0/3", 2026),
            (Changes{{seconds(2026, 4, 4, 16), 36'000, "AEST"},
                     {seconds(2026, 10, 3, 16), 39'600, "AEDT"}}));
}

TEST(ZoneRule, CanPutClocksBackInWinter) {
  EXPECT_EQ(
      changes("IST-1GMT0,M10.5.0,M3.5.0/1", 2026),
      (Changes{{seconds(2026, 3, 29, 1), 3600, "IST"}, {seconds(2026, 10, 25, 1), 0, "GMT"}}));
}

TEST(ZoneRule, CanTellTheTimeByAnotherDay) {
  // 50 hours into the Thursday, and one hour before the Sunday begins.
  EXPECT_EQ(changes("EET-2EEST,M3.4.4/50,M10.4.4/50", 2026)[0].at_seconds, seconds(2026, 3, 28, 0));
  EXPECT_EQ(
      changes("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026),
      (Changes{{seconds(2026, 3, 29, 1), -3600, "-01"}, {seconds(2026, 10, 25, 1), -7200, "-02"}}));
}

TEST(ZoneRule, CountsDaysWithAndWithoutLeapDays) {
  EXPECT_EQ(changes("A0B,J60/0,J365/0", 2024)[0].at_seconds, seconds(2024, 3, 1, 0));
  EXPECT_EQ(changes("AAA0BBB,60/0,364/0", 2024)[0].at_seconds, seconds(2024, 3, 1, 0));
  EXPECT_EQ(changes("AAA0BBB,59/0,364/0", 2023)[0].at_seconds, seconds(2023, 3, 1, 0));
}

TEST(ZoneRule, CanHaveNoChanges) {
  const auto rule = ZoneRule::parse("<+0530>-5:30");
  ASSERT_TRUE(rule);
  EXPECT_FALSE(rule->has_changes());
  EXPECT_EQ(rule->standard(), (ZoneChange{0, 19'800, "+0530"}));
}

TEST(ZoneRule, RefusesWhatIsNone) {
  for (const char* text :
       {"", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0,",
        "CET-168", "<CET-1", "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-1:60"})
    EXPECT_FALSE(ZoneRule::parse(text)) << text;
}

}  // namespace
}  // namespace millrace::stream
