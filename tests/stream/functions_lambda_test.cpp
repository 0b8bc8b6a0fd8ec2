#include "stream/plan/expression_rewrite.hpp"
#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Value numbers(const std::vector<int>& values) {
  std::vector<Value> elements;
  for (const int each : values) elements.push_back(Value::int32(each));
  return Value::array(TypeKind::kInt32, std::move(elements));
}

const Value kNoNumber = Value::null(TypeKind::kInt32);

/// Column l, an array of int, and column n, an int.
ExpressionCase lists(std::vector<std::vector<Value>> rows) {
  return {{{"l", DataType::array(TypeKind::kInt32)}, {"n", TypeKind::kInt32}}, std::move(rows)};
}

ExpressionCase some_lists() {
  Value with_null = numbers({4, 0, 5});
  std::get<std::vector<Value>>(with_null.data)[1] = kNoNumber;
  return lists({{numbers({1, 2, 3}), Value::int32(10)},
                {numbers({}), Value::int32(20)},
                {Value::null(DataType::array(TypeKind::kInt32)), Value::int32(30)},
                {with_null, kNoNumber},
                {with_null, Value::int32(40)}});
}

const Expr kList = col("l");

TEST(Transform, SeesElementsPlacesAndTheRowAround) {
  ExpressionCase rows = some_lists();
  EXPECT_EQ(
      rows.values(transform(kList, [](const Expr& x) { return x * lit(2); })),
      (Texts{"array[2, 4, 6]", "array[]", "null", "array[8, null, 10]", "array[8, null, 10]"}));
  EXPECT_EQ(rows.values(transform(kList, [](const Expr& x, const Expr& i) { return x - i; })),
            (Texts{"array[1, 1, 1]", "array[]", "null", "array[4, null, 3]", "array[4, null, 3]"}));
  EXPECT_EQ(rows.values(transform(kList, [](const Expr& x) { return x + col("n"); })),
            (Texts{"array[11, 12, 13]", "array[]", "null", "array[null, null, null]",
                   "array[44, null, 45]"}));
}

TEST(Transform, FailsTheRowOfAnElementThatFails) {
  ExpressionCase rows =
      lists({{numbers({1, 0}), Value::int32(1)}, {numbers({2}), Value::int32(1)}});
  const Expr divided = transform(kList, [](const Expr& x) { return lit(6) / x; });
  EXPECT_EQ(rows.value(divided), "row 0: division by zero in 6 / x");
  ExpressionEvaluator evaluator(*rows.bound(divided));
  EvaluationContext context(EvaluationContext::OnError::kCollect);
  context.begin(2);
  const auto column = evaluator.evaluate(rows.batch(), context);
  EXPECT_EQ(ExpressionCase::texts(**column), (Texts{"null", "array[3.0]"}));
  EXPECT_TRUE(context.failed_rows().contains(0));
  EXPECT_FALSE(context.failed_rows().contains(1));
}

TEST(Transform, FailsNothingWhereNobodyLooks) {
  ExpressionCase rows = lists({{numbers({0}), Value::int32(1)}, {numbers({2}), Value::int32(2)}});
  const Expr divided = transform(kList, [](const Expr& x) { return lit(6) / x; });
  EXPECT_EQ(rows.values(case_when({col("n") == lit(2), divided})), (Texts{"null", "array[3.0]"}));
  const Expr guarded = transform(kList, [](const Expr& x) {
    return case_when({x != lit(0), lit(6) / x, lit(-1.0)});
  });
  EXPECT_EQ(rows.values(guarded), (Texts{"array[-1.0]", "array[3.0]"}));
}

TEST(Transform, GivesNullForElementsWithoutAnsi) {
  ExpressionCase rows = lists({{numbers({1, 0}), Value::int32(1)}});
  rows.under({&TimeZone::utc(), false});
  EXPECT_EQ(rows.value(transform(kList, [](const Expr& x) { return lit(6) / x; })),
            "array[6.0, null]");
}

