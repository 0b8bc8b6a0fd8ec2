#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

// What ansi = 'false' makes of operands of different types, beside what ansi = 'true' does: the
// answers of Spark 4 under spark.sql.ansi.enabled = false and true.

namespace millrace::stream {
namespace {

using enum TypeKind;

struct Answers {
  Expr expression;
  const char* legacy;
  const char* ansi;
};

class LegacyTypes : public testing::Test {
 protected:
  LegacyTypes()
      : rows_({{"word", kString},
               {"half", kString},
               {"day", kString},
               {"n", kInt32},
               {"big", kInt64},
               {"price", DataType::decimal(4, 2)},
               {"date", kDate},
               {"is_on", kBoolean},
               {"raw", kBytes},
               {"numbers", DataType::array(kInt32)}},
              {{Value::string("x"), Value::string("5.5"), Value::string("1970-01-03"),
                Value::int32(3), Value::int64(4), Value::decimal(150, 4, 2), Value::date(1),
                Value::boolean(true), Value::bytes("ab"),
                Value::array(kInt32, {Value::int32(5), Value::int32(3)})}}) {}

  void expect(const std::vector<Answers>& answers) {
    for (const Answers& each : answers) {
      EvaluationSettings settings;
      settings.is_ansi = false;
      EXPECT_EQ(answer(each.expression, settings), each.legacy) << each.expression.to_string();
      settings.is_ansi = true;
      EXPECT_EQ(answer(each.expression, settings), each.ansi) << each.expression.to_string();
    }
  }

 private:
  /// The value and its type; the first words of what is wrong.
  std::string answer(const Expr& expression, EvaluationSettings settings) {
    rows_.under(settings);
    const std::string value = rows_.value(expression);
    if (!rows_.bound(expression)) return value.substr(0, value.find(';'));
    if (value.starts_with("row 0: ")) return value;
    return value + " " + rows_.type_of(expression);
  }

