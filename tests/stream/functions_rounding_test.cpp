#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

TEST(Rounding, GoesByTheShortestDecimalDigits) {
  std::vector<std::vector<Value>> values;
  for (const double value : {2.5, 3.5, -2.5, -3.5, 2.4, 0.125, 1234.5678})
    values.push_back({Value::real(value)});
  values.push_back({Value::null()});
  ExpressionCase rows({{"x", TypeKind::kDouble}}, values);
  const auto of = [&](const char* name) { return rows.values(call(name, {col("x")})); };
  EXPECT_EQ(of("round"), (Texts{"3.0", "4.0", "-3.0", "-4.0", "2.0", "0.0", "1235.0", "null"}));
  EXPECT_EQ(of("bround"), (Texts{"2.0", "4.0", "-2.0", "-4.0", "2.0", "0.0", "1235.0", "null"}));
  EXPECT_EQ(of("floor"), (Texts{"2", "3", "-3", "-4", "2", "0", "1234", "null"}));
  EXPECT_EQ(of("ceil"), (Texts{"3", "4", "-2", "-3", "3", "1", "1235", "null"}));
  EXPECT_EQ(of("rint"), (Texts{"2.0", "4.0", "-2.0", "-4.0", "2.0", "0.0", "1235.0", "null"}));
  EXPECT_EQ(of("sign"), (Texts{"1.0", "1.0", "-1.0", "-1.0", "1.0", "1.0", "1.0", "null"}));
  EXPECT_EQ(rows.values(call("round", {col("x"), lit(2)})),
            (Texts{"2.5", "3.5", "-2.5", "-3.5", "2.4", "0.13", "1234.57", "null"}));
  EXPECT_EQ(rows.values(call("round", {col("x"), lit(-2)})),
            (Texts{"0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "1200.0", "null"}));
}

TEST(Rounding, CarriesAndKeepsWhatHasNoMoreDigits) {
  EXPECT_EQ(result_of("round", {lit(2.675), lit(2)}), "2.68");
  EXPECT_EQ(result_of("round", {lit(9.995), lit(2)}), "10.0");
  EXPECT_EQ(result_of("round", {lit(-99.5)}), "-100.0");
  EXPECT_EQ(result_of("round", {lit(0.5)}), "1.0");
  EXPECT_EQ(result_of("bround", {lit(0.5)}), "0.0");
  EXPECT_EQ(result_of("bround", {lit(2.675), lit(2)}), "2.68");
  EXPECT_EQ(result_of("bround", {lit(2.665), lit(2)}), "2.66");
  EXPECT_EQ(result_of("bround", {lit(2.6651), lit(2)}), "2.67");
  EXPECT_EQ(result_of("round", {lit(-0.4)}), "0.0");
  EXPECT_EQ(result_of("round", {lit(55.0), lit(-2)}), "100.0");
  EXPECT_EQ(result_of("round", {lit(1.5E300), lit(5)}), "1.5E300");
  EXPECT_EQ(result_of("round", {lit(1.2345), lit(2147483647)}), "1.2345");
  EXPECT_EQ(result_of("round", {lit(1.2345), lit(-2147483647)}), "0.0");
  EXPECT_EQ(result_of("round", {lit(std::numeric_limits<double>::quiet_NaN()), lit(2)}), "NaN");
  EXPECT_EQ(result_of("round", {lit(-std::numeric_limits<double>::infinity())}), "-Infinity");
}

TEST(Rounding, RoundsWholeNumbersToTens) {
  ExpressionCase rows(
      {{"v", TypeKind::kInt32}},
      {{Value::int32(1250)}, {Value::int32(-1250)}, {Value::int32(1249)}, {Value::int32(5)}});
  EXPECT_EQ(rows.values(call("round", {col("v"), lit(-2)})), (Texts{"1300", "-1300", "1200", "0"}));
  EXPECT_EQ(rows.values(call("bround", {col("v"), lit(-2)})),
            (Texts{"1200", "-1200", "1200", "0"}));
  EXPECT_EQ(rows.type_of(call("round", {col("v"), lit(-2)})), "int");
  EXPECT_EQ(result_of("round", {lit(25), lit(3)}), "25");
  EXPECT_EQ(result_of("round", {lit(2147483647), lit(-1)}),
            "row 0: int overflow: rounding 2147483647 in round(2147483647, -1)");
  EXPECT_EQ(result_of("round", {lit(2147483647), lit(-10)}), "0");
  EXPECT_EQ(result_of("round", {lit(std::int64_t{5'000'000'000'000'000'000}), lit(-19)}),
            "row 0: bigint overflow: rounding 5000000000000000000 in round(5000000000000000000, "
            "-19)");
  EXPECT_EQ(result_of("bround", {lit(std::int64_t{5'000'000'000'000'000'000}), lit(-19)}), "0");
  EXPECT_EQ(result_of("round", {lit(std::int64_t{-4'999'999'999'999'999'999}), lit(-19)}), "0");
}

TEST(FloorAndCeiling, EndAtTheRangeOfBigint) {
  EXPECT_EQ(result_of("floor", {lit(1e30)}), "9223372036854775807");
  EXPECT_EQ(result_of("ceil", {lit(-1e30)}), "-9223372036854775808");
  EXPECT_EQ(result_of("floor", {lit(std::numeric_limits<double>::quiet_NaN())}), "0");
  EXPECT_EQ(result_of("ceiling", {lit(-0.5)}), "0");
  EXPECT_EQ(result_of("floor", {lit(7)}), "7");
}

}  // namespace
}  // namespace millrace::stream