TEST(Transform, NestsAndNamesItsParametersApart) {
  ExpressionCase rows =
      lists({{numbers({1, 2}), Value::int32(10)}, {numbers({3}), Value::int32(20)}});
  const Expr table = transform(kList, [](const Expr& x) {
    return transform(kList, [&](const Expr& y) { return x * y + col("n"); });
  });
  EXPECT_EQ(table.to_string(), "transform(l, x1 -> transform(l, x -> (x1 * x) + n))");
  EXPECT_EQ(rows.values(table), (Texts{"array[array[11, 12], array[12, 14]]", "array[array[29]]"}));
}

TEST(Transform, LeavesColumnsThatAreCalledXAlone) {
  ExpressionCase rows({{"l", DataType::array(TypeKind::kInt32)}, {"x", TypeKind::kInt32}},
                      {{numbers({1, 2}), Value::int32(10)}});
  const Expr sum = transform(kList, [](const Expr& element) { return element + col("x"); });
  EXPECT_EQ(sum.to_string(), "transform(l, x1 -> x1 + x)");
  EXPECT_EQ(rows.value(sum), "array[11, 12]");
}

TEST(Transform, ReadsFieldsOfItsParameter) {
  const DataType point = DataType::structure({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}});
  const Value first = Value::structure({{"a", Value::int32(1)}, {"b", Value::int32(2)}});
  ExpressionCase rows({{"p", DataType::array(point)}},
                      {{Value::array(point, {first, Value::null(point)})}});
  EXPECT_EQ(rows.value(
                call("transform", {col("p"), Lambda({"x"}, col("x.a") + col("x.b")).expression()})),
            "array[3, null]");
}

TEST(Transform, IsTakenApartWithViews) {
  // What stands behind a column of a view is put in its place, lambdas of its own included.
  const std::vector<InputField> inputs{{"", "l", DataType::array(TypeKind::kInt32)},
                                       {"", "most", TypeKind::kInt32}};
  ExpressionCase rows = lists({{numbers({1, 2}), Value::int32(5)}});
  const Expr outer = transform(kList, [](const Expr& x) { return x + col("most"); });
  const auto bound = stream::bind(outer, inputs, FunctionRegistry::builtin());
  ASSERT_TRUE(bound) << bound.error().message;
  const auto most = rows.bound(
      aggregate(kList, lit(0), [](const Expr& sum, const Expr& x) { return sum + x + col("n"); }));
  ExpressionEvaluator evaluator(substitute(*bound, std::vector{*rows.bound(kList), *most}));
  EvaluationContext context;
  context.begin(1);
  EXPECT_EQ(ExpressionCase::texts(**evaluator.evaluate(rows.batch(), context)),
            (Texts{"array[14, 15]"}));
}

TEST(Filter, KeepsWhatIsTrue) {
  ExpressionCase rows = some_lists();
  EXPECT_EQ(rows.values(filter(kList, [](const Expr& x) { return x > lit(1); })),
            (Texts{"array[2, 3]", "array[]", "null", "array[4, 5]", "array[4, 5]"}));
  EXPECT_EQ(
      rows.values(filter(kList, [](const Expr&, const Expr& i) { return i % lit(2) == lit(0); })),
      (Texts{"array[1, 3]", "array[]", "null", "array[4, 5]", "array[4, 5]"}));
  EXPECT_EQ(rows.value(filter(filter(kList, [](const Expr& x) { return x > lit(1); }),
                              [](const Expr& x) { return x < lit(3); })),
            "array[2]");
}

TEST(Exists, IsOpenWhereANullIsAllThatCouldBe) {
  ExpressionCase rows = some_lists();
  EXPECT_EQ(rows.values(exists(kList, [](const Expr& x) { return x > lit(4); })),
            (Texts{"false", "false", "null", "true", "true"}));
  EXPECT_EQ(rows.values(exists(kList, [](const Expr& x) { return x > lit(9); })),
            (Texts{"false", "false", "null", "null", "null"}));
}

TEST(Forall, IsOpenWhereANullIsAllThatCouldBe) {
  ExpressionCase rows = some_lists();
  EXPECT_EQ(rows.values(forall(kList, [](const Expr& x) { return x > lit(3); })),
            (Texts{"false", "true", "null", "null", "null"}));
  EXPECT_EQ(rows.values(forall(kList, [](const Expr& x) { return x < lit(5); })),
            (Texts{"true", "true", "null", "false", "false"}));
}

