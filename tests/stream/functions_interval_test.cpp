#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr date(const char* text) { return lit(text).cast(TypeKind::kDate); }
Expr time(const char* text) { return lit(text).cast(TypeKind::kTimestamp); }
Expr interval(const char* text) { return lit(text).cast(TypeKind::kInterval); }

TEST(TimesAndIntervals, MoveByEveryPart) {
  const Expr january = time("2024-01-31T10:00:00Z");
  EXPECT_EQ(result_text(january + interval("1 month")), "'2024-02-29 10:00:00'");
  EXPECT_EQ(result_text(january - interval("1 year")), "'2023-01-31 10:00:00'");
  EXPECT_EQ(result_text(january + interval("36 hours")), "'2024-02-01 22:00:00'");
  EXPECT_EQ(result_text(january + interval("1 day 2 microseconds")),
            "'2024-02-01 10:00:00.000002'");
  EXPECT_EQ(result_text(january - interval("0.5 seconds")), "'2024-01-31 09:59:59.5'");
  EXPECT_EQ(result_text(january + interval("-1 month")), "'2023-12-31 10:00:00'");
  EXPECT_EQ(result_text(interval("1 month") + january), "'2024-02-29 10:00:00'");
  EXPECT_EQ(result_text(time("2024-02-29") - interval("1 year")), "'2023-02-28 00:00:00'");
}

TEST(TimesAndIntervals, KeepTheClockOverDaysButNotOverHours) {
  const EvaluationSettings new_york{*TimeZone::find("America/New_York"), true};
  const Expr before = time("2024-03-09 12:00:00");
  EXPECT_EQ(result_text(before + interval("1 day"), new_york), "'2024-03-10 12:00:00'");
  EXPECT_EQ(result_text(before + interval("24 hours"), new_york), "'2024-03-10 13:00:00'");
  EXPECT_EQ(result_text(time("2024-02-10 02:30:00") + interval("1 month"), new_york),
            "'2024-03-10 03:30:00'");
}

TEST(DatesAndIntervals, MoveByWholeDays) {
  EXPECT_EQ(result_text(date("2024-01-31") + interval("1 month 1 day")), "'2024-03-01'");
  EXPECT_EQ(result_text(date("2024-03-31") - interval("1 month")), "'2024-02-29'");
  EXPECT_EQ(result_text(interval("1 week") + date("2024-03-31")), "'2024-04-07'");
  EXPECT_EQ(result_text(date("2024-03-31") + interval("12 hours")), "'2024-03-31 12:00:00'");
}

TEST(Differences, AreIntervals) {
  EXPECT_EQ(result_text(time("2024-02-29T12:00:00Z") - time("2024-02-28T11:59:59.5Z")),
            "'24 hours 0.5 seconds'");
  EXPECT_EQ(result_text(date("2024-02-29") - date("2024-01-01")), "'59 days'");
  EXPECT_EQ(result_text(time("2024-02-29T12:00:00Z") - date("2024-02-29")), "'12 hours'");
}

TEST(IntervalArithmetic, GoesPartByPart) {
  EXPECT_EQ(result_text(interval("1 month 1 day") + interval("2 days 1 hour")),
            "'1 months 3 days 1 hours'");
  EXPECT_EQ(result_text(interval("1 month") - interval("1 day")), "'1 months -1 days'");
  EXPECT_EQ(result_text(call("-", {interval("1 year 2 hours")})), "'-1 years -2 hours'");
  EXPECT_EQ(result_text(interval("1 month 3 days") * lit(3)), "'3 months 9 days'");
  EXPECT_EQ(result_text(lit(0.5) * interval("3 days")), "'1 days 12 hours'");
  EXPECT_EQ(result_text(interval("10 days") / lit(4)), "'2 days 12 hours'");
  EXPECT_NE(result_text(interval("10 days") / lit(0)).find("division by zero"), std::string::npos);
}

TEST(IntervalMaking, TakesPartsFromTheFirstOn) {
  EXPECT_EQ(result_text(call("make_interval", {lit(100), lit(11), lit(1), lit(1), lit(12), lit(30),
                                               lit("1.001001").cast(DataType::decimal(8, 6))})),
            "'100 years 11 months 8 days 12 hours 30 minutes 1.001001 seconds'");
  EXPECT_EQ(result_text(call("make_interval", {lit(1)})), "'1 years'");
  EXPECT_EQ(result_text(call("make_interval", {})), "'0 seconds'");
  EXPECT_EQ(result_text(call("try_make_interval", {lit(2147483647)})), "null");
  EXPECT_NE(result_text(call("make_interval", {lit(2147483647)})).find("out of range"),
            std::string::npos);
}

}  // namespace
}  // namespace millrace::stream
