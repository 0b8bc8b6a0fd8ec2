#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

const DataType kPair = DataType::structure({{"a", TypeKind::kInt32}, {"b", TypeKind::kString}});

Value pair(Value number, Value text) {
  return Value::structure({{"a", std::move(number)}, {"b", std::move(text)}});
}

/// [{1, x}, {null, null}, null], [], null
ExpressionCase lists_of_pairs() {
  return {
      {{"l", DataType::array(kPair)}},
      {{Value::array(kPair, {pair(Value::int32(1), Value::string("x")),
                             pair(Value::null(TypeKind::kInt32), Value::null(TypeKind::kString)),
                             Value::null(kPair)})},
       {Value::array(kPair, {})},
       {Value::null(DataType::array(kPair))}}};
}

TEST(StructFields, AreTakenFromOneOrAcrossAnArray) {
  ExpressionCase rows = lists_of_pairs();
  EXPECT_EQ(rows.values(call("field", {col("l"), lit("a")})),
            (Texts{"array[1, null, null]", "array[]", "null"}));
  const Expr first = call("get", {col("l"), lit(0)});
  EXPECT_EQ(rows.values(call("field", {first, lit("b")})), (Texts{"'x'", "null", "null"}));
  EXPECT_EQ(rows.values(call("field", {first, lit("B")})), (Texts{"'x'", "null", "null"}));
  EXPECT_EQ(rows.type_of(call("field", {col("l"), lit("a")})), "array<int>");
}

TEST(StructMaking, NamesFieldsByColumnsAndByLiterals) {
  ExpressionCase rows({{"x", TypeKind::kInt32}, {"y", TypeKind::kString}},
                      {{Value::int32(1), Value::string("q")},
                       {Value::null(TypeKind::kInt32), Value::null(TypeKind::kString)}});
  EXPECT_EQ(rows.type_of(call("struct", {col("x"), col("y"), lit(2), (col("x") + lit(1)).as("z")})),
            "struct<x: int, y: string, col3: int, z: int>");
  EXPECT_EQ(rows.type_of(call("named_struct", {lit("k"), col("x"), lit("v"), col("y")})),
            "struct<k: int, v: string>");
  const Expr made = call("named_struct", {lit("k"), col("x"), lit("v"), col("y")});
  EXPECT_EQ(rows.values(call("field", {made, lit("k")})), (Texts{"1", "null"}));
  EXPECT_EQ(rows.values(made.is_null()), (Texts{"false", "false"}));
}

TEST(ArraysZip, PutsElementsSideBySide) {
  ExpressionCase rows({{"x", DataType::array(TypeKind::kInt32)}},
                      {{Value::array(TypeKind::kInt32, {Value::int32(1), Value::int32(2)})}});
  const Expr zipped = call("arrays_zip", {col("x"), call("array", {lit("a")})});
  EXPECT_EQ(rows.type_of(zipped), "array<struct<x: int, 1: string>>");
  EXPECT_EQ(rows.value(call("field", {zipped, lit("x")})), "array[1, 2]");
  EXPECT_EQ(rows.value(call("field", {zipped, lit("1")})), "array['a', null]");
}

}  // namespace
}  // namespace millrace::stream