TEST(Exists, EvaluatesNothingBehindWhatDecides) {
  ExpressionCase rows =
      lists({{numbers({1, 0}), Value::int32(1)}, {numbers({4, 2, 0}), Value::int32(1)}});
  EXPECT_EQ(rows.values(exists(kList, [](const Expr& x) { return lit(8) / x > lit(3); })),
            (Texts{"true", "true"}));
  EXPECT_EQ(rows.values(forall(kList, [](const Expr& x) { return lit(8) / x < lit(3); })),
            (Texts{"false", "false"}));
  EXPECT_EQ(rows.value(exists(kList, [](const Expr& x) { return lit(8) / x > lit(9); })),
            "row 0: division by zero in 8 / x");
}

TEST(Aggregate, GoesFromElementToElement) {
  ExpressionCase rows = some_lists();
  const Lambda plus = [](const Expr& sum, const Expr& x) { return sum + x; };
  EXPECT_EQ(rows.values(aggregate(kList, lit(0), plus)), (Texts{"6", "0", "null", "null", "null"}));
  const Lambda skipping = [](const Expr& sum, const Expr& x) {
    return sum + coalesce({x, col("n"), lit(0)});
  };
  EXPECT_EQ(rows.values(aggregate(kList, lit(100), skipping,
                                  [](const Expr& sum) {
                                    return concat({lit("="), sum});
                                  })),
            (Texts{"'=106'", "'=100'", "null", "'=109'", "'=149'"}));
}

TEST(Aggregate, CarriesTextsAndLists) {
  ExpressionCase rows =
      lists({{numbers({1, 2, 3}), Value::int32(1)}, {numbers({4}), Value::int32(2)}});
  EXPECT_EQ(rows.values(aggregate(kList, lit("<"),
                                  [](const Expr& all, const Expr& x) {
                                    return concat({all, x});
                                  })),
            (Texts{"'<123'", "'<4'"}));
  const Expr none = call("filter", {kList, Lambda({"x"}, lit(false)).expression()});
  EXPECT_EQ(rows.values(aggregate(kList, none,
                                  [](const Expr& all, const Expr& x) {
                                    return call("array_append", {all, x + col("n")});
                                  })),
            (Texts{"array[2, 3, 4]", "array[6]"}));
}

TEST(Aggregate, FailsOnlyForListsThatAreThere) {
  ExpressionCase rows = lists({{Value::null(DataType::array(TypeKind::kInt32)), Value::int32(0)},
                               {numbers({1}), Value::int32(2)}});
  const Lambda plus = [](const Expr& sum, const Expr& x) {
    return sum + x.cast(TypeKind::kDouble);
  };
  EXPECT_EQ(rows.values(aggregate(kList, lit(6) / col("n"), plus)), (Texts{"null", "4.0"}));
}

TEST(Aggregate, WantsOneTypeAllAlong) {
  ExpressionCase rows = some_lists();
  EXPECT_EQ(rows.value(aggregate(kList, lit(0),
                                 [](const Expr& sum, const Expr& x) { return sum + x / lit(2); })),
            "function aggregate does not take (array<int>, int, lambda giving double); it takes: "
            "aggregate(array, start, (so_far, x) -> value[, so_far -> result]); in aggregate(l, 0, "
            "(x, y) -> x + (y / 2))");
}

TEST(ZipWith, GoesOnWithNulls) {
  ExpressionCase rows(
      {{"a", DataType::array(TypeKind::kInt32)}, {"b", DataType::array(TypeKind::kInt32)}},
      {{numbers({1, 2, 3}), numbers({10})},
       {numbers({}), numbers({5})},
       {numbers({}), numbers({})},
       {numbers({1}), Value::null(DataType::array(TypeKind::kInt32))}});
  EXPECT_EQ(rows.values(zip_with(col("a"), col("b"),
                                 [](const Expr& x, const Expr& y) {
                                   return coalesce({x, lit(0)}) + coalesce({y, lit(100)});
                                 })),
            (Texts{"array[11, 102, 103]", "array[5]", "array[]", "null"}));
}