  ExpressionCase rows_;
};

const Expr kWord = col("word");
const Expr kHalf = col("half");
const Expr kDay = col("day");
const Expr kNumber = col("n");
const Expr kBig = col("big");
const Expr kPrice = col("price");
const Expr kDateColumn = col("date");
const Expr kIsOn = col("is_on");

TEST_F(LegacyTypes, OfArithmeticAreDoubleBesideAText) {
  constexpr const char* kNoInt = "row 0: cannot cast '5.5' to bigint in cast(half as bigint)";
  expect({
      {kHalf + kNumber, "8.5 double", kNoInt},
      {kNumber + kHalf, "8.5 double", kNoInt},
      {kHalf - kBig, "1.5 double", kNoInt},
      {kHalf * kNumber, "16.5 double", kNoInt},
      {kHalf % kNumber, "2.5 double", kNoInt},
      {kHalf / kNumber, "1.8333333333333333 double", "1.8333333333333333 double"},
      {kHalf + kHalf, "11.0 double", "11.0 double"},
      {kHalf + kPrice, "7.0 double", "7.0 double"},
      {call("pmod", {kHalf, kNumber}), "2.5 double", kNoInt},
      {kWord + kNumber, "null double", "row 0: cannot cast 'x' to bigint in cast(word as bigint)"},
      {lit("5.5") + lit(3), "8.5 double",
       "row 0: cannot cast '5.5' to bigint in cast('5.5' as bigint)"},
      {call("abs", {kHalf}), "5.5 double", "5.5 double"},
  });
}

TEST_F(LegacyTypes, OfComparisonsAreThatOfTheOtherSideOfAText) {
  expect({
      {kHalf == lit(5), "true boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {kHalf > kNumber, "true boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {lit("3000000000") == kNumber, "null boolean", "false boolean"},
      {lit("3000000000") == kBig, "false boolean", "false boolean"},
      {kHalf == lit(5.5), "true boolean", "true boolean"},
      {kHalf > kPrice, "true boolean", "true boolean"},
      {kDay > kDateColumn, "true boolean", "true boolean"},
      {kWord == kNumber, "null boolean",
       "row 0: cannot cast 'x' to bigint in cast(word as bigint)"},
      {call("<=>", {kHalf, lit(5)}), "true boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {lit("true") == kIsOn, "true boolean", "true boolean"},
  });
}

TEST_F(LegacyTypes, ATruthEqualsANumber) {
  expect({
      {kIsOn == lit(1), "true boolean", "operator = does not take boolean = int"},
      {lit(0) == kIsOn, "false boolean", "operator = does not take int = boolean"},
      {kIsOn != kNumber, "true boolean", "operator <> does not take boolean <> int"},
      {call("<=>", {kIsOn, kPrice}), "false boolean",
       "operator <=> does not take boolean <=> decimal(4,2)"},
      {kIsOn < lit(1), "operator < does not take boolean < int",
       "operator < does not take boolean < int"},
  });
}

TEST_F(LegacyTypes, OfValuesThatComeTogetherAreText) {
  constexpr const char* kNoWord = "row 0: cannot cast 'x' to bigint in cast(word as bigint)";
  expect({
      {coalesce({kWord, kNumber}), "'x' string", kNoWord},
      {coalesce({kNumber, kWord}), "'3' string", "3 bigint"},
      {call("nvl", {kNumber, kWord}), "'3' string", "3 bigint"},
      {case_when({kIsOn, kNumber, kWord}), "'3' string", "3 bigint"},
      {call("if", {kIsOn, kDateColumn, kWord}), "'1970-01-02' string", "date '1970-01-02' date"},
      {call("array", {kNumber, kHalf}), "array['3', '5.5'] array<string>",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {call("map", {kWord, kNumber, kNumber, kWord}), "map('x', '3', '3', 'x') map<string, string>",
       kNoWord},
      {coalesce({kDateColumn, kNumber, kWord}), "'1970-01-02' string",
       "function coalesce does not take (date, int, string)"},
      {coalesce({kIsOn, kWord}), "function coalesce does not take (boolean, string)",
       "true boolean"},
  });
}

TEST_F(LegacyTypes, OfListsThatAreSearchedAreText) {
  const Expr five = lit(5);
  expect({
      {call("in", {five, lit("5.0"), lit("7")}), "false boolean",
       "row 0: cannot cast '5.0' to bigint in cast('5.0' as bigint)"},
      {call("in", {five, lit("5")}), "true boolean", "true boolean"},
      {call("in", {kHalf, lit(5), lit(6)}), "false boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
  });
}

TEST_F(LegacyTypes, OfTheGreatestAndOfListsMeetNoText) {
  expect({
      {call("greatest", {kNumber, kHalf}), "function greatest does not take (int, string)",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {call("array_contains", {col("numbers"), lit("5")}),
       "function array_contains does not take (array<int>, string)", "true boolean"},
      {call("array_union", {col("numbers"), call("array", {kHalf})}),
       "function array_union does not take (array<int>, array<string>)",
       "row 0: cannot cast '5.5' to bigint in cast(array(half) as array<bigint>)"},
      {call("greatest", {kNumber, kPrice}), "3.00 decimal(12,2)", "3.00 decimal(12,2)"},
  });
}

TEST_F(LegacyTypes, OfBetweenAreThoseOfTwoComparisons) {
  const auto between = [](const Expr& value, const Expr& low, const Expr& high) {
    return call("between", {value, low, high});
  };
  expect({
      {between(kHalf, lit(5), lit(6)), "true boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {between(kHalf, lit(5), lit("7")), "true boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {between(kHalf, lit("10"), lit(6)), "true boolean",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {between(kDay, kDateColumn, kDateColumn), "false boolean", "false boolean"},
  });
}

TEST_F(LegacyTypes, OfNullifIsThatOfTheFirst) {
  expect({
      {call("nullif", {kNumber, lit(2.5)}), "3 int", "3 int"},
      {call("nullif", {kNumber, lit("3")}), "null int", "null int"},
      {call("nullif", {kHalf, lit(5)}), "null string",
       "row 0: cannot cast '5.5' to bigint in cast(half as bigint)"},
      {call("nullif", {kWord, kWord}), "null string", "null string"},
  });
}

TEST_F(LegacyTypes, OfConcatAreTextWhereNotAllAreBytes) {
  expect({
      {concat({col("raw"), kWord}), "'abx' string", "'abx' string"},
      {concat({col("raw"), kNumber}), "'ab3' string", "'ab3' string"},
      {concat({col("raw"), col("raw")}), "x'61626162' bytes", "x'61626162' bytes"},
      {concat({col("raw"), lit(Value::null())}), "null bytes", "null bytes"},
      {call("||", {lit("a"), col("raw")}), "'aab' string", "'aab' string"},
  });
}

TEST_F(LegacyTypes, OfArgumentsOfFunctionsAreCastToo) {
  expect({
      {call("sqrt", {lit("4")}), "2.0 double", "2.0 double"},
      {call("substring", {kWord, lit("1"), lit(1.9)}), "'x' string", "'x' string"},
      {call("upper", {col("raw")}), "'AB' string", "function upper does not take (bytes)"},
      {call("year", {kDay}), "1970 int", "1970 int"},
      {call("date_add", {kDay, lit(1)}), "date '1970-01-04' date", "date '1970-01-04' date"},
      {call("size", {lit(Value::null(DataType::array(kInt32)))}), "-1 int", "null int"},
  });
}

TEST_F(LegacyTypes, OverflowAsJavaDoes) {
  expect({
      {call("round", {lit(2147483647), lit(-1)}), "-2147483646 int",
       "row 0: int overflow: rounding 2147483647 in round(2147483647, -1)"},
      {call("round", {lit(9223372036854775807L), lit(-19)}), "-8446744073709551616 bigint",
       "row 0: bigint overflow: rounding 9223372036854775807 in round(9223372036854775807, -19)"},
      {call("conv", {lit("99999999999999999999"), lit(10), lit(16)}), "'FFFFFFFFFFFFFFFF' string",
       "row 0: conv: '99999999999999999999' does not fit in 64 bits in "
       "conv('99999999999999999999', 10, 16)"},
      {call("conv", {lit("99999999999999999999"), lit(10), lit(-10)}), "'-1' string",
       "row 0: conv: '99999999999999999999' does not fit in 64 bits in "
       "conv('99999999999999999999', 10, -10)"},
  });
}

}  // namespace
}  // namespace millrace::stream
