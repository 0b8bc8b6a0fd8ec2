#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace millrace::stream {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Comparison, IsNullWhenASideIs) {
  ExpressionCase rows({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}},
                      {{Value::int32(1), Value::int32(2)},
                       {Value::null(), Value::int32(2)},
                       {Value::int32(1), Value::null()},
                       {Value::int32(2), Value::int32(2)}});

  EXPECT_EQ(rows.values(col("a") < col("b")), (Texts{"true", "null", "null", "false"}));
  EXPECT_EQ(rows.values(col("a") == col("b")), (Texts{"false", "null", "null", "true"}));
  EXPECT_EQ(rows.values(col("a") != lit(Value::null())), (Texts{"null", "null", "null", "null"}));
}

TEST(Comparison, OrdersDoublesTotally) {
  ExpressionCase rows({{"a", TypeKind::kDouble}, {"b", TypeKind::kDouble}},
                      {{Value::real(kNan), Value::real(kNan)},
                       {Value::real(kNan), Value::real(kInfinity)},
                       {Value::real(kInfinity), Value::real(kNan)},
                       {Value::real(0.0), Value::real(-0.0)},
                       {Value::real(-kInfinity), Value::real(1)}});

  EXPECT_EQ(rows.values(col("a") == col("b")), (Texts{"true", "false", "false", "true", "false"}));
  EXPECT_EQ(rows.values(col("a") != col("b")), (Texts{"false", "true", "true", "false", "true"}));
  EXPECT_EQ(rows.values(col("a") < col("b")), (Texts{"false", "false", "true", "false", "true"}));
  EXPECT_EQ(rows.values(col("a") <= col("b")), (Texts{"true", "false", "true", "true", "true"}));
  EXPECT_EQ(rows.values(col("a") > col("b")), (Texts{"false", "true", "false", "false", "false"}));
  EXPECT_EQ(rows.values(col("a") >= col("b")), (Texts{"true", "true", "false", "true", "false"}));
}

TEST(Comparison, ComparesTextsByBytes) {
  ExpressionCase rows({{"a", TypeKind::kString}}, {{Value::string("")},
                                                   {Value::string("a")},
                                                   {Value::string("ab")},
                                                   {Value::string("b")},
                                                   {Value::string("\xC3\xA9")},
                                                   {Value::null()}});

  EXPECT_EQ(rows.values(col("a") < lit("ab")),
            (Texts{"true", "true", "false", "false", "false", "null"}));
  EXPECT_EQ(rows.values(col("a") == lit("ab")),
            (Texts{"false", "false", "true", "false", "false", "null"}));
  EXPECT_EQ(rows.values(col("a") == lit("")),
            (Texts{"true", "false", "false", "false", "false", "null"}));
}

TEST(Comparison, WidensTheNarrowerSide) {
  ExpressionCase rows({{"i", TypeKind::kInt32}, {"l", TypeKind::kInt64}, {"d", TypeKind::kDouble}},
                      {{Value::int32(3), Value::int64(3'000'000'000), Value::real(3.5)}});

  EXPECT_EQ(rows.value(col("i") < col("l")), "true");
  EXPECT_EQ(rows.value(col("i") < col("d")), "true");
  EXPECT_EQ(rows.value(col("l") > col("d")), "true");
}

TEST(Comparison, ReadsATextLiteralAsDateOrTimestamp) {
  ExpressionCase rows({{"d", TypeKind::kDate}, {"ts", TypeKind::kTimestamp}},
                      {{Value(TypeKind::kDate, std::int32_t{19'782}),
                        Value(TypeKind::kTimestamp, std::int64_t{1'500'000})}});

  EXPECT_EQ(rows.value(col("d") == lit("2024-02-29")), "true");
  EXPECT_EQ(rows.value(col("ts") < lit("1970-01-01 00:00:02")), "true");
  EXPECT_EQ(rows.value(col("d") > col("ts")), "true");
  EXPECT_EQ(rows.value(col("d") == lit("29.2.2024")),
            "cannot cast '29.2.2024' to date in cast('29.2.2024' as date)");
}

TEST(Comparison, ComparesBooleansAndBytes) {
  ExpressionCase rows({{"b", TypeKind::kBoolean}, {"x", TypeKind::kBytes}},
                      {{Value::boolean(false), Value(TypeKind::kBytes, std::string("\0\xff", 2))}});

  EXPECT_EQ(rows.value(col("b") < lit(true)), "true");
  EXPECT_EQ(rows.value(col("x") == lit(Value(TypeKind::kBytes, std::string("\0\xff", 2)))), "true");
}

TEST(Comparison, RefusesTypesThatDoNotMeet) {
  ExpressionCase rows({{"s", TypeKind::kString}, {"i", TypeKind::kInt32}}, {});

  EXPECT_EQ(rows.type_of(col("s") == col("i")),
            "operator = does not take string = int; it takes: int = int, bigint = bigint, double = "
            "double, string = string, bytes = bytes, boolean = boolean, date = date, timestamp = "
            "timestamp; in s = i");
}

}  // namespace
}  // namespace millrace::stream
