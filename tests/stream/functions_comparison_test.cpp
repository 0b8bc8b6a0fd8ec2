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
            "row 0: cannot cast '29.2.2024' to date in cast('29.2.2024' as date)");
}

TEST(Comparison, ComparesBooleansAndBytes) {
  ExpressionCase rows({{"b", TypeKind::kBoolean}, {"x", TypeKind::kBytes}},
                      {{Value::boolean(false), Value(TypeKind::kBytes, std::string("\0\xff", 2))}});

  EXPECT_EQ(rows.value(col("b") < lit(true)), "true");
  EXPECT_EQ(rows.value(col("x") == lit(Value(TypeKind::kBytes, std::string("\0\xff", 2)))), "true");
}

TEST(Comparison, RefusesTypesThatDoNotMeet) {
  ExpressionCase rows({{"b", TypeKind::kBoolean}, {"i", TypeKind::kInt32}}, {});

  const std::string refusal = rows.type_of(col("b") == col("i"));
  EXPECT_TRUE(refusal.starts_with("operator = does not take boolean = int; it takes: int = int, "))
      << refusal;
  EXPECT_TRUE(refusal.ends_with("; in b = i")) << refusal;
}

TEST(Comparison, TakesATextNextToANumberAsANumber) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string(" 01 ")}, {Value::string("2")}});

  EXPECT_EQ(rows.values(col("s") == lit(1)), (Texts{"true", "false"}));
  EXPECT_EQ(rows.values(col("s") > lit(1.5)), (Texts{"false", "true"}));
}

TEST(Comparison, OrdersArraysAndStructsByTheirElements) {
  const auto list = [](std::vector<Value> elements) {
    return Value::array(TypeKind::kInt32, std::move(elements));
  };
  ExpressionCase rows(
      {{"a", DataType::array(TypeKind::kInt32)}, {"b", DataType::array(TypeKind::kInt32)}},
      {{list({Value::int32(1), Value::int32(2)}), list({Value::int32(1), Value::int32(2)})},
       {list({Value::int32(1)}), list({Value::int32(1), Value::int32(0)})},
       {list({Value::null(TypeKind::kInt32)}), list({Value::int32(-5)})},
       {list({Value::null(TypeKind::kInt32)}), list({Value::null(TypeKind::kInt32)})},
       {Value::null(DataType::array(TypeKind::kInt32)), list({})}});

  EXPECT_EQ(rows.values(col("a") == col("b")), (Texts{"true", "false", "false", "true", "null"}));
  EXPECT_EQ(rows.values(col("a") < col("b")), (Texts{"false", "true", "true", "false", "null"}));
}

TEST(Comparison, OrdersIntervalsByTheirLength) {
  constexpr std::int64_t kHour = 3'600'000'000;
  ExpressionCase rows({{"a", TypeKind::kInterval}, {"b", TypeKind::kInterval}},
                      {{Value::interval({0, 1, 0}), Value::interval({0, 0, 24 * kHour})},
                       {Value::interval({1, 0, 0}), Value::interval({0, 30, 0})},
                       {Value::interval({0, 0, 1}), Value::interval({0, 0, -1})},
                       {Value::interval({0, 1, -kHour}), Value::interval({0, 0, 24 * kHour})},
                       {Value::interval({2147483647, 0, 0}), Value::interval({-2147483647, 0, 0})},
                       {Value::interval({0, 1, 0}), Value::null(TypeKind::kInterval)}});
  EXPECT_EQ(rows.values(col("a") == col("b")),
            (Texts{"true", "true", "false", "false", "false", "null"}));
  EXPECT_EQ(rows.values(col("a") < col("b")),
            (Texts{"false", "false", "false", "true", "false", "null"}));
  EXPECT_EQ(rows.values(col("a") >= col("b")),
            (Texts{"true", "true", "true", "false", "true", "null"}));
  EXPECT_EQ(rows.value(call("greatest", {col("a"), lit("25 hours").cast(TypeKind::kInterval)})),
            "interval '25 hours'");
}

TEST(Comparison, RefusesMaps) {
  const DataType map = DataType::map(TypeKind::kString, TypeKind::kInt32);
  ExpressionCase rows({{"m", map}}, {});

  EXPECT_TRUE(rows.type_of(col("m") == col("m")).starts_with("operator = does not take map"));
}

TEST(Comparison, SafeFromNullsIsNeverNull) {
  ExpressionCase rows({{"a", TypeKind::kDouble}, {"b", TypeKind::kDouble}},
                      {{Value::real(1), Value::real(1)},
                       {Value::real(1), Value::null(TypeKind::kDouble)},
                       {Value::null(TypeKind::kDouble), Value::null(TypeKind::kDouble)},
                       {Value::real(std::nan("")), Value::real(std::nan(""))}});

  EXPECT_EQ(rows.values(call("<=>", {col("a"), col("b")})),
            (Texts{"true", "false", "true", "true"}));
  EXPECT_EQ(rows.values(call("<=>", {col("a"), lit(Value::null())})),
            (Texts{"false", "false", "true", "false"}));
}

TEST(Choice, TakesTheExtremeThatIsThere) {
  ExpressionCase rows(
      {{"x", TypeKind::kDouble}},
      {{Value::real(std::nan(""))}, {Value::real(0.5)}, {Value::null(TypeKind::kDouble)}});

  EXPECT_EQ(rows.values(call("greatest", {col("x"), lit(1)})), (Texts{"NaN", "1.0", "1.0"}));
  EXPECT_EQ(rows.values(call("least", {col("x"), lit(1)})), (Texts{"1.0", "0.5", "1.0"}));
  EXPECT_EQ(rows.values(call("greatest", {col("x"), col("x")})), (Texts{"NaN", "0.5", "null"}));
}

TEST(Choice, KnowsBetweenInAndNullif) {
  ExpressionCase rows({{"x", TypeKind::kInt32}},
                      {{Value::int32(1)}, {Value::int32(5)}, {Value::null(TypeKind::kInt32)}});
  const Expr null = lit(Value::null());

  EXPECT_EQ(rows.values(call("between", {col("x"), lit(1), lit(4)})),
            (Texts{"true", "false", "null"}));
  EXPECT_EQ(rows.values(call("between", {col("x"), null, lit(4)})),
            (Texts{"null", "false", "null"}));
  EXPECT_EQ(rows.values(call("in", {col("x"), lit(5), null})), (Texts{"null", "true", "null"}));
  EXPECT_EQ(rows.values(call("nullif", {col("x"), lit(5)})), (Texts{"1", "null", "null"}));
  EXPECT_EQ(rows.values(call("nvl", {col("x"), lit(9)})), (Texts{"1", "5", "9"}));
  EXPECT_EQ(rows.values(call("if", {col("x") > lit(2), lit("a"), lit("b")})),
            (Texts{"'b'", "'a'", "'b'"}));
}

}  // namespace
}  // namespace millrace::stream
