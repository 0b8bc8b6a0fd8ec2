#include "stream/time_zone.hpp"

#include "stream/calendar.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
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

std::int64_t noon_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  return (days_since_epoch({year, month, day}) * 24 + 12) * kHour;
}

TEST(TimeZone, GoesOnForEverByItsRule) {
  struct Case {
    const char* zone;
    std::int64_t year;
    std::int64_t winter_hours;  // in January
    std::int64_t summer_hours;  // in July
  };
  for (const auto& [name, year, winter, summer] : std::initializer_list<Case>{
           {"Europe/Berlin", 2037, 1, 2},
           {"Europe/Berlin", 2038, 1, 2},
           {"Europe/Berlin", 2100, 1, 2},
           {"Europe/Berlin", 2437, 1, 2},
           {"Europe/Berlin", 2438, 1, 2},
           {"Europe/Berlin", 9999, 1, 2},
           {"Europe/Berlin", 290'000, 1, 2},
           {"America/New_York", 2050, -5, -4},
           {"Australia/Sydney", 2050, 11, 10},
           {"Europe/Dublin", 2050, 0, 1},
           {"Asia/Tokyo", 2050, 9, 9},
           {"Asia/Kolkata", 1890, 5, 5},
       }) {
    const auto hours = [&](std::int64_t month) {
      return zone(name).offset_at(noon_of(year, month, 15)) / kHour;
    };
    EXPECT_EQ(hours(1), winter) << name << " " << year;
    EXPECT_EQ(hours(7), summer) << name << " " << year;
  }
}

TEST(TimeZone, ChangesClocksInFarYearsOnTheDayOfTheRule) {
  // The last Sunday of March 2100 is the 28th: 01:00Z.
  const std::int64_t change = noon_of(2100, 3, 28) - 11 * kHour;
  const TimeZone& berlin = zone("Europe/Berlin");
  EXPECT_EQ(berlin.to_local(change - kSecond), change - kSecond + kHour);
  EXPECT_EQ(berlin.to_local(change), change + 2 * kHour);
  EXPECT_EQ(berlin.to_utc(change + 2 * kHour), change);
  // Never comes: as far behind the gap's end as it lies behind its begin.
  EXPECT_EQ(berlin.to_utc(change + kHour + kHour / 2), change + kHour / 2);
  // 800 years on it is the same day of the week of the same date.
  const std::int64_t later = noon_of(2900, 3, 28) - 11 * kHour;
  EXPECT_EQ(berlin.to_local(later - kSecond), later - kSecond + kHour);
  EXPECT_EQ(berlin.to_local(later), later + 2 * kHour);
  EXPECT_EQ(berlin.to_utc(later + 2 * kHour), later);
}

TEST(TimeZone, TellsWhatItsTimeIsCalled) {
  EXPECT_EQ(zone("Europe/Berlin").abbreviation_at(noon_of(2024, 1, 1)), "CET");
  EXPECT_EQ(zone("Europe/Berlin").abbreviation_at(noon_of(2050, 7, 1)), "CEST");
  EXPECT_EQ(zone("America/Sao_Paulo").abbreviation_at(noon_of(2024, 1, 1)), "-03");
  EXPECT_EQ(zone("UTC").abbreviation_at(0), "UTC");
}

TEST(TimeZone, KnowsTheShortNamesOfJava) {
  EXPECT_EQ(zone("PST").name(), "America/Los_Angeles");
  EXPECT_EQ(zone("JST").name(), "Asia/Tokyo");
  EXPECT_EQ(zone("CST").offset_at(noon_of(2024, 7, 1)), -5 * kHour);
  EXPECT_EQ(zone("EST").offset_at(noon_of(2024, 7, 1)), -5 * kHour);
  EXPECT_EQ(zone("EST").name(), "-05:00");
  for (const char* name : {"ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST",
                           "CTT", "EAT", "ECT", "EST", "HST", "IET", "IST", "JST", "MIT", "MST",
                           "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST"})
    EXPECT_TRUE(TimeZone::find(name)) << name;
  EXPECT_FALSE(TimeZone::find("pst"));
}

TEST(TimeZone, RefusesWhatIsNone) {
  for (const char* name : {"", "Mars/Olympus", "+19:00", "+2:60", "UTC+", "../../etc/passwd",
                           "posix/Europe/Berlin", "zone.tab", "Europe", "localtime"})
    EXPECT_FALSE(TimeZone::find(name)) << name;
  EXPECT_EQ(TimeZone::find("Berlin").error().message,
            "unknown time zone: Berlin; accepted: names like Europe/Berlin, UTC, PST, "
            "offsets like +02:00");
}

}  // namespace
}  // namespace millrace::stream
