#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Value ints(const std::vector<int>& numbers) {
  std::vector<Value> elements;
  for (const int number : numbers) elements.push_back(Value::int32(number));
  return Value::array(TypeKind::kInt32, std::move(elements));
}

/// [10, 20, null], [], null
ExpressionCase three_lists() {
  return {{{"l", DataType::array(TypeKind::kInt32)}},
          {{Value::array(TypeKind::kInt32,
                         {Value::int32(10), Value::int32(20), Value::null(TypeKind::kInt32)})},
           {ints({})},
           {Value::null(DataType::array(TypeKind::kInt32))}}};
}

/// [3, 1, null, 3], [], null
ExpressionCase unsorted_lists() {
  return {{{"l", DataType::array(TypeKind::kInt32)}},
          {{Value::array(TypeKind::kInt32, {Value::int32(3), Value::int32(1),
                                            Value::null(TypeKind::kInt32), Value::int32(3)})},
           {ints({})},
           {Value::null(DataType::array(TypeKind::kInt32))}}};
}

Expr list(const std::vector<int>& numbers) { return lit(ints(numbers)); }
Expr null_int() { return lit(Value::null(TypeKind::kInt32)); }

TEST(ArrayAccess, GivesNullOutOfBoundsWhereTheFunctionSaysSo) {
  ExpressionCase rows = three_lists();
  EXPECT_EQ(rows.values(call("get", {col("l"), lit(0)})), (Texts{"10", "null", "null"}));
  EXPECT_EQ(rows.values(call("get", {col("l"), lit(5)})), (Texts{"null", "null", "null"}));
  EXPECT_EQ(rows.values(call("get", {col("l"), lit(-1)})), (Texts{"null", "null", "null"}));
  EXPECT_EQ(rows.values(call("try_element_at", {col("l"), lit(1)})), (Texts{"10", "null", "null"}));
  EXPECT_EQ(rows.values(call("try_element_at", {col("l"), lit(-2)})),
            (Texts{"20", "null", "null"}));
  EXPECT_EQ(rows.values(call("try_element_at", {col("l"), lit(9)})),
            (Texts{"null", "null", "null"}));
}

TEST(ArrayAccess, FailsOutOfBounds) {
  EXPECT_EQ(result_of("item", {list({10, 20}), lit(1)}), "20");
  EXPECT_EQ(result_of("item", {list({10, 20}), lit(5)}),
            "row 0: index 5 is out of bounds: the array has 2 elements in item(array[10, 20], 5)");
  EXPECT_EQ(result_of("element_at", {list({10}), lit(2)}),
            "row 0: index 2 is out of bounds: the array has 1 element in element_at(array[10], 2)");
  EXPECT_EQ(result_of("element_at", {list({10}), lit(0)}),
            "row 0: index 0 is invalid: elements count from 1, or from -1 backwards in "
            "element_at(array[10], 0)");
  EXPECT_EQ(result_of("try_element_at", {list({10}), lit(0)}),
            "row 0: index 0 is invalid: elements count from 1, or from -1 backwards in "
            "try_element_at(array[10], 0)");
}

TEST(ArrayAccess, GivesNullOutOfBoundsWithoutAnsi) {
  ExpressionCase rows = three_lists();
  rows.under({&TimeZone::utc(), false});
  EXPECT_EQ(rows.values(call("item", {col("l"), lit(0)})), (Texts{"10", "null", "null"}));
  EXPECT_EQ(rows.values(call("item", {col("l"), lit(5)})), (Texts{"null", "null", "null"}));
  EXPECT_EQ(rows.values(call("item", {col("l"), lit(-1)})), (Texts{"null", "null", "null"}));
  EXPECT_EQ(rows.values(call("element_at", {col("l"), lit(1)})), (Texts{"10", "null", "null"}));
  EXPECT_EQ(rows.values(call("size", {col("l")})), (Texts{"3", "0", "-1"}));
}

TEST(ArraySize, CountsNullsInsideAndIsNullOfNull) {
  ExpressionCase rows = three_lists();
  EXPECT_EQ(rows.values(call("size", {col("l")})), (Texts{"3", "0", "null"}));
  EXPECT_EQ(rows.values(call("cardinality", {col("l")})), (Texts{"3", "0", "null"}));
  EXPECT_EQ(rows.values(call("array_size", {col("l")})), (Texts{"3", "0", "null"}));
}

TEST(ArraySearch, FindsValues) {
  ExpressionCase rows = unsorted_lists();
  EXPECT_EQ(rows.values(call("array_contains", {col("l"), lit(3)})),
            (Texts{"true", "false", "null"}));
  EXPECT_EQ(rows.values(call("array_contains", {col("l"), lit(9)})),
            (Texts{"null", "false", "null"}));
  EXPECT_EQ(rows.values(call("array_position", {col("l"), lit(3)})), (Texts{"1", "0", "null"}));
  EXPECT_EQ(rows.values(call("array_max", {col("l")})), (Texts{"3", "null", "null"}));
  EXPECT_EQ(rows.values(call("array_min", {col("l")})), (Texts{"1", "null", "null"}));
  EXPECT_EQ(rows.type_of(call("array_position", {col("l"), lit(3)})), "bigint");
}

