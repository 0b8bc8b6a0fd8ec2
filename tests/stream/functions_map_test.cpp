#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

const DataType kCounts = DataType::map(TypeKind::kString, TypeKind::kInt32);

Value counts(const std::vector<std::pair<const char*, Value>>& entries) {
  std::vector<std::pair<Value, Value>> owned;
  for (const auto& [key, value] : entries) owned.emplace_back(Value::string(key), value);
  return Value::map(TypeKind::kString, TypeKind::kInt32, std::move(owned));
}

/// {a -> 1, b -> null}, {}, null
ExpressionCase three_maps() {
  return {{{"m", kCounts}},
          {{counts({{"a", Value::int32(1)}, {"b", Value::null(TypeKind::kInt32)}})},
           {counts({})},
           {Value::null(kCounts)}}};
}

TEST(MapAccess, FindsKeys) {
  ExpressionCase rows = three_maps();
  for (const char* name : {"item", "element_at", "try_element_at"}) {
    EXPECT_EQ(rows.values(call(name, {col("m"), lit("a")})), (Texts{"1", "null", "null"})) << name;
    EXPECT_EQ(rows.values(call(name, {col("m"), lit("z")})), (Texts{"null", "null", "null"}))
        << name;
  }
  EXPECT_EQ(rows.values(call("map_contains_key", {col("m"), lit("b")})),
            (Texts{"true", "false", "null"}));
  EXPECT_EQ(rows.values(call("size", {col("m")})), (Texts{"2", "0", "null"}));
}

TEST(MapParts, AreArrays) {
  ExpressionCase rows = three_maps();
  EXPECT_EQ(rows.values(call("map_keys", {col("m")})),
            (Texts{"array['a', 'b']", "array[]", "null"}));
  EXPECT_EQ(rows.values(call("map_values", {col("m")})),
            (Texts{"array[1, null]", "array[]", "null"}));
  EXPECT_EQ(rows.type_of(call("map_entries", {col("m")})),
            "array<struct<key: string, value: int>>");
  EXPECT_EQ(rows.values(call("field", {call("map_entries", {col("m")}), lit("value")})),
            (Texts{"array[1, null]", "array[]", "null"}));
}

TEST(MapMaking, TakesKeysAndValues) {
  ExpressionCase rows = three_maps();
  EXPECT_EQ(rows.type_of(call("map", {lit("a"), lit(1), lit("b"), lit(2.5)})),
            "map<string, double>");
  const Expr keys = call("map_keys", {col("m")});
  const Expr values = call("map_values", {col("m")});
  const Expr again = call("map_from_arrays", {keys, values});
  EXPECT_EQ(rows.values(call("item", {again, lit("a")})), (Texts{"1", "null", "null"}));
  const Expr from_entries = call("map_from_entries", {call("map_entries", {col("m")})});
  EXPECT_EQ(rows.values(call("map_keys", {from_entries})),
            (Texts{"array['a', 'b']", "array[]", "null"}));
  const Expr both = call("map_concat", {col("m"), call("map", {lit("c"), lit(3)})});
  EXPECT_EQ(rows.values(call("map_keys", {both})),
            (Texts{"array['a', 'b', 'c']", "array['c']", "null"}));
}

TEST(MapMaking, RefusesKeysThatAreNullOrTwice) {
  EXPECT_EQ(result_of("size", {call("map", {lit("a"), lit(1), lit("a"), lit(2)})}),
            "row 0: a key is twice in one map in map('a', 1, 'a', 2)");
  EXPECT_EQ(result_of("size", {call("map", {lit(Value::null(TypeKind::kString)), lit(1)})}),
            "row 0: a key of a map cannot be null in map(null, 1)");
  const Expr one_key = call("array", {lit("a")});
  const Expr two_values = call("array", {lit(1), lit(2)});
  EXPECT_EQ(result_of("map_from_arrays", {one_key, two_values}),
            "row 0: a map needs as many values as keys in map_from_arrays(array('a'), "
            "array(1, 2))");
}

}  // namespace
}  // namespace millrace::stream
