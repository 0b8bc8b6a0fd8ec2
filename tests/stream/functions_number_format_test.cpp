#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

std::string formatted(const Expr& number, const Expr& format) {
  return result_of("format_number", {number, format});
}
Expr decimal(const char* text) { return lit(text).cast(DataType::decimal(30, 10)); }

TEST(FormatNumber, GroupsByThreeAndRoundsToTheEvenDigit) {
  EXPECT_EQ(formatted(lit(12332.123456), lit(4)), "'12,332.1235'");
  EXPECT_EQ(formatted(lit(4), lit(3)), "'4.000'");
  EXPECT_EQ(formatted(lit(831), lit(0)), "'831'");
  EXPECT_EQ(formatted(lit(1000), lit(0)), "'1,000'");
  EXPECT_EQ(formatted(lit(-1234567), lit(1)), "'-1,234,567.0'");
  EXPECT_EQ(formatted(lit(0), lit(2)), "'0.00'");
  EXPECT_EQ(formatted(lit(0.125), lit(2)), "'0.12'");
  EXPECT_EQ(formatted(lit(0.375), lit(2)), "'0.38'");
  EXPECT_EQ(formatted(lit(2.675), lit(2)), "'2.67'");
  EXPECT_EQ(formatted(lit(0.1), lit(20)), "'0.10000000000000000000'");
  EXPECT_EQ(formatted(lit(999.999), lit(2)), "'1,000.00'");
  EXPECT_EQ(formatted(lit(1e23), lit(0)), "'100,000,000,000,000,000,000,000'");
  EXPECT_EQ(formatted(lit(1.5e-7), lit(8)), "'0.00000015'");
  EXPECT_EQ(formatted(lit(std::numeric_limits<long>::min()), lit(0)),
            "'-9,223,372,036,854,775,808'");
  EXPECT_EQ(formatted(lit(-0.001), lit(2)), "'-0.00'");
  EXPECT_EQ(formatted(lit(4), lit(-1)), "null");
  EXPECT_EQ(formatted(lit(std::numeric_limits<double>::infinity()), lit(2)), "'∞'");
  EXPECT_EQ(formatted(lit(std::numeric_limits<double>::quiet_NaN()), lit(2)), "'NaN'");
}

TEST(FormatNumber, KeepsEveryDigitOfADecimal) {
  EXPECT_EQ(formatted(decimal("12831273.24481"), lit(3)), "'12,831,273.245'");
  EXPECT_EQ(formatted(decimal("123123324123"), lit(3)), "'123,123,324,123.000'");
  EXPECT_EQ(formatted(decimal("0.125"), lit(2)), "'0.12'");
  EXPECT_EQ(formatted(decimal("99999999999999999999.9999999999"), lit(0)),
            "'100,000,000,000,000,000,000'");
  EXPECT_EQ(formatted(decimal("-1.5"), lit(12)), "'-1.500000000000'");
}

TEST(FormatNumber, GoesByAPattern) {
  EXPECT_EQ(formatted(lit(12332.123456), lit("##################.###")), "'12332.123'");
  EXPECT_EQ(formatted(lit(12831273.23481), lit("###,###,###,###,###.###")), "'12,831,273.235'");
  EXPECT_EQ(formatted(lit(12831273.23481), lit("")), "'12,831,273'");
  EXPECT_EQ(formatted(lit(12831273.83421), lit("")), "'12,831,274'");
  EXPECT_EQ(formatted(lit(0.5), lit("#.##")), "'0.5'");
  EXPECT_EQ(formatted(lit(0.5), lit("#.00")), "'.50'");
  EXPECT_EQ(formatted(lit(0.5), lit("#,###")), "'0'");
  EXPECT_EQ(formatted(lit(7), lit("000")), "'007'");
  EXPECT_EQ(formatted(lit(1234), lit("0,0000")), "'0,1234'");
  EXPECT_EQ(formatted(lit(-12), lit("'#'0.0 EUR")), "'-#12.0 EUR'");
}

TEST(FormatNumber, RefusesPatternsThatAreNone) {
  EXPECT_EQ(
      formatted(lit(1), lit("0%")),
      "in a pattern of numbers % ‰ ¤ and ; are not supported; put text between single quotes; "
      "in format_number(1, '0%')");
  EXPECT_EQ(formatted(lit(1), lit("x")),
            "in a pattern of numbers there are no digits; in format_number(1, 'x')");
  EXPECT_EQ(
      formatted(lit(1), lit("0#")),
      "in a pattern of numbers # stands outside of 0, and commas within the digits before the "
      "point; in format_number(1, '0#')");
}

}  // namespace
}  // namespace millrace::stream
