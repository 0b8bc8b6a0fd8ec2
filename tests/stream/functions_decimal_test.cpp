#include "stream/decimal.hpp"
#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Value decimal(std::string_view digits, int precision, int scale) {
  return Value::decimal(read_decimal(digits, precision, scale)->unscaled, precision, scale);
}

/// a decimal(10,2), b decimal(5,3).
ExpressionCase prices() {
  return ExpressionCase({{"a", DataType::decimal(10, 2)}, {"b", DataType::decimal(5, 3)}},
                        {{decimal("12.34", 10, 2), decimal("1.500", 5, 3)},
                         {decimal("-0.01", 10, 2), decimal("3.000", 5, 3)},
                         {decimal("99999999.99", 10, 2), decimal("99.999", 5, 3)},
                         {Value::null(DataType::decimal(10, 2)), decimal("1.000", 5, 3)}});
}

TEST(DecimalArithmetic, HasTheTypesThatHoldEveryResult) {
  auto rows = prices();
  EXPECT_EQ(rows.type_of(col("a") + col("b")), "decimal(12,3)");
  EXPECT_EQ(rows.type_of(col("a") - col("b")), "decimal(12,3)");
  EXPECT_EQ(rows.type_of(col("a") * col("b")), "decimal(16,5)");
  EXPECT_EQ(rows.type_of(col("a") / col("b")), "decimal(19,8)");
  EXPECT_EQ(rows.type_of(col("a") % col("b")), "decimal(5,3)");
  EXPECT_EQ(rows.type_of(col("a") + lit(1)), "decimal(11,2)");
  EXPECT_EQ(rows.type_of(col("a") * lit(2.5)), "double");
  EXPECT_EQ(rows.type_of(col("a") + lit(Value::null())), "decimal(11,2)");
}

TEST(DecimalArithmetic, LosesNoDigit) {
  auto rows = prices();
  EXPECT_EQ(rows.values(col("a") + col("b")), (Texts{"13.840", "2.990", "100000099.989", "null"}));
  EXPECT_EQ(rows.values(col("a") - col("b")), (Texts{"10.840", "-3.010", "99999899.991", "null"}));
  EXPECT_EQ(rows.values(col("a") * col("b")),
            (Texts{"18.51000", "-0.03000", "9999899999.00001", "null"}));
  EXPECT_EQ(rows.values(col("a") / col("b")),
            (Texts{"8.22666667", "-0.00333333", "1000010.00000000", "null"}));
  EXPECT_EQ(rows.values(col("a") % col("b")), (Texts{"0.340", "-0.010", "0.000", "null"}));
  EXPECT_EQ(rows.values(col("a") + lit(1)), (Texts{"13.34", "0.99", "100000000.99", "null"}));
  EXPECT_EQ(rows.values(col("a") * lit(2.5)),
            (Texts{"30.85", "-0.025", "2.49999999975E8", "null"}));
}

TEST(DecimalArithmetic, FailsWhereTheTypeIsTooSmall) {
  const Value largest = decimal(std::string(38, '9'), 38, 0);
  ExpressionCase rows({{"a", largest.type}}, {{largest}, {decimal("5", 38, 0)}});

  EXPECT_EQ(rows.type_of(col("a") + lit(1)), "decimal(38,0)");
  EXPECT_EQ(rows.value(col("a") + lit(1)),
            "row 0: decimal(38,0) overflow: " + std::string(38, '9') + " + 1 in a + 1");
  EXPECT_EQ(rows.values(call("try_add", {col("a"), lit(1)})), (Texts{"null", "6"}));
  rows.under({&TimeZone::utc(), false});
  EXPECT_EQ(rows.values(col("a") + lit(1)), (Texts{"null", "6"}));
}

TEST(DecimalArithmetic, FailsOnDivisionByZero) {
  ExpressionCase rows({{"a", DataType::decimal(4, 1)}}, {{decimal("0.0", 4, 1)}});
  for (const char* name : {"/", "%"})
    EXPECT_EQ(rows.value(call(name, {lit(1), col("a")})),
              "row 0: division by zero in 1 " + std::string(name) + " a");
}

TEST(DecimalArithmetic, RoundsAndCuts) {
  ExpressionCase rows({{"d", DataType::decimal(10, 3)}}, {{decimal("2.345", 10, 3)},
                                                          {decimal("-2.345", 10, 3)},
                                                          {decimal("2.5", 10, 3)},
                                                          {decimal("0.005", 10, 3)}});
  EXPECT_EQ(rows.type_of(call("round", {col("d"), lit(2)})), "decimal(10,2)");
  EXPECT_EQ(rows.type_of(call("round", {col("d")})), "decimal(8,0)");
  EXPECT_EQ(rows.type_of(call("floor", {col("d")})), "decimal(8,0)");
  EXPECT_EQ(rows.values(call("round", {col("d"), lit(2)})),
            (Texts{"2.35", "-2.35", "2.50", "0.01"}));
  EXPECT_EQ(rows.values(call("bround", {col("d"), lit(2)})),
            (Texts{"2.34", "-2.34", "2.50", "0.00"}));
  EXPECT_EQ(rows.values(call("floor", {col("d")})), (Texts{"2", "-3", "2", "0"}));
  EXPECT_EQ(rows.values(call("ceil", {col("d")})), (Texts{"3", "-2", "3", "1"}));
  EXPECT_EQ(rows.values(call("round", {col("d")})), (Texts{"2", "-2", "3", "0"}));
  EXPECT_EQ(rows.values(call("round", {col("d"), lit(-1)})), (Texts{"0", "0", "0", "0"}));
  EXPECT_EQ(rows.values(call("abs", {col("d")})), (Texts{"2.345", "2.345", "2.500", "0.005"}));
  EXPECT_EQ(rows.values(call("-", {col("d")})), (Texts{"-2.345", "2.345", "-2.500", "-0.005"}));
}

TEST(DecimalComparison, IsExactAcrossScalesAndWithWholeNumbers) {
  ExpressionCase rows({{"a", DataType::decimal(4, 2)}, {"b", DataType::decimal(38, 10)}},
                      {{decimal("1.50", 4, 2), decimal("1.5", 38, 10)},
                       {decimal("2.00", 4, 2), decimal("2.0000000001", 38, 10)}});
  EXPECT_EQ(rows.values(col("a") == col("b")), (Texts{"true", "false"}));
  EXPECT_EQ(rows.values(col("a") < col("b")), (Texts{"false", "true"}));
  EXPECT_EQ(rows.values(col("a") >= lit(2)), (Texts{"false", "true"}));
  EXPECT_EQ(rows.values(col("a") == lit(1.5)), (Texts{"true", "false"}));
}

TEST(DecimalChoice, WidensToOneTypeThatHoldsAll) {
  ExpressionCase rows({{"v", TypeKind::kInt32}}, {{Value::int32(1)}, {Value::int32(2)}});
  const Expr widened =
      coalesce({lit(Value::null(TypeKind::kInt32)), col("v"), lit(decimal("4.25", 3, 2))});
  EXPECT_EQ(rows.type_of(widened), "decimal(12,2)");
  EXPECT_EQ(rows.values(widened), (Texts{"1.00", "2.00"}));
}

}  // namespace
}  // namespace millrace::stream
