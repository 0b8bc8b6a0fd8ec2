#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr time(const char* text) { return lit(text).cast(TypeKind::kTimestamp); }

EvaluationSettings in(const char* zone) { return {*TimeZone::find(zone), true}; }

std::string cut(const char* unit, const char* text) {
  return result_text("date_trunc", {lit(unit), time(text)});
}

TEST(TimeTruncation, CutsToEveryUnit) {
  constexpr const char* kTime = "2024-02-29T12:34:56.789Z";
  EXPECT_EQ(cut("hour", kTime), "'2024-02-29 12:00:00'");
  EXPECT_EQ(cut("DAY", kTime), "'2024-02-29 00:00:00'");
  EXPECT_EQ(cut("week", kTime), "'2024-02-26 00:00:00'");
  EXPECT_EQ(cut("month", kTime), "'2024-02-01 00:00:00'");
  EXPECT_EQ(cut("quarter", kTime), "'2024-01-01 00:00:00'");
  EXPECT_EQ(cut("year", kTime), "'2024-01-01 00:00:00'");
  EXPECT_EQ(cut("second", kTime), "'2024-02-29 12:34:56'");
  EXPECT_EQ(cut("millisecond", kTime), "'2024-02-29 12:34:56.789'");
  EXPECT_EQ(cut("bogus", kTime), "null");
}

TEST(TimeTruncation, CutsBeforeTheEpochTowardsThePast) {
  constexpr const char* kTime = "1969-12-31T23:59:59.999999Z";
  EXPECT_EQ(cut("hour", kTime), "'1969-12-31 23:00:00'");
  EXPECT_EQ(cut("week", kTime), "'1969-12-29 00:00:00'");
  EXPECT_EQ(cut("quarter", kTime), "'1969-10-01 00:00:00'");
  EXPECT_EQ(cut("second", kTime), "'1969-12-31 23:59:59'");
  EXPECT_EQ(cut("millisecond", kTime), "'1969-12-31 23:59:59.999'");
  EXPECT_EQ(cut("minute", kTime), "'1969-12-31 23:59:00'");
}

TEST(TimeTruncation, FollowsTheZone) {
  const auto cut_at = [](const char* unit, const char* text) {
    ExpressionCase rows;
    return rows.under(in("America/New_York"))
        .value(call("unix_seconds", {call("date_trunc", {lit(unit), time(text)})}));
  };
  EXPECT_EQ(cut_at("day", "2024-03-10T07:30:00Z"), "1710046800");   // 05:00 UTC
  EXPECT_EQ(cut_at("day", "2024-03-10T03:30:00Z"), "1709960400");   // the day before, 05:00 UTC
  EXPECT_EQ(cut_at("hour", "2024-03-10T07:30:00Z"), "1710054000");  // 07:00 UTC
  // 01:30 comes twice; each is cut to its own hour.
  EXPECT_EQ(cut_at("hour", "2024-11-03T05:30:00Z"), "1730610000");
  EXPECT_EQ(cut_at("hour", "2024-11-03T06:30:00Z"), "1730613600");
}

TEST(TimeParts, GiveTheClockOfTheZone) {
  EXPECT_EQ(result_text(call("hour", {time("2024-03-10T07:30:00Z")}), in("America/New_York")),
            "'3'");
  EXPECT_EQ(result_text(call("hour", {time("2024-03-10T03:30:00Z")}), in("America/New_York")),
            "'22'");
}

TEST(TimeParts, TakeATimeApart) {
  const auto parts = [](const char* text) {
    std::string all;
    for (const char* part : {"year", "month", "day", "hour", "minute", "second", "dayofweek",
                             "weekday", "dayofyear", "weekofyear", "quarter"}) {
      ExpressionCase rows;
      all += (all.empty() ? "" : " ") + rows.value(call(part, {time(text)}));
    }
    return all;
  };
  EXPECT_EQ(parts("2024-02-29T12:34:56.789Z"), "2024 2 29 12 34 56 5 3 60 9 1");
  EXPECT_EQ(parts("1969-12-31T23:59:59.999999Z"), "1969 12 31 23 59 59 4 2 365 1 4");
  EXPECT_EQ(parts("2023-12-31T00:00:00Z"), "2023 12 31 0 0 0 1 6 365 52 4");
}