TEST(ArrayOrder, PutsNullsFirstOrLast) {
  ExpressionCase rows = unsorted_lists();
  EXPECT_EQ(rows.values(call("sort_array", {col("l")})),
            (Texts{"array[null, 1, 3, 3]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("sort_array", {col("l"), lit(false)})),
            (Texts{"array[3, 3, 1, null]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("array_sort", {col("l")})),
            (Texts{"array[1, 3, 3, null]", "array[]", "null"}));
}

TEST(ArrayMaking, TakesPartsOfArrays) {
  ExpressionCase rows = unsorted_lists();
  EXPECT_EQ(rows.values(call("slice", {col("l"), lit(2), lit(2)})),
            (Texts{"array[1, null]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("slice", {col("l"), lit(-2), lit(9)})),
            (Texts{"array[null, 3]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("array_remove", {col("l"), lit(3)})),
            (Texts{"array[1, null]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("array_compact", {col("l")})),
            (Texts{"array[3, 1, 3]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("reverse", {col("l")})),
            (Texts{"array[3, null, 1, 3]", "array[]", "null"}));
  EXPECT_EQ(result_of("slice", {list({1}), lit(0), lit(1)}),
            "row 0: a slice starts at 1, or at -1 backwards, not at 0 in slice(array[1], 0, 1)");
  EXPECT_EQ(result_of("slice", {list({1}), lit(1), lit(-1)}),
            "row 0: the length of a slice cannot be negative in slice(array[1], 1, -1)");
}

TEST(ArrayMaking, PutsArraysTogether) {
  ExpressionCase rows = unsorted_lists();
  EXPECT_EQ(rows.values(call("concat", {col("l"), call("array", {lit(7)})})),
            (Texts{"array[3, 1, null, 3, 7]", "array[7]", "null"}));
  EXPECT_EQ(rows.type_of(call("concat", {col("l"), call("array", {lit(7)})})), "array<int>");
  EXPECT_EQ(rows.values(call("array_append", {col("l"), null_int()})),
            (Texts{"array[3, 1, null, 3, null]", "array[null]", "null"}));
  EXPECT_EQ(rows.values(call("array_prepend", {col("l"), lit(0)})),
            (Texts{"array[0, 3, 1, null, 3]", "array[0]", "null"}));
  EXPECT_EQ(rows.values(call("flatten", {call("array", {col("l"), list({5})})})),
            (Texts{"array[3, 1, null, 3, 5]", "array[5]", "null"}));
  EXPECT_EQ(result_of("array", {lit(1), lit(2.5), null_int()}), "array[1.0, 2.5, null]");
}

TEST(ArrayMaking, RepeatsAndCounts) {
  EXPECT_EQ(result_of("array_repeat", {lit("x"), lit(2)}), "array['x', 'x']");
  EXPECT_EQ(result_of("array_repeat", {lit("x"), lit(-2)}), "array[]");
  EXPECT_EQ(result_of("array_repeat", {null_int(), lit(2)}), "array[null, null]");
  EXPECT_EQ(result_of("sequence", {lit(1), lit(5)}), "array[1, 2, 3, 4, 5]");
  EXPECT_EQ(result_of("sequence", {lit(5), lit(1)}), "array[5, 4, 3, 2, 1]");
  EXPECT_EQ(result_of("sequence", {lit(1), lit(6), lit(2)}), "array[1, 3, 5]");
  EXPECT_EQ(result_of("sequence", {lit(3), lit(3), lit(0)}), "array[3]");
  EXPECT_EQ(result_of("sequence", {lit(1), lit(5), lit(-1)}),
            "row 0: a sequence cannot go from its start to its stop by this step in "
            "sequence(1, 5, -1)");
  EXPECT_EQ(result_of("sequence", {lit(1), lit(1'000'001)}),
            "row 0: the array would have more than 1,000,000 elements in sequence(1, 1000001)");
}

TEST(ArrayText, JoinsElements) {
  ExpressionCase rows = unsorted_lists();
  const Expr texts = col("l").cast(DataType::array(TypeKind::kString));
  EXPECT_EQ(rows.values(call("array_join", {texts, lit(",")})), (Texts{"'3,1,3'", "''", "null"}));
  EXPECT_EQ(rows.values(call("array_join", {texts, lit(","), lit("?")})),
            (Texts{"'3,1,?,3'", "''", "null"}));
}

TEST(ArraySets, HoldEachElementOnce) {
  ExpressionCase rows = unsorted_lists();
  EXPECT_EQ(rows.values(call("array_distinct", {col("l")})),
            (Texts{"array[3, 1, null]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("array_union", {col("l"), list({4, 1})})),
            (Texts{"array[3, 1, null, 4]", "array[4, 1]", "null"}));
  EXPECT_EQ(rows.values(call("array_intersect", {col("l"), list({4, 3, 3})})),
            (Texts{"array[3]", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("array_except", {col("l"), list({3})})),
            (Texts{"array[1, null]", "array[]", "null"}));
}

TEST(ArraySets, OverlapUnlessNothingIsShared) {
  ExpressionCase rows = unsorted_lists();
  EXPECT_EQ(rows.values(call("arrays_overlap", {col("l"), list({1})})),
            (Texts{"true", "false", "null"}));
  EXPECT_EQ(rows.values(call("arrays_overlap", {col("l"), list({8})})),
            (Texts{"null", "false", "null"}));
  EXPECT_EQ(result_of("arrays_overlap", {list({1, 2}), list({3})}), "false");
}

}  // namespace
}  // namespace millrace::stream
