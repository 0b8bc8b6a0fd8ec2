#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr time(const char* text) { return lit(text).cast(TypeKind::kTimestamp); }

std::string written(const char* text, const char* pattern, EvaluationSettings settings = {}) {
  return result_text(call("date_format", {time(text), lit(pattern)}), settings);
}

std::string read(const char* text, const char* pattern, EvaluationSettings settings = {}) {
  return result_text(call("try_to_timestamp", {lit(text), lit(pattern)}), settings);
}

EvaluationSettings in(const char* zone) { return {*TimeZone::find(zone), true}; }

TEST(TimeFormat, WritesNumbersAndNames) {
  constexpr const char* kTime = "2024-02-29T12:34:56.789Z";
  EXPECT_EQ(written(kTime, "yyyy-MM-dd HH:mm:ss.SSS"), "'2024-02-29 12:34:56.789'");
  EXPECT_EQ(written(kTime, "EEE d MMM yy, h:mm a"), "'Thu 29 Feb 24, 12:34 PM'");
  EXPECT_EQ(written("1969-12-31T23:59:59.999999Z", "yyyy-MM-dd HH:mm:ss.SSS"),
            "'1969-12-31 23:59:59.999'");
  EXPECT_EQ(written("1969-12-31T23:59:59.999999Z", "EEE d MMM yy, h:mm a"),
            "'Wed 31 Dec 69, 11:59 PM'");
  EXPECT_EQ(written(kTime, "EEEE, MMMM D QQQ G"), "'Thursday, February 60 Q1 AD'");
  EXPECT_EQ(written(kTime, "y 'o''clock' K k SSSSSSSSS"), "'2024 o''clock 0 12 789000000'");
}

TEST(TimeFormat, WritesTheZone) {
  constexpr const char* kTime = "2024-02-29T12:34:56Z";
  EXPECT_EQ(written(kTime, "HH X XX XXX x Z ZZZZ O VV"), "'12 Z Z Z +00 +0000 GMT GMT UTC'");
  EXPECT_EQ(written(kTime, "HH X XX XXX xxx Z ZZZZ O VV", in("America/New_York")),
            "'07 -05 -0500 -05:00 -05:00 -0500 GMT-05:00 GMT-5 America/New_York'");
  EXPECT_EQ(written(kTime, "X O", in("Asia/Kolkata")), "'+0530 GMT+5:30'");
}

TEST(TimeFormat, RefusesPatternsThatAreNone) {
  EXPECT_NE(written("2024-02-29", "yyyy-MM-dd b").find("the letter b means nothing"),
            std::string::npos);
  EXPECT_NE(written("2024-02-29", "yyyy 'x").find("a quote is never closed"), std::string::npos);
  EXPECT_NE(written("2024-02-29", "HHH").find("HHH has a number of letters"), std::string::npos);
  EXPECT_NE(read("Thu", "EEE").find("the letter E is only for writing"), std::string::npos);
}

TEST(TimeParsing, ReadsByPattern) {
  EXPECT_EQ(read("29/02/2024 07:08", "dd/MM/yyyy HH:mm"), "'2024-02-29 07:08:00'");
  EXPECT_EQ(read("31/12/1969 00:00", "dd/MM/yyyy HH:mm"), "'1969-12-31 00:00:00'");
  EXPECT_EQ(read("29.02.2024 12:30", "dd.MM.yyyy HH:mm"), "'2024-02-29 12:30:00'");
  EXPECT_EQ(read("20240229123456", "yyyyMMddHHmmss"), "'2024-02-29 12:34:56'");
  EXPECT_EQ(read("29 feb 24, 1:05 pm", "d MMM yy, h:mm a"), "'2024-02-29 13:05:00'");
  EXPECT_EQ(read("2024-02-29 12:34:56.5", "yyyy-MM-dd HH:mm:ss.SSS"), "'2024-02-29 12:34:56.5'");
  EXPECT_EQ(read("2024-060", "yyyy-DDD"), "'2024-02-29 00:00:00'");
  EXPECT_EQ(read("12:30", "HH:mm"), "'1970-01-01 12:30:00'");
  EXPECT_EQ(read("2024-02-29T12:00+0530", "yyyy-MM-dd'T'HH:mmZ"), "'2024-02-29 06:30:00'");
  EXPECT_EQ(read("2024-02-29 12:00 Europe/Berlin", "yyyy-MM-dd HH:mm VV"), "'2024-02-29 11:00:00'");
  EXPECT_EQ(read("2024-02-29", "yyyy-MM-dd[ HH:mm]"), "'2024-02-29 00:00:00'");
  EXPECT_EQ(read("2024-02-29 08:09", "yyyy-MM-dd[ HH:mm]"), "'2024-02-29 08:09:00'");
}

