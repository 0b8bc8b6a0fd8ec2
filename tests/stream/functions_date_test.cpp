#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr date(const char* text) { return lit(text).cast(TypeKind::kDate); }
Expr time(const char* text) { return lit(text).cast(TypeKind::kTimestamp); }

EvaluationSettings not_ansi() { return {&TimeZone::utc(), false}; }

TEST(DateArithmetic, MovesByDays) {
  EXPECT_EQ(result_text("date_add", {date("2024-02-29"), lit(1)}), "'2024-03-01'");
  EXPECT_EQ(result_text("date_add", {date("1969-12-31"), lit(1)}), "'1970-01-01'");
  EXPECT_EQ(result_text("date_sub", {date("2024-02-29"), lit(60)}), "'2023-12-31'");
  EXPECT_EQ(result_text("date_sub", {date("2023-12-31"), lit(60)}), "'2023-11-01'");
  EXPECT_EQ(result_text(date("2024-02-29") + lit(1)), "'2024-03-01'");
  EXPECT_EQ(result_text(lit(1) + date("2024-02-29")), "'2024-03-01'");
  EXPECT_EQ(result_text(date("2024-03-01") - lit(1)), "'2024-02-29'");
  EXPECT_EQ(result_text("date_add", {lit("2024-02-29"), lit(1)}), "'2024-03-01'");
}

TEST(DateArithmetic, LeavesTextsBesideNumbersNumbers) {
  EXPECT_EQ(result_text(lit("12") + lit(1)), "'13'");
}

TEST(DateArithmetic, MovesByMonths) {
  EXPECT_EQ(result_text("add_months", {date("2024-02-29"), lit(12)}), "'2025-02-28'");
  EXPECT_EQ(result_text("add_months", {date("2024-02-29"), lit(-1)}), "'2024-01-29'");
  EXPECT_EQ(result_text("add_months", {date("2023-12-31"), lit(-1)}), "'2023-11-30'");
  EXPECT_EQ(result_text("add_months", {date("1969-12-31"), lit(12)}), "'1970-12-31'");
}

TEST(DateArithmetic, CountsDays) {
  EXPECT_EQ(result_text("datediff", {date("2024-02-29"), date("2024-01-01")}), "'59'");
  EXPECT_EQ(result_text("datediff", {date("1969-12-31"), date("2024-01-01")}), "'-19724'");
  EXPECT_EQ(result_text("date_diff", {date("2023-12-31"), date("2024-01-01")}), "'-1'");
}

TEST(DateArithmetic, FindsDaysOfTheCalendar) {
  EXPECT_EQ(result_text("last_day", {date("2024-02-01")}), "'2024-02-29'");
  EXPECT_EQ(result_text("last_day", {date("1969-12-31")}), "'1969-12-31'");
  EXPECT_EQ(result_text("next_day", {date("2024-02-29"), lit("MON")}), "'2024-03-04'");
  EXPECT_EQ(result_text("next_day", {date("2023-12-31"), lit("monday")}), "'2024-01-01'");
  EXPECT_EQ(result_text("next_day", {date("1969-12-31"), lit("Mo")}), "'1970-01-05'");
  EXPECT_EQ(result_text("next_day", {date("2024-03-04"), lit("mon")}), "'2024-03-11'");
}

TEST(DateArithmetic, RefusesDaysThatAreNone) {
  EXPECT_TRUE(
      result_text("next_day", {date("2024-02-29"), lit("xx")}).find("no day of the week: 'xx'") !=
      std::string::npos);
  EXPECT_EQ(result_of("next_day", {date("2024-02-29"), lit("xx")}, not_ansi()), "null");
}

TEST(DateTruncation, CutsDates) {
  EXPECT_EQ(result_text("trunc", {date("2024-02-29"), lit("month")}), "'2024-02-01'");
  EXPECT_EQ(result_text("trunc", {date("1969-12-31"), lit("MM")}), "'1969-12-01'");
  EXPECT_EQ(result_text("trunc", {date("2024-02-29"), lit("week")}), "'2024-02-26'");
  EXPECT_EQ(result_text("trunc", {date("2024-05-29"), lit("QUARTER")}), "'2024-04-01'");
  EXPECT_EQ(result_text("trunc", {date("2024-05-29"), lit("yyyy")}), "'2024-01-01'");
  EXPECT_EQ(result_text("trunc", {date("2024-05-29"), lit("day")}), "null");
}

TEST(MonthsBetween, CountsWholeMonthsAndPartsOf31Days) {
  EXPECT_EQ(result_text("months_between", {date("2024-02-29"), date("2024-01-31")}), "'1.0'");
  EXPECT_EQ(result_text("months_between", {date("2023-12-31"), date("2024-01-31")}), "'-1.0'");
  EXPECT_EQ(result_text("months_between", {date("1969-12-31"), date("2024-01-31")}), "'-649.0'");
  EXPECT_EQ(result_text("months_between", {time("1997-02-28 10:30:00"), time("1996-10-30")}),
            "'3.94959677'");
  EXPECT_EQ(
      result_text("months_between", {time("1997-02-28 10:30:00"), time("1996-10-30"), lit(false)}),
      "'3.9495967741935485'");
}

TEST(DateMaking, MakesDatesOfParts) {
  EXPECT_EQ(result_text("make_date", {lit(2024), lit(2), lit(29)}), "'2024-02-29'");
  EXPECT_TRUE(result_text("make_date", {lit(2023), lit(2), lit(29)})
                  .find("there is no date of year 2023, month 2, day 29") != std::string::npos);
  EXPECT_EQ(result_of("make_date", {lit(2023), lit(2), lit(29)}, not_ansi()), "null");
  EXPECT_EQ(result_text("unix_date", {date("1970-01-02")}), "'1'");
  EXPECT_EQ(result_text("date_from_unix_date", {lit(-1)}), "'1969-12-31'");
}

TEST(DateArithmetic, IsNullOfNulls) {
  ExpressionCase rows({{"d", TypeKind::kDate}}, {{Value::null(TypeKind::kDate)}});
  EXPECT_EQ(rows.value(col("d") + lit(1)), "null");
  EXPECT_EQ(rows.value(call("last_day", {col("d")})), "null");
  EXPECT_EQ(rows.value(call("next_day", {col("d"), lit("MON")})), "null");
}

}  // namespace
}  // namespace millrace::stream