ExpressionCase maps() {
  const DataType type = DataType::map(TypeKind::kString, TypeKind::kInt32);
  return {
      {{"m", type}},
      {{Value::map(TypeKind::kString, TypeKind::kInt32,
                   {{Value::string("a"), Value::int32(1)}, {Value::string("b"), Value::int32(2)}})},
       {Value::map(TypeKind::kString, TypeKind::kInt32, {})},
       {Value::null(type)}}};
}

TEST(MapLambdas, FilterAndTransform) {
  ExpressionCase rows = maps();
  EXPECT_EQ(rows.values(map_filter(col("m"),
                                   [](const Expr& key, const Expr& value) {
                                     return key == lit("b") || value > lit(5);
                                   })),
            (Texts{"map('b', 2)", "map()", "null"}));
  EXPECT_EQ(rows.values(transform_values(col("m"),
                                         [](const Expr& key, const Expr& value) {
                                           return concat({key, value});
                                         })),
            (Texts{"map('a', 'a1', 'b', 'b2')", "map()", "null"}));
  EXPECT_EQ(rows.values(transform_keys(col("m"),
                                       [](const Expr& key, const Expr& value) {
                                         return concat({key, value});
                                       })),
            (Texts{"map('a1', 1, 'b2', 2)", "map()", "null"}));
}

TEST(MapLambdas, RefuseKeysThatNoMapHas) {
  ExpressionCase rows = maps();
  EXPECT_EQ(rows.value(transform_keys(col("m"), [](const Expr&, const Expr&) { return lit(1); })),
            "row 0: a key is twice in one map in transform_keys(m, (x, y) -> 1)");
  EXPECT_EQ(rows.value(transform_keys(col("m"),
                                      [](const Expr&, const Expr&) { return lit(Value::null()); })),
            "row 0: a key of a map cannot be null in transform_keys(m, (x, y) -> null)");
}

ExpressionCase two_maps() {
  using enum TypeKind;
  const DataType ints = DataType::map(kString, kInt32);
  const DataType longs = DataType::map(kString, kInt64);
  const auto text = [](const char* value) { return Value::string(value); };
  return {
      {{"a", ints}, {"b", longs}},
      {{Value::map(kString, kInt32, {{text("x"), Value::int32(1)}, {text("y"), Value::int32(2)}}),
        Value::map(kString, kInt64,
                   {{text("z"), Value::int64(30)}, {text("x"), Value::int64(10)}})},
       {Value::map(kString, kInt32, {}), Value::map(kString, kInt64, {})},
       {Value::null(ints), Value::map(kString, kInt64, {})},
       {Value::map(kString, kInt32, {{text("x"), Value::null(kInt32)}}),
        Value::map(kString, kInt64, {})}}};
}

TEST(MapZipWith, GoesThroughTheKeysOfTheFirstAndThenOfTheSecond) {
  ExpressionCase rows = two_maps();
  EXPECT_EQ(
      rows.values(
          map_zip_with(col("a"), col("b"),
                       [](const Expr& key, const Expr& left, const Expr& right) {
                         return concat({key, coalesce({left, lit(0)}), coalesce({right, lit(0)})});
                       })),
      (Texts{"map('x', 'x110', 'y', 'y20', 'z', 'z030')", "map()", "null", "map('x', 'x00')"}));
}

TEST(MapZipWith, BringsKeysToOneType) {
  ExpressionCase rows;
  const auto map = [](const Expr& key, const char* value) {
    return call("map", {key, lit(value)});
  };
  EXPECT_EQ(rows.value(map_zip_with(map(lit(1), "a"), map(lit(1L), "b"),
                                    [](const Expr&, const Expr& left, const Expr& right) {
                                      return concat({left, right});
                                    })),
            "map(1, 'ab')");
}

ExpressionCase lists_to_sort() {
  using enum TypeKind;
  const auto list = [](std::initializer_list<int> numbers) {
    std::vector<Value> values;
    for (const int number : numbers) values.push_back(Value::int32(number));
    return Value::array(kInt32, std::move(values));
  };
  return {{{"l", DataType::array(kInt32)}},
          {{list({3, 1, 2, 5, 4, 9, 7})},
           {list({})},
           {Value::null(DataType::array(kInt32))},
           {list({21, 11, 12, 31, 22})},
           {Value::array(kInt32, {Value::null(kInt32), Value::int32(1)})}}};
}

