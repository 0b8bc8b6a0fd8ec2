#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct CastCase {
  Value from;
  TypeKind to;
  std::string expected;
};

Value date(std::int32_t days) { return {TypeKind::kDate, days}; }
Value timestamp(std::int64_t us) { return {TypeKind::kTimestamp, us}; }
Value bytes(std::string text) { return {TypeKind::kBytes, std::move(text)}; }

/// Casts a column's value: not a literal, which the binder would compute.
std::string cast(const Value& from, TypeKind to) {
  ExpressionCase rows({{"x", from.type}}, {{from}});
  return rows.value(col("x").cast(to));
}

TEST(Cast, CoversEveryPairThatHasAMeaning) {
  using enum TypeKind;
  const std::vector<CastCase> cases{
      {Value::boolean(true), kInt32, "1"},
      {Value::boolean(false), kInt64, "0"},
      {Value::boolean(true), kDouble, "1.0"},
      {Value::boolean(false), kString, "'false'"},
      {Value::int32(-3), kBoolean, "true"},
      {Value::int32(-3), kInt64, "-3"},
      {Value::int32(-3), kDouble, "-3.0"},
      {Value::int32(-3), kString, "'-3'"},
      {Value::int32(-1), kTimestamp, "timestamp '1969-12-31 23:59:59'"},
      {Value::int64(0), kBoolean, "false"},
      {Value::int64(2'147'483'647), kInt32, "2147483647"},
      {Value::int64(1), kDouble, "1.0"},
      {Value::int64(9'007'199'254'740'993), kString, "'9007199254740993'"},
      {Value::int64(86'400), kTimestamp, "timestamp '1970-01-02 00:00:00'"},
      {Value::real(0.0), kBoolean, "false"},
      {Value::real(-1.9), kInt32, "-1"},
      {Value::real(1.9), kInt64, "1"},
      {Value::real(0.1), kString, "'0.1'"},
      {Value::real(kNan), kString, "'NaN'"},
      {Value::real(-std::numeric_limits<double>::infinity()), kString, "'-Infinity'"},
      {Value::real(1e20), kString, "'1.0E20'"},
      {Value::real(1.5), kTimestamp, "timestamp '1970-01-01 00:00:01.5'"},
      {Value::string(" true "), kBoolean, "true"},
      {Value::string(" 12 "), kInt32, "12"},
      {Value::string("-9223372036854775808"), kInt64, "-9223372036854775808"},
      {Value::string("1e3"), kDouble, "1000.0"},
      {Value::string("abc"), kBytes, "x'616263'"},
      {Value::string("2024-02-29"), kDate, "date '2024-02-29'"},
      {Value::string("2024-02-29T12:00:00+01:00"), kTimestamp, "timestamp '2024-02-29 11:00:00'"},
      {bytes("\xC3\xA9"), kString, "'\xC3\xA9'"},
      {bytes(""), kString, "''"},
      {date(-1), kString, "'1969-12-31'"},
      {date(-1), kTimestamp, "timestamp '1969-12-31 00:00:00'"},
      {timestamp(-1), kString, "'1969-12-31 23:59:59.999999'"},
      {timestamp(-1), kDate, "date '1969-12-31'"},
      {timestamp(-1), kInt64, "-1"},
      {timestamp(1'999'999), kInt32, "1"},
      {timestamp(-1'500'000), kDouble, "-1.5"},
  };
  for (const CastCase& each : cases)
    EXPECT_EQ(cast(each.from, each.to), each.expected) << each.from.to_string();
}

TEST(Cast, FailsWithTheOffendingValue) {
  using enum TypeKind;
  const std::vector<CastCase> cases{
      {Value::int64(2'147'483'648), kInt32, "cannot cast 2147483648 to int"},
      {Value::int64(-2'147'483'649), kInt32, "cannot cast -2147483649 to int"},
      {Value::int64(9'223'372'036'855), kTimestamp, "cannot cast 9223372036855 to timestamp"},
      {Value::real(2147483648.0), kInt32, "cannot cast 2.147483648E9 to int"},
      {Value::real(-2147483649.0), kInt32, "cannot cast -2.147483649E9 to int"},
      {Value::real(9.3e18), kInt64, "cannot cast 9.3E18 to bigint"},
      {Value::real(kNan), kInt64, "cannot cast NaN to bigint"},
      {Value::real(kNan), kTimestamp, "cannot cast NaN to timestamp"},
      {Value::string("maybe"), kBoolean, "cannot cast 'maybe' to boolean"},
      {Value::string("2147483648"), kInt32, "cannot cast '2147483648' to int"},
      {Value::string("1.5"), kInt64, "cannot cast '1.5' to bigint"},
      {Value::string(""), kDouble, "cannot cast '' to double"},
      {Value::string("2023-02-29"), kDate, "cannot cast '2023-02-29' to date"},
      {Value::string("noon"), kTimestamp, "cannot cast 'noon' to timestamp"},
      {bytes("a\xff"), kString, "cannot cast 2 bytes to string: they are not UTF-8"},
      {date(std::numeric_limits<std::int32_t>::max()), kTimestamp,
       "cannot cast +5881580-07-11 to timestamp"},
      {timestamp(std::numeric_limits<std::int64_t>::max()), kInt32,
       "cannot cast +294247-01-10 04:00:54.775807 to int"},
  };
  for (const CastCase& each : cases)
    EXPECT_EQ(cast(each.from, each.to),
              "row 0: " + each.expected + " in cast(x as " + DataType(each.to).to_string() + ")");
}

TEST(Cast, CutsLongTextsInMessages) {
  EXPECT_EQ(cast(Value::string(std::string(1000, 'x')), TypeKind::kInt32),
            "row 0: cannot cast '" + std::string(64, 'x') + "...' to int in cast(x as int)");
}

TEST(Cast, KeepsNullsNull) {
  using enum TypeKind;
  for (const TypeKind from :
       {kBoolean, kInt32, kInt64, kDouble, kString, kBytes, kDate, kTimestamp}) {
    for (const TypeKind to :
         {kBoolean, kInt32, kInt64, kDouble, kString, kBytes, kDate, kTimestamp}) {
      if (from != to && FunctionRegistry::builtin().find_cast(from, to) == nullptr) continue;
      EXPECT_EQ(cast(Value::null(from), to), "null") << DataType(from).to_string();
    }
  }
}

TEST(Cast, RefusesPairsWithoutAMeaning) {
  EXPECT_EQ(cast(Value::boolean(true), TypeKind::kDate), "cannot cast boolean to date: x");
  EXPECT_EQ(cast(Value::int32(1), TypeKind::kBytes), "cannot cast int to bytes: x");
}

TEST(Cast, GivesTheValueItselfForItsOwnType) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {{Value::int32(1)}});
  EXPECT_TRUE(rows.bound(col("x").cast(TypeKind::kInt32))->is_column());
}

TEST(Cast, FailsOnlyInRowsThatAreWanted) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("12")}, {Value::string("n/a")}});
  EXPECT_EQ(rows.values(case_when({col("s") != lit("n/a"), col("s").cast(TypeKind::kInt32)})),
            (Texts{"12", "null"}));
}

}  // namespace
}  // namespace millrace::stream