TEST(TimeParts, AreGivenByName) {
  const auto part = [](const char* name, const char* text) {
    return result_text("date_part", {lit(name), time(text)});
  };
  EXPECT_EQ(part("second", "2024-02-29T12:34:56.789Z"), "'56.789000'");
  EXPECT_EQ(part("SECONDS", "1969-12-31T23:59:59.999999Z"), "'59.999999'");
  EXPECT_EQ(part("second", "2023-12-31"), "'0.000000'");
  EXPECT_EQ(part("week", "1969-12-31T23:59:59Z"), "'1'");
  EXPECT_EQ(part("yearofweek", "1969-12-31T23:59:59Z"), "'1970'");
  EXPECT_EQ(part("dow", "2024-02-29"), "'5'");
  EXPECT_EQ(part("dow_iso", "2024-02-29"), "'4'");
  EXPECT_EQ(part("epoch", "1969-12-31T23:59:59.5Z"), "'-0.500000'");
  EXPECT_EQ(
      result_text("extract", {lit("day"), call("make_interval", {lit(0), lit(0), lit(1), lit(3)})}),
      "'10'");
  ExpressionCase rows;
  EXPECT_EQ(rows.type_of(call("date_part", {lit("second"), time("2024-02-29")})), "decimal(8,6)");
  EXPECT_NE(rows.type_of(call("date_part", {lit("bogus"), time("2024-02-29")})).find("date_part"),
            std::string::npos);
}

TEST(TimeMaking, MakesTimesOfParts) {
  const auto made = [](int minute, const char* second) {
    return call("make_timestamp", {lit(2024), lit(2), lit(29), lit(12), lit(minute),
                                   lit(second).cast(DataType::decimal(4, 2))});
  };
  EXPECT_EQ(result_text(made(34, "56.5")), "'2024-02-29 12:34:56.5'");
  EXPECT_EQ(result_text(made(59, "60")), "'2024-02-29 13:00:00'");
  EXPECT_NE(result_text(made(59, "60.5")).find("there is no time"), std::string::npos);
  EXPECT_NE(result_text(made(60, "0")).find("there is no time"), std::string::npos);
  EXPECT_EQ(result_text("make_timestamp", {lit(2024), lit(2), lit(29), lit(12), lit(0), lit(1.25),
                                           lit("Europe/Berlin")}),
            "'2024-02-29 11:00:01.25'");
}

TEST(TimeNumbers, CountFromTheEpoch) {
  constexpr const char* kBefore = "1969-12-31T23:59:59.999999Z";
  EXPECT_EQ(result_text("unix_seconds", {time(kBefore)}), "'-1'");
  EXPECT_EQ(result_text("unix_millis", {time(kBefore)}), "'-1'");
  EXPECT_EQ(result_text("unix_micros", {time(kBefore)}), "'-1'");
  EXPECT_EQ(result_text("timestamp_millis", {lit(std::int64_t{1709210096789})}),
            "'2024-02-29 12:34:56.789'");
  EXPECT_EQ(result_text("timestamp_micros", {lit(std::int64_t{1709210096789})}),
            "'1970-01-20 18:46:50.096789'");
  EXPECT_EQ(result_text("timestamp_millis", {lit(-1)}), "'1969-12-31 23:59:59.999'");
  EXPECT_EQ(result_text("timestamp_seconds", {lit(1230219000)}), "'2008-12-25 15:30:00'");
  EXPECT_EQ(result_text("timestamp_seconds", {lit(1230219000.123)}), "'2008-12-25 15:30:00.123'");
  EXPECT_NE(result_text("timestamp_millis", {lit(std::int64_t{1} << 62)}).find("out of range"),
            std::string::npos);
}

