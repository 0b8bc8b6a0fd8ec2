#include "millrace/value.hpp"

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
