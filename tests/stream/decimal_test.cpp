#include "stream/decimal.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

/// The result's text, or "overflow".
std::string text(const std::optional<Decimal>& value, const DataType& type) {
  return value ? decimal_text(*value, type.scale()) : "overflow";
}

ScaledDecimal number(std::string_view digits, int scale) {
  return {*read_decimal(digits, 38, scale), scale};
}

const std::string kNines(38, '9');

TEST(Decimal, ReadsAndRoundsToTheScale) {
  const auto read = [](std::string_view digits) {
    const auto value = read_decimal(digits, 6, 2);
    return value ? decimal_text(*value, 2) : "none";
  };
  EXPECT_EQ(read("1.5"), "1.50");
  EXPECT_EQ(read("1.005"), "1.01");
  EXPECT_EQ(read("1.015"), "1.02");
  EXPECT_EQ(read("-1.005"), "-1.01");
  EXPECT_EQ(read("12345.6"), "none");
  EXPECT_EQ(read("1e2"), "100.00");
  EXPECT_EQ(read(" 7 "), "7.00");
  EXPECT_EQ(read("1234.567"), "1234.57");
  EXPECT_EQ(read("9999.994"), "9999.99");
  EXPECT_EQ(read("9999.995"), "none");
  EXPECT_EQ(read(".004"), "0.00");
  EXPECT_EQ(read(".005"), "0.01");
  EXPECT_EQ(read("0.0049999"), "0.00");
  EXPECT_EQ(read("5e-3"), "0.01");
  EXPECT_EQ(read("1e-999999999999"), "0.00");
  EXPECT_EQ(read("1e999999999999"), "none");
  EXPECT_EQ(read("0e999999999999"), "0.00");
  for (const char* none : {"", ".", "abc", "1.2.3", "1e", "--1", "1 2", "NaN", "0x1"})
    EXPECT_EQ(read(none), "none") << none;
}

TEST(Decimal, HoldsThirtyEightDigits) {
  EXPECT_EQ(decimal_text(*read_decimal(kNines, 38, 0), 0), kNines);
  EXPECT_EQ(decimal_text(*read_decimal("-0." + kNines, 38, 38), 38), "-0." + kNines);
  EXPECT_EQ(read_decimal("1" + std::string(38, '0'), 38, 0), std::nullopt);
}

TEST(Decimal, AddsAndSubtractsAcrossScales) {
  const DataType type = DataType::decimal(12, 3);
  EXPECT_EQ(text(add(number("12.34", 2), number("1.500", 3), type), type), "13.840");
  EXPECT_EQ(text(subtract(number("-0.01", 2), number("3.000", 3), type), type), "-3.010");
}

TEST(Decimal, AddsWhatNeedsMoreThan128Bits) {
  // 38 digits before the point and 38 behind it: no common scale fits, the sum does.
  const DataType type = DataType::decimal(38, 6);
  const std::string whole(32, '9');
  EXPECT_EQ(text(add(number(whole, 0), number("-0." + std::string(38, '4'), 38), type), type),
            std::string(31, '9') + "8.555556");
  EXPECT_EQ(text(add(number(kNines, 0), number("1", 0), DataType::decimal(38, 0)),
                 DataType::decimal(38, 0)),
            "overflow");
}

TEST(Decimal, MultipliesExactlyBeforeItRounds) {
  const DataType narrow = DataType::decimal(16, 5);
  EXPECT_EQ(text(multiply(number("99999999.99", 2), number("99.999", 3), narrow), narrow),
            "9999899999.00001");
  // 38 by 38 digits: the product has 76, of which the type keeps 38.
  const DataType wide = DataType::decimal(38, 6);
  EXPECT_EQ(text(multiply(number("1." + std::string(37, '3'), 37), number("3", 37), wide), wide),
            "4.000000");
  EXPECT_EQ(text(multiply(number(kNines, 0), number("-2", 0), wide), wide), "overflow");
}

TEST(Decimal, DividesExactlyBeforeItRounds) {
  const DataType type = DataType::decimal(19, 8);
  EXPECT_EQ(text(divide(number("12.34", 2), number("1.500", 3), type), type), "8.22666667");
  EXPECT_EQ(text(divide(number("-0.01", 2), number("3.000", 3), type), type), "-0.00333333");
  EXPECT_EQ(text(divide(number("99999999.99", 2), number("99.999", 3), type), type),
            "1000010.00000000");
  const DataType wide = DataType::decimal(38, 6);
  const ScaledDecimal tiny{Decimal{1}, 38};
  EXPECT_EQ(text(divide({Decimal{4}, 38}, tiny, wide), wide), "4.000000");
  EXPECT_EQ(text(divide(number("1", 0), tiny, wide), wide), "overflow");
}

TEST(Decimal, LeavesTheDividendsSignToTheRemainder) {
  const DataType type = DataType::decimal(5, 3);
  EXPECT_EQ(text(remainder(number("12.34", 2), number("1.500", 3), type), type), "0.340");
  EXPECT_EQ(text(remainder(number("-0.01", 2), number("3.000", 3), type), type), "-0.010");
  const DataType wide = DataType::decimal(38, 38);
  EXPECT_EQ(text(remainder(number(kNines, 0), number("0.7", 38), wide), wide),
            "0.3" + std::string(37, '0'));
}

TEST(Decimal, RoundsByEveryRule) {
  const DataType type = DataType::decimal(10, 0);
  const auto rounded = [&](std::string_view digits, Rounding rounding) {
    return text(rescale(number(digits, 1), type, rounding), type);
  };
  EXPECT_EQ(rounded("2.5", Rounding::kHalfUp), "3");
  EXPECT_EQ(rounded("-2.5", Rounding::kHalfUp), "-3");
  EXPECT_EQ(rounded("2.5", Rounding::kHalfEven), "2");
  EXPECT_EQ(rounded("3.5", Rounding::kHalfEven), "4");
  EXPECT_EQ(rounded("-2.9", Rounding::kDown), "-2");
  EXPECT_EQ(rounded("-2.1", Rounding::kFloor), "-3");
  EXPECT_EQ(rounded("-2.9", Rounding::kCeiling), "-2");
  EXPECT_EQ(rounded("2.1", Rounding::kCeiling), "3");
  EXPECT_EQ(rounded("2.0", Rounding::kCeiling), "2");
}

TEST(Decimal, ComparesAcrossScalesThatNoTypeHolds) {
  EXPECT_TRUE(compare(number("1.50", 2), number("1.5", 1)) == 0);
  EXPECT_TRUE(compare(number(kNines, 0), number("0.1", 38)) > 0);
  EXPECT_TRUE(compare(number("-" + kNines, 0), number("0.1", 38)) < 0);
  EXPECT_TRUE(compare(number("0.1", 38), number(kNines, 0)) < 0);
}

TEST(Decimal, MeetsDoublesAtTheirShortestDigits) {
  EXPECT_EQ(to_double(number("0.1", 1)), 0.1);
  EXPECT_EQ(to_double(number("12345678901234567.891", 3)), 12345678901234567.891);
  EXPECT_EQ(to_double(number("-1.5", 1)), -1.5);
  EXPECT_EQ(text(from_double(0.1, 10, 3), DataType::decimal(10, 3)), "0.100");
  EXPECT_EQ(text(from_double(2.675, 10, 2), DataType::decimal(10, 2)), "2.68");
  EXPECT_EQ(from_double(std::numeric_limits<double>::infinity(), 10, 2), std::nullopt);
  EXPECT_EQ(from_double(std::numeric_limits<double>::quiet_NaN(), 10, 2), std::nullopt);
}

}  // namespace
}  // namespace millrace::stream