TEST(TimeZones, MoveTimes) {
  EXPECT_EQ(result_text("from_utc_timestamp", {time("2016-08-31"), lit("Asia/Seoul")}),
            "'2016-08-31 09:00:00'");
  EXPECT_EQ(result_text("to_utc_timestamp", {time("2016-08-31"), lit("Asia/Seoul")}),
            "'2016-08-30 15:00:00'");
  EXPECT_EQ(result_text("convert_timezone", {lit("Europe/Brussels"), lit("America/Los_Angeles"),
                                             time("2021-12-06 00:00:00")}),
            "'2021-12-05 15:00:00'");
  EXPECT_EQ(result_text(call("current_timezone", {}), in("America/New_York")),
            "'America/New_York'");
  EXPECT_NE(result_text("from_utc_timestamp", {time("2016-08-31"), lit("Mars/Base")})
                .find("unknown time zone: Mars/Base"),
            std::string::npos);
}

TEST(TimeUnits, AreAddedAndCounted) {
  const auto plus = [](const char* unit, int count, const char* text) {
    return result_text("timestampadd", {lit(unit), lit(count), time(text)});
  };
  EXPECT_EQ(plus("hour", 8, "2022-02-11 20:30:00"), "'2022-02-12 04:30:00'");
  EXPECT_EQ(plus("MONTH", 1, "2022-01-31"), "'2022-02-28 00:00:00'");
  EXPECT_EQ(plus("week", -1, "2022-02-11"), "'2022-02-04 00:00:00'");
  const auto count = [](const char* unit, const char* begin, const char* end) {
    return result_text("timestampdiff", {lit(unit), time(begin), time(end)});
  };
  EXPECT_EQ(count("MONTH", "2021-02-28 12:00:00", "2021-03-28 11:59:59"), "'0'");
  EXPECT_EQ(count("MONTH", "2021-02-28 12:00:00", "2021-03-28 12:00:00"), "'1'");
  EXPECT_EQ(count("YEAR", "2021-01-01", "1900-03-28"), "'-120'");
  EXPECT_EQ(count("hour", "2022-02-11 20:30:00", "2022-02-12 04:29:00"), "'7'");
}

TEST(Now, IsOneTimeForAllRows) {
  ManualClock clock(WallTime(1'709'210'096'789'000));
  EvaluationSettings settings = in("Asia/Tokyo");
  settings.clock = &clock;
  ExpressionCase rows({{"n", TypeKind::kInt32}}, {{Value::int32(1)}, {Value::int32(2)}});
  rows.under(settings);
  EXPECT_EQ(rows.values(call("unix_micros", {call("now", {})})),
            (Texts{"1709210096789000", "1709210096789000"}));
  EXPECT_EQ(rows.value(call("current_date", {}).cast(TypeKind::kString)), "'2024-02-29'");
  clock.advance_us(3 * 3600 * std::int64_t{1'000'000});
  EXPECT_EQ(rows.value(call("current_date", {}).cast(TypeKind::kString)), "'2024-03-01'");
}

TEST(Now, StaysTheSameForABatch) {
  ManualClock clock(WallTime(5'000'000));
  EvaluationSettings settings;
  settings.clock = &clock;
  ExpressionCase rows;
  rows.under(settings);
  rows.batch().set_ingest(SteadyTime(77));
  EXPECT_EQ(rows.value(call("unix_timestamp", {})), "5");
  clock.advance_us(1'000'000);
  EXPECT_EQ(rows.value(call("unix_timestamp", {})), "5");
  rows.batch().set_ingest(SteadyTime(78));
  EXPECT_EQ(rows.value(call("unix_timestamp", {})), "6");
}

TEST(Now, IsNotReproducible) {
  ExpressionCase rows;
  EXPECT_EQ(rows.bound(call("current_timestamp", {}))->kind, BoundExpr::Kind::kCall);
  EXPECT_FALSE(rows.bound(call("current_timestamp", {}))->function->is_reproducible);
}

}  // namespace
}  // namespace millrace::stream
