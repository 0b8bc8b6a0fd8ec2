#include "stream/decimal.hpp"
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
      {bytes(std::string("\0\xff\x10", 3)), kString, std::string("'\0\xEF\xBF\xBD\x10'", 7)},
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

Value decimal(std::string_view digits, int precision, int scale) {
  return Value::decimal(read_decimal(digits, precision, scale)->unscaled, precision, scale);
}

/// Casts columns' values one by one; the mode is try_cast's if asked for.
Texts cast_all(const std::vector<Value>& from, const DataType& to, bool tries = true,
               EvaluationSettings settings = {}) {
  std::vector<std::vector<Value>> data;
  for (const Value& each : from) data.push_back({each});
  ExpressionCase rows({{"x", from[0].type}}, data);
  rows.under(settings);
  return rows.values(tries ? col("x").try_cast(to) : col("x").cast(to));
}

std::vector<Value> strings(std::initializer_list<const char*> texts) {
  std::vector<Value> values;
  for (const char* text : texts) values.push_back(Value::string(text));
  return values;
}

const EvaluationSettings kNotAnsi{&TimeZone::utc(), false};

TEST(Cast, ReadsWholeNumbersStrictlyUnlessAnsiIsOff) {
  const auto texts = strings({" 12 ", "+12", "12.7", "1e3", "", ".", "2147483648", "\t7\n"});
  EXPECT_EQ(cast_all(texts, TypeKind::kInt32),
            (Texts{"12", "12", "null", "null", "null", "null", "null", "7"}));
  EXPECT_EQ(cast_all(texts, TypeKind::kInt32, false, kNotAnsi),
            (Texts{"12", "12", "12", "null", "null", "0", "null", "7"}));
  EXPECT_EQ(cast_all(texts, TypeKind::kInt64, false, kNotAnsi),
            (Texts{"12", "12", "12", "null", "null", "0", "2147483648", "7"}));
}

TEST(Cast, ReadsDoublesAsTheAnchorDoes) {
  EXPECT_EQ(cast_all(strings({"-.5", "5.", "nan", "-inf", "+Infinity", "1.5d", "0x1p3", "1e400",
                              "1e-400", "1,5"}),
                     TypeKind::kDouble),
            (Texts{"-0.5", "5.0", "NaN", "-Infinity", "Infinity", "1.5", "8.0", "Infinity", "0.0",
                   "null"}));
}

TEST(Cast, CutsDoublesToTheRangeWhereAnsiIsOff) {
  const std::vector<Value> values{Value::real(2.9), Value::real(-1e10), Value::real(1e10),
                                  Value::real(kNan), Value::real(2147483647.5)};
  EXPECT_EQ(cast_all(values, TypeKind::kInt32), (Texts{"2", "null", "null", "null", "2147483647"}));
  EXPECT_EQ(cast_all(values, TypeKind::kInt32, false, kNotAnsi),
            (Texts{"2", "-2147483648", "2147483647", "0", "2147483647"}));
}

