#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

constexpr std::int64_t kLongMin = std::numeric_limits<std::int64_t>::min();

TEST(IntegerArithmetic, DividesTowardsZeroAndHasTwoRemainders) {
  ExpressionCase rows({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}},
                      {{Value::int32(7), Value::int32(2)},
                       {Value::int32(-7), Value::int32(2)},
                       {Value::int32(7), Value::int32(-2)},
                       {Value::int32(-7), Value::int32(-2)},
                       {Value::null(), Value::int32(1)},
                       {Value::int32(0), Value::int32(5)}});
  EXPECT_EQ(rows.values(call("div", {col("a"), col("b")})),
            (Texts{"3", "-3", "-3", "3", "null", "0"}));
  EXPECT_EQ(rows.values(call("mod", {col("a"), col("b")})),
            (Texts{"1", "-1", "1", "-1", "null", "0"}));
  EXPECT_EQ(rows.values(call("pmod", {col("a"), col("b")})),
            (Texts{"1", "1", "1", "-1", "null", "0"}));
  EXPECT_EQ(rows.values(call("abs", {col("a")})), (Texts{"7", "7", "7", "7", "null", "0"}));
  EXPECT_EQ(rows.type_of(call("div", {col("a"), col("b")})), "bigint");
  EXPECT_EQ(rows.type_of(call("pmod", {col("a"), col("b")})), "int");
}

TEST(IntegerArithmetic, FailsOutOfRangeAndByZero) {
  EXPECT_EQ(result_of("div", {lit(1), lit(0)}), "row 0: division by zero in div(1, 0)");
  EXPECT_EQ(result_of("pmod", {lit(1.5), lit(0.0)}), "row 0: division by zero in pmod(1.5, 0.0)");
  EXPECT_EQ(result_of("div", {lit(kLongMin), lit(-1)}),
            "row 0: bigint overflow: -9223372036854775808 div -1 in div(-9223372036854775808, -1)");
  EXPECT_EQ(result_of("abs", {lit(std::numeric_limits<std::int32_t>::min())}),
            "row 0: int overflow: abs(-2147483648) in abs(-2147483648)");
  EXPECT_EQ(result_of("pmod", {lit(kLongMin), lit(-1)}), "0");
  EXPECT_EQ(result_of("pmod", {lit(-7.5), lit(2)}), "0.5");
  EXPECT_EQ(result_of("abs", {lit(-0.0)}), "0.0");
  EXPECT_EQ(result_of("factorial", {lit(20)}), "2432902008176640000");
  EXPECT_EQ(result_of("factorial", {lit(0)}), "1");
  EXPECT_EQ(result_of("factorial", {lit(21)}), "null");
  EXPECT_EQ(result_of("factorial", {lit(-1)}), "null");
}

TEST(Bits, AreCombinedAndMoved) {
  EXPECT_EQ(result_of("&", {lit(12), lit(10)}), "8");
  EXPECT_EQ(result_of("|", {lit(12), lit(10)}), "14");
  EXPECT_EQ(result_of("^", {lit(12), lit(10)}), "6");
  EXPECT_EQ(result_of("~", {lit(0)}), "-1");
  EXPECT_EQ(result_of("&", {lit(-1), lit(std::int64_t{1} << 40)}), "1099511627776");
  EXPECT_EQ(result_of("shiftleft", {lit(1), lit(33)}), "2");
  EXPECT_EQ(result_of("shiftleft", {lit(1), lit(31)}), "-2147483648");
  EXPECT_EQ(result_of("shiftright", {lit(-4), lit(1)}), "-2");
  EXPECT_EQ(result_of("shiftright", {lit(4), lit(-1)}), "0");
  EXPECT_EQ(result_of("shiftrightunsigned", {lit(-1), lit(28)}), "15");
  EXPECT_EQ(result_of("shiftrightunsigned", {lit(std::int64_t{-1}), lit(60)}), "15");
  EXPECT_EQ(result_of("bit_count", {lit(-1)}), "64");
  EXPECT_EQ(result_of("bit_count", {lit(7)}), "3");
  EXPECT_EQ(result_of("bit_count", {lit(true)}), "1");
  EXPECT_EQ(result_of("bit_get", {lit(11), lit(2)}), "0");
  EXPECT_EQ(result_of("getbit", {lit(11), lit(3)}), "1");
  EXPECT_EQ(result_of("bit_get", {lit(11), lit(32)}),
            "row 0: there is no bit 32: int has 32, from 0 in bit_get(11, 32)");
}

TEST(Bases, AreConverted) {
  EXPECT_EQ(result_of("bin", {lit(13)}), "'1101'");
  EXPECT_EQ(result_of("bin", {lit(0)}), "'0'");
  EXPECT_EQ(result_of("bin", {lit(-13)}),
            "'1111111111111111111111111111111111111111111111111111111111110011'");
  EXPECT_EQ(result_of("conv", {lit("100"), lit(2), lit(10)}), "'4'");
  EXPECT_EQ(result_of("conv", {lit(-10), lit(16), lit(-10)}), "'-16'");
  EXPECT_EQ(result_of("conv", {lit(-10), lit(16), lit(10)}), "'18446744073709551600'");
  EXPECT_EQ(result_of("conv", {lit("FFFFFFFFFFFFFFFF"), lit(16), lit(-10)}), "'-1'");
  EXPECT_EQ(result_of("conv", {lit(" 1f "), lit(16), lit(2)}), "'11111'");
  EXPECT_EQ(result_of("conv", {lit("12x9"), lit(10), lit(10)}), "'12'");
  EXPECT_EQ(result_of("conv", {lit("zz"), lit(10), lit(10)}), "'0'");
  EXPECT_EQ(result_of("conv", {lit(""), lit(10), lit(10)}), "null");
  EXPECT_EQ(result_of("conv", {lit("1"), lit(1), lit(10)}), "null");
  EXPECT_EQ(result_of("conv", {lit("1"), lit(10), lit(37)}), "null");
  EXPECT_EQ(result_of("conv", {lit("18446744073709551616"), lit(10), lit(16)}),
            "row 0: conv: '18446744073709551616' does not fit in 64 bits in "
            "conv('18446744073709551616', 10, 16)");
}

}  // namespace
}  // namespace millrace::stream