TEST(ArraySort, GoesByTheLambda) {
  ExpressionCase rows = lists_to_sort();
  EXPECT_EQ(rows.values(array_sort(col("l"),
                                   [](const Expr& x, const Expr& y) {
                                     return coalesce({y, lit(99)}) - coalesce({x, lit(99)});
                                   })),
            (Texts{"array[9, 7, 5, 4, 3, 2, 1]", "array[]", "null", "array[31, 22, 21, 12, 11]",
                   "array[null, 1]"}));
}

TEST(ArraySort, LeavesEqualsInTheirOrder) {
  ExpressionCase rows = lists_to_sort();
  const auto tens = [](const Expr& x) { return call("div", {coalesce({x, lit(0)}), lit(10)}); };
  EXPECT_EQ(rows.values(array_sort(col("l"),
                                   [&](const Expr& x, const Expr& y) {
                                     return (tens(x) - tens(y)).cast(TypeKind::kInt32);
                                   })),
            (Texts{"array[3, 1, 2, 5, 4, 9, 7]", "array[]", "null", "array[11, 12, 21, 22, 31]",
                   "array[null, 1]"}));
}

TEST(ArraySort, FailsTheRowWhereTheLambdaGivesNull) {
  ExpressionCase rows = lists_to_sort();
  const Expr sorted = array_sort(col("l"), [](const Expr& x, const Expr& y) { return x - y; });
  EXPECT_EQ(rows.value(sorted),
            "row 4: the comparison of two elements gives null in array_sort(l, (x, y) -> x - y)");
  EvaluationSettings settings;
  settings.is_ansi = false;
  EXPECT_EQ(rows.under(settings).values(sorted),
            (Texts{"array[1, 2, 3, 4, 5, 7, 9]", "array[]", "null", "array[11, 12, 21, 22, 31]",
                   "null"}));
}

TEST(ArraySort, WantsAnInt) {
  ExpressionCase rows = lists_to_sort();
  EXPECT_EQ(rows.value(array_sort(col("l"), [](const Expr& x, const Expr& y) { return x < y; })),
            "function array_sort does not take (array<int>, lambda giving boolean); it takes: "
            "array_sort(array), array_sort(array, (left, right) -> int); in array_sort(l, (x, y) "
            "-> x < y)");
}

TEST(Lambdas, StandOnlyWhereAFunctionTakesThem) {
  ExpressionCase rows = some_lists();
  const Expr lambda = Lambda({"x"}, col("x") + lit(1)).expression();
  EXPECT_EQ(rows.value(lambda),
            "a lambda is an argument of functions such as transform only: x -> x + 1");
  EXPECT_EQ(rows.value(call("abs", {lambda})),
            "function abs does not take a lambda of 1 parameter there: x -> x + 1; it takes: "
            "abs(decimal), abs(int), abs(bigint), abs(double)");
  EXPECT_EQ(rows.value(transform(kList, Lambda({"x", "i", "j"}, col("x")))),
            "function transform does not take a lambda of 3 parameters there: (x, i, j) -> x; it "
            "takes: transform(array, x -> value) or (x, i) -> value");
  EXPECT_EQ(rows.value(call("transform", {kList, lit(1)})),
            "function transform does not take (array<int>, int); it takes: transform(array, x -> "
            "value) or (x, i) -> value; in transform(l, 1)");
  EXPECT_EQ(rows.value(transform(kList, Lambda({"x", "x"}, col("x")))),
            "two parameters of a lambda have one name: (x, x) -> x");
  EXPECT_EQ(rows.value(transform(kList, [](const Expr&) { return col("y"); })),
            "column not found: y; nearest: l; columns: l, n");
  EXPECT_EQ(rows.value(transform(transform(kList, [](const Expr& x) { return x; }),
                                 Lambda({"y"}, col("x")))),
            "column not found: x; nearest: l; columns: l, n");
}

}  // namespace
}  // namespace millrace::stream