TEST(Cast, WrapsWholeNumbersWhereAnsiIsOff) {
  EXPECT_EQ(cast_all({Value::int64(4'294'967'297), Value::int64(-4'294'967'297),
                      Value::int64(2'147'483'648)},
                     TypeKind::kInt32, false, kNotAnsi),
            (Texts{"1", "-1", "-2147483648"}));
}

TEST(Cast, BringsNumbersToDecimals) {
  const DataType type = DataType::decimal(6, 2);
  EXPECT_EQ(cast_all(strings({"1.005", "-1.005", "12345.6", "1e2", "abc", "9999.995"}), type),
            (Texts{"1.01", "-1.01", "null", "100.00", "null", "null"}));
  EXPECT_EQ(cast_all({Value::int32(7), Value::int32(10'000)}, type), (Texts{"7.00", "null"}));
  EXPECT_EQ(cast_all({Value::real(0.1), Value::real(2.675), Value::real(kNan)}, type),
            (Texts{"0.10", "2.68", "null"}));
  EXPECT_EQ(cast_all({Value::boolean(true)}, type), (Texts{"1.00"}));
  EXPECT_EQ(cast_all({decimal("1999.999", 10, 3), decimal("9.999", 10, 3), decimal("99.994", 10, 3),
                      decimal("99.995", 10, 3)},
                     DataType::decimal(4, 2)),
            (Texts{"null", "10.00", "99.99", "null"}));
  EXPECT_EQ(cast_all({timestamp(-1'500'000)}, type), (Texts{"-1.50"}));
}

TEST(Cast, BringsDecimalsToNumbersAndText) {
  const std::vector<Value> values{decimal("-12.70", 10, 2), decimal("0.00", 10, 2)};
  EXPECT_EQ(cast_all(values, TypeKind::kInt32), (Texts{"-12", "0"}));
  EXPECT_EQ(cast_all(values, TypeKind::kDouble), (Texts{"-12.7", "0.0"}));
  EXPECT_EQ(cast_all(values, TypeKind::kBoolean), (Texts{"true", "false"}));
  EXPECT_EQ(cast_all(values, TypeKind::kString), (Texts{"'-12.70'", "'0.00'"}));
  EXPECT_EQ(cast_all(values, TypeKind::kTimestamp),
            (Texts{"timestamp '1969-12-31 23:59:47.3'", "timestamp '1970-01-01 00:00:00'"}));
  EXPECT_EQ(cast(decimal("2147483648", 10, 0), TypeKind::kInt32),
            "row 0: cannot cast 2147483648 to int in cast(x as int)");
}

TEST(Cast, TakesTimesOfTheSessionsZone) {
  const EvaluationSettings new_york{*TimeZone::find("America/New_York"), true};
  EXPECT_EQ(cast_all(strings({"2024-02-29 12:34:56", "2024-02-29T12:34:56Z"}), TypeKind::kTimestamp,
                     false, new_york),
            (Texts{"timestamp '2024-02-29 17:34:56'", "timestamp '2024-02-29 12:34:56'"}));
  EXPECT_EQ(cast_all({timestamp(0)}, TypeKind::kString, false, new_york),
            (Texts{"'1969-12-31 19:00:00'"}));
  EXPECT_EQ(cast_all({timestamp(0)}, TypeKind::kDate, false, new_york),
            (Texts{"date '1969-12-31'"}));
  EXPECT_EQ(cast_all({date(0)}, TypeKind::kTimestamp, false, new_york),
            (Texts{"timestamp '1970-01-01 05:00:00'"}));
}

TEST(Cast, ShowsWhatIsNestedAsText) {
  const Value list =
      Value::array(TypeKind::kInt32, {Value::int32(1), Value::null(TypeKind::kInt32)});
  EXPECT_EQ(cast(list, TypeKind::kString), "'[1, null]'");
  EXPECT_EQ(cast(Value::structure({{"a", Value::int32(1)}, {"b", Value::string("x")}}),
                 TypeKind::kString),
            "'{1, x}'");
  EXPECT_EQ(cast(Value::map(TypeKind::kString, TypeKind::kDouble,
                            {{Value::string("a"), Value::real(1)},
                             {Value::string("b"), Value::null(TypeKind::kDouble)}}),
                 TypeKind::kString),
            "'{a -> 1.0, b -> null}'");
  EXPECT_EQ(cast(Value::interval({0, 1, 7'200'000'000}), TypeKind::kString), "'1 days 2 hours'");
}

TEST(Cast, CastsWhatIsInside) {
  const Value list =
      Value::array(TypeKind::kString, {Value::string("1"), Value::string("x"), Value::string("3")});
  ExpressionCase rows({{"x", list.type}},
                      {{Value::array(TypeKind::kString, {Value::string("7")})}, {list}});
  const DataType ints = DataType::array(TypeKind::kInt32);

  EXPECT_EQ(rows.values(col("x").try_cast(ints)), (Texts{"array[7]", "array[1, null, 3]"}));
  EXPECT_EQ(rows.value(col("x").cast(ints)),
            "row 1: cannot cast 'x' to int in cast(x as array<int>)");
  EXPECT_EQ(rows.type_of(col("x").cast(DataType::array(DataType::array(TypeKind::kInt32)))),
            "cannot cast array<string> to array<array<int>>: x");

  const Value row =
      Value::structure({{"a", Value::int32(1)},
                        {"m", Value::map(TypeKind::kInt32, TypeKind::kString,
                                         {{Value::int32(5), Value::string("2.5")}})}});
  EXPECT_EQ(ExpressionCase({{"x", row.type}}, {{row}})
                .value(col("x").cast(DataType::structure(
                    {{"b", TypeKind::kString},
                     {"n", DataType::map(TypeKind::kInt64, DataType::decimal(3, 2))}}))),
            "row('1', map(5, 2.50))");
}

TEST(Cast, ReadsIntervals) {
  EXPECT_EQ(cast_all(strings({"1 year 2 days -3.5 hours", "interval 90 minutes", "1 fortnight"}),
                     TypeKind::kInterval),
            (Texts{"interval '1 years 2 days -3 hours -30 minutes'",
                   "interval '1 hours 30 minutes'", "null"}));
}

}  // namespace
}  // namespace millrace::stream