TEST(TimeParsing, IsStrict) {
  EXPECT_EQ(read("2024-02-29T12:30:00Z", "dd.MM.yyyy HH:mm"), "null");
  EXPECT_EQ(read("30/02/2024", "dd/MM/yyyy"), "null");
  EXPECT_EQ(read("1/02/2024", "dd/MM/yyyy"), "null");
  EXPECT_EQ(read("01/02/2024 x", "dd/MM/yyyy"), "null");
  EXPECT_EQ(read("12:60", "HH:mm"), "null");
  EXPECT_EQ(read("24:00", "HH:mm"), "null");
  EXPECT_EQ(read("12024", "yyyy"), "null");
}

TEST(TimeParsing, FailsTheRowOrGivesNull) {
  const Expr bad = call("to_timestamp", {lit("x"), lit("yyyy")});
  EXPECT_NE(result_text(bad).find("cannot read 'x' by the pattern 'yyyy'"), std::string::npos);
  EXPECT_EQ(result_text(bad, {&TimeZone::utc(), false}), "null");
  EXPECT_NE(result_text(call("to_date", {lit("abc")})).find("'abc' is no date"), std::string::npos);
  EXPECT_EQ(result_text(call("try_to_timestamp", {lit("abc")})), "null");
}

TEST(TimeParsing, GivesDates) {
  EXPECT_EQ(result_text(call("to_date", {lit("29/02/2024 07:08"), lit("dd/MM/yyyy HH:mm")})),
            "'2024-02-29'");
  EXPECT_EQ(result_text(call("to_date", {lit("2024-02-29 10:00:00")})), "'2024-02-29'");
  EXPECT_EQ(result_text(call("to_date", {time("2024-02-29T02:00:00Z")}), in("America/New_York")),
            "'2024-02-28'");
}

TEST(UnixTime, CutsTowardsTheEpoch) {
  EXPECT_EQ(result_text(call("unix_timestamp", {time("2024-02-29T12:34:56.789Z")})),
            "'1709210096'");
  EXPECT_EQ(result_text(call("unix_timestamp", {time("1969-12-31T23:59:59.999999Z")})), "'0'");
  EXPECT_EQ(result_text(call("unix_timestamp", {lit("2024-02-29 12:34:56")})), "'1709210096'");
  EXPECT_EQ(result_text(call("to_unix_timestamp", {lit("2016-04-08"), lit("yyyy-MM-dd")})),
            "'1460073600'");
  EXPECT_EQ(result_text(call("from_unixtime", {lit(std::int64_t{1709210096})})),
            "'2024-02-29 12:34:56'");
  EXPECT_EQ(result_text(call("from_unixtime", {lit(0), lit("yyyy HH")}), in("America/New_York")),
            "'1969 19'");
}

TEST(Names, AreShort) {
  EXPECT_EQ(result_text(call("dayname", {time("2024-02-29")})), "'Thu'");
  EXPECT_EQ(result_text(call("monthname", {time("2024-02-29")})), "'Feb'");
}

}  // namespace
}  // namespace millrace::stream
