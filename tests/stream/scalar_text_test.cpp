#include "stream/scalar_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace millrace::stream {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

TEST(ScalarText, ReadsDatesOfEveryLength) {
  EXPECT_EQ(read_date("1970"), 0);
  EXPECT_EQ(read_date("1970-02"), 31);
  EXPECT_EQ(read_date(" 2024-02-29 "), 19'782);
  EXPECT_EQ(read_date("2024-2-9"), 19'762);
  EXPECT_EQ(read_date("2024-02-29T12:30:00Z"), 19'782);
  EXPECT_EQ(read_date("0001-01-01"), -719'162);
  EXPECT_EQ(read_date("2024-02-29 25:00:00"), 19'782);
  EXPECT_EQ(read_date("2024-02-29 12:34:56 America/New_York"), 19'782);
}

TEST(ScalarText, RefusesDatesThatDoNotExist) {
  for (const char* text :
       {"", "2023-02-29", "2024-13-01", "2024-00-01", "24-01-01", "2024-01-01x", "today", "2024-"})
    EXPECT_EQ(read_date(text), std::nullopt) << text;
}

TEST(ScalarText, ReadsTimestampsWithZonesAndFractions) {
  EXPECT_EQ(read_timestamp("1970-01-01"), 0);
  EXPECT_EQ(read_timestamp("1970-01-01 00:00:01.5"), 3 * kSecond / 2);
  EXPECT_EQ(read_timestamp("1970-01-01T02:00:00+02:00"), 0);
  EXPECT_EQ(read_timestamp("1969-12-31T16:00-0800"), 0);
  EXPECT_EQ(read_timestamp("1970-01-01T00:00:00.1234567Z"), 123'456);
  EXPECT_EQ(read_timestamp("1970-01-01 00:00:00 UTC"), 0);
  EXPECT_EQ(read_timestamp("1969-12-31 23:59:59.999999"), -1);
}

TEST(ScalarText, TakesATimeWithoutAZoneAsOneOfTheSession) {
  const TimeZone& new_york = **TimeZone::find("America/New_York");
  EXPECT_EQ(read_timestamp("2024-02-29 12:34:56", new_york), 1'709'228'096 * kSecond);
  EXPECT_EQ(read_timestamp("2024-03-10 02:30:00", new_york), 1'710'055'800 * kSecond);
  EXPECT_EQ(read_timestamp("2024-11-03 01:30:00", new_york), 1'730'611'800 * kSecond);
  EXPECT_EQ(read_timestamp("2024-02-29T12:34:56Z", new_york), 1'709'210'096 * kSecond);
  EXPECT_EQ(read_timestamp("2024-02-29 12:34:56 America/New_York"), 1'709'228'096 * kSecond);
}

TEST(ScalarText, RefusesTimestampsThatDoNotExist) {
  for (const char* text : {"", "1970-01-01 24:00:00", "1970-01-01 00:60",
                           "1970-01-01 00:00:00 Mars", "1970-01-01T", "1970-01-01 00:00:00+19:00"})
    EXPECT_EQ(read_timestamp(text), std::nullopt) << text;
}

TEST(ScalarText, ReadsYearsOfMoreThanFourDigitsAndBeforeChrist) {
  EXPECT_EQ(read_date("10000-01-01"), 2'932'897);
  EXPECT_EQ(read_date("+10000-01-01"), 2'932'897);
  EXPECT_EQ(read_date("-0001-01-01"), -719'893);
  EXPECT_EQ(read_date("5881580-07-11"), 2'147'483'647);
  EXPECT_EQ(read_date("5881580-07-12"), std::nullopt);
  EXPECT_EQ(read_date("-5877641-06-23"), -2'147'483'648);
  EXPECT_EQ(read_date("12345678-01-01"), std::nullopt);
  EXPECT_EQ(date_text(2'147'483'647), "+5881580-07-11");
  EXPECT_EQ(read_timestamp("12345-01-01 00:00:00"), 327'403'382'400 * kSecond);
  EXPECT_EQ(read_timestamp("294247-01-10 04:00:54.775807"), INT64_MAX);
  EXPECT_EQ(read_timestamp("294247-01-10 04:00:54.775808"), std::nullopt);
  EXPECT_EQ(read_timestamp("-290308-12-21 19:59:05.224192"), INT64_MIN);
  EXPECT_EQ(read_timestamp("-290308-12-21 19:59:05.224191"), std::nullopt);
  EXPECT_EQ(read_timestamp("294247-01-10 04:00:54.775807 +01:00"), INT64_MAX - 3600 * kSecond);
  EXPECT_EQ(read_timestamp("294247-01-10 04:00:54.775807 -01:00"), std::nullopt);
  EXPECT_EQ(read_timestamp("1234567-01-01"), std::nullopt);
}

TEST(ScalarText, TakesNothingBehindAYearOrAMonth) {
  for (const char* text : {"2024 ", "2024-02 "}) EXPECT_NE(read_date(text), std::nullopt) << text;
  for (const char* text : {"2024 12:00", "2024T", "2024-02 12:00", "2024-02T12"}) {
    EXPECT_EQ(read_date(text), std::nullopt) << text;
    EXPECT_EQ(read_timestamp(text), std::nullopt) << text;
  }
}

TEST(ScalarText, ReadsZonesByTheirShortNames) {
  EXPECT_EQ(read_timestamp("1970-01-01 00:00:00 PST"), 8 * 3600 * kSecond);
  EXPECT_EQ(read_timestamp("1970-01-01 09:00:00 JST"), 0);
}

TEST(ScalarText, WritesDatesAndTimestamps) {
  EXPECT_EQ(date_text(19'782), "2024-02-29");
  EXPECT_EQ(date_text(-719'162), "0001-01-01");
  EXPECT_EQ(date_text(-719'529), "-0001-12-31");
  EXPECT_EQ(date_text(2'932'897), "+10000-01-01");
  EXPECT_EQ(timestamp_text(1'500'000), "1970-01-01 00:00:01.5");
  EXPECT_EQ(timestamp_text(0), "1970-01-01 00:00:00");
}

TEST(ScalarText, WritesTheExtremesIntoItsRoom) {
  EXPECT_EQ(date_text(std::numeric_limits<std::int32_t>::max()), "+5881580-07-11");
  EXPECT_EQ(date_text(std::numeric_limits<std::int32_t>::min()), "-5877641-06-23");
  EXPECT_EQ(timestamp_text(std::numeric_limits<std::int64_t>::max()),
            "+294247-01-10 04:00:54.775807");
  EXPECT_EQ(timestamp_text(std::numeric_limits<std::int64_t>::min()),
            "-290308-12-21 19:59:05.224192");
}

TEST(ScalarText, ReadsNumbers) {
  EXPECT_EQ(read_int64(" +7 "), 7);
  EXPECT_EQ(read_int64("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read_int64("9223372036854775808"), std::nullopt);
  EXPECT_EQ(read_int64("1.0"), std::nullopt);
  EXPECT_EQ(read_int64("+-1"), std::nullopt);
  EXPECT_EQ(read_double("-1.5e3"), -1500.0);
  EXPECT_EQ(read_double("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*read_double("NaN")));
  EXPECT_EQ(read_double("1,5"), std::nullopt);
  EXPECT_EQ(read_double("0x10"), std::nullopt);
  EXPECT_EQ(read_double(""), std::nullopt);
  EXPECT_EQ(read_double("--1"), std::nullopt);
  EXPECT_EQ(read_double("1.5d"), 1.5);
  EXPECT_EQ(read_double("-1.5F"), -1.5);
  EXPECT_EQ(read_double("0x1p3"), 8.0);
  EXPECT_EQ(read_double("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_double("1e-400"), 0.0);
  EXPECT_EQ(read_double("d"), std::nullopt);
  EXPECT_EQ(read_int64_leniently("12.7"), 12);
  EXPECT_EQ(read_int64_leniently("."), 0);
  EXPECT_EQ(read_int64_leniently("-.5"), 0);
  EXPECT_EQ(read_int64_leniently("1e3"), std::nullopt);
  EXPECT_EQ(read_int64_leniently("1.5.2"), std::nullopt);
}

TEST(ScalarText, ReadsBooleans) {
  EXPECT_EQ(read_boolean(" YES "), true);
  EXPECT_EQ(read_boolean("0"), false);
  EXPECT_EQ(read_boolean("2"), std::nullopt);
}

TEST(ScalarText, ReadsBackTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 123456789.0, -0.001})
    EXPECT_EQ(read_double(double_text(value)), value);
}

}  // namespace
}  // namespace millrace::stream
