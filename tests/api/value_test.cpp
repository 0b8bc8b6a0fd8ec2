#include "millrace/value.hpp"

#include "millrace/column.hpp"
#include "millrace/expression.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace {
namespace {

TEST(Value, ShowsItselfAsSql) {
  EXPECT_EQ(Value::null().to_string(), "null");
  EXPECT_EQ(Value::boolean(true).to_string(), "true");
  EXPECT_EQ(Value::int64(std::numeric_limits<std::int64_t>::min()).to_string(),
            "-9223372036854775808");
  EXPECT_EQ(Value::string("it's").to_string(), "'it''s'");
  EXPECT_EQ(Value(TypeKind::kBytes, std::string("\x00\xff", 2)).to_string(), "x'00ff'");
  EXPECT_EQ(Value(TypeKind::kDate, std::int32_t{-1}).to_string(), "date '1969-12-31'");
  EXPECT_EQ(Value(TypeKind::kTimestamp, std::int64_t{-1}).to_string(),
            "timestamp '1969-12-31 23:59:59.999999'");
}

TEST(Value, ShowsDoublesByTheirShortestText) {
  EXPECT_EQ(Value::real(0.1).to_string(), "0.1");
  EXPECT_EQ(Value::real(100).to_string(), "100.0");
  EXPECT_EQ(Value::real(1e10).to_string(), "1.0E10");
  EXPECT_EQ(Value::real(-0.0).to_string(), "-0.0");
  EXPECT_EQ(Value::real(5e-324).to_string(), "5.0E-324");
  EXPECT_EQ(Value::real(1.7976931348623157e308).to_string(), "1.7976931348623157E308");
}

TEST(Value, ShowsDecimalsWithTheirScale) {
  EXPECT_EQ(Value::decimal(150, 10, 2).to_string(), "1.50");
  EXPECT_EQ(Value::decimal(-5, 10, 2).to_string(), "-0.05");
  EXPECT_EQ(Value::decimal(0, 3, 3).to_string(), "0.000");
  EXPECT_EQ(Value::decimal(7, 1, 0).to_string(), "7");
}

TEST(Value, ShowsIntervalsByTheirUnits) {
  EXPECT_EQ(Value::interval({14, 3, 3'723'500'000}).to_string(),
            "interval '1 years 2 months 3 days 1 hours 2 minutes 3.5 seconds'");
  EXPECT_EQ(Value::interval({-1, 0, -500'000}).to_string(), "interval '-1 months -0.5 seconds'");
  EXPECT_EQ(Value::interval({}).to_string(), "interval '0 seconds'");
}

TEST(Value, ShowsWhatIsNested) {
  EXPECT_EQ(
      Value::array(TypeKind::kInt32, {Value::int32(1), Value::null(TypeKind::kInt32)}).to_string(),
      "array[1, null]");
  EXPECT_EQ(Value::structure({{"a", Value::int32(1)}, {"b", Value::string("x")}}).to_string(),
            "row(1, 'x')");
  EXPECT_EQ(Value::map(TypeKind::kString, TypeKind::kInt32, {{Value::string("a"), Value::int32(1)}})
                .to_string(),
            "map('a', 1)");
}

TEST(Value, EqualsByTypeAndWhatIsInside) {
  EXPECT_EQ(Value::decimal(15, 3, 1), Value::decimal(15, 3, 1));
  EXPECT_FALSE(Value::decimal(15, 3, 1) == Value::decimal(150, 4, 2));
  EXPECT_EQ(Value::array(TypeKind::kInt32, {Value::int32(1)}),
            Value::array(TypeKind::kInt32, {Value::int32(1)}));
  EXPECT_FALSE(Value::array(TypeKind::kInt32, {Value::int32(1)}) ==
               Value::array(TypeKind::kInt32, {Value::int32(2)}));
}

TEST(Value, GoesIntoAColumnAndComesBack) {
  const Value inner = Value::map(TypeKind::kString, DataType::decimal(5, 2),
                                 {{Value::string("a"), Value::decimal(125, 5, 2)},
                                  {Value::string("b"), Value::null(DataType::decimal(5, 2))}});
  const Value row =
      Value::structure({{"list", Value::array(inner.type, {inner, Value::null(inner.type), inner})},
                        {"span", Value::interval({1, 2, 3})},
                        {"flag", Value::boolean(true)}});
  Column column(row.type);

  append_value(column, row);
  append_value(column, Value::null(row.type));
  append_value(column, row);

  EXPECT_EQ(value_of(column, 0), row);
  EXPECT_EQ(value_of(column, 1), Value::null(row.type));
  EXPECT_EQ(value_of(column, 2), row);
}

TEST(Expression, ShowsItselfAsSql) {
  EXPECT_EQ((col("price") * (lit(1) + col("t.rate"))).to_string(), "price * (1 + t.rate)");
  EXPECT_EQ((col("a") != lit("x") && !col("b").is_null()).to_string(),
            "(a <> 'x') and (not (b is null))");
  EXPECT_EQ(col("a").cast(TypeKind::kInt64).as("b").to_string(), "cast(a as bigint) as b");
  EXPECT_EQ(case_when({col("a"), lit(1), lit(2)}).to_string(), "case when a then 1 else 2 end");
  EXPECT_EQ(star("t").to_string(), "t.*");
  EXPECT_EQ(coalesce({col("a"), lit(0.5)}).to_string(), "coalesce(a, 0.5)");
}

}  // namespace
}  // namespace millrace
