#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

TEST(Case, TakesTheFirstBranchThatIsTrue) {
  ExpressionCase rows({{"x", TypeKind::kInt32}},
                      {{Value::int32(1)}, {Value::int32(2)}, {Value::int32(3)}, {Value::null()}});
  EXPECT_EQ(rows.values(case_when(
                {col("x") == lit(1), lit("one"), col("x") < lit(3), lit("two"), lit("many")})),
            (Texts{"'one'", "'two'", "'many'", "'many'"}));
  EXPECT_EQ(rows.values(case_when({col("x") == lit(1), lit("one")})),
            (Texts{"'one'", "null", "null", "null"}));
}

TEST(Case, NeverFailsInABranchThatIsNotTaken) {
  ExpressionCase rows({{"x", TypeKind::kInt32}},
                      {{Value::int32(0)}, {Value::int32(4)}, {Value::null()}});
  EXPECT_EQ(rows.values(case_when({col("x") != lit(0), lit(1) / col("x")})),
            (Texts{"null", "0.25", "null"}));
  EXPECT_EQ(rows.values(case_when({col("x") == lit(0), lit(-1.0), lit(1) / col("x")})),
            (Texts{"-1.0", "0.25", "null"}));
  EXPECT_EQ(rows.value(case_when({col("x") == lit(0), lit(1) / col("x")})),
            "row 0: division by zero in 1 / x");
}

TEST(Case, NarrowsThroughNestedBranches) {
  ExpressionCase rows({{"x", TypeKind::kInt32}, {"y", TypeKind::kInt32}},
                      {{Value::int32(0), Value::int32(1)},
                       {Value::int32(1), Value::int32(0)},
                       {Value::int32(2), Value::int32(4)}});
  const Expr nested =
      case_when({col("x") != lit(0),
                 case_when({col("y") != lit(0), col("x") / col("y"), lit(-1.0)}), lit(-2.0)});
  EXPECT_EQ(rows.values(nested), (Texts{"-2.0", "-1.0", "0.5"}));
  EXPECT_EQ(rows.values(case_when({col("x") == lit(2), coalesce({lit(1) / col("y"), lit(0.0)})})),
            (Texts{"null", "null", "0.25"}));
}

TEST(Case, WidensItsBranchesToOneType) {
  ExpressionCase rows(
      {{"b", TypeKind::kBoolean}, {"l", TypeKind::kInt64}},
      {{Value::boolean(true), Value::int64(5)}, {Value::boolean(false), Value::int64(5)}});
  const Expr mixed = case_when({col("b"), lit(1), col("l")});
  EXPECT_EQ(rows.type_of(mixed), "bigint");
  EXPECT_EQ(rows.values(mixed), (Texts{"1", "5"}));
  EXPECT_EQ(rows.type_of(case_when({col("b"), lit(Value::null()), lit(1.5)})), "double");
  EXPECT_EQ(rows.type_of(case_when({col("b"), lit(1), lit("x")})),
            "bigint");  // which a row that comes to 'x' fails
  EXPECT_EQ(rows.type_of(case_when({col("b"), lit(1), col("b")})),
            "function case does not take (boolean, int, boolean); it takes: case when boolean then "
            "value ... else value end, values of one type; in case when b then 1 else b end");
}

TEST(Case, ChoosesRowByRowInALongBatch) {
  std::vector<std::vector<Value>> data;
  for (int i = 0; i < 300; ++i) data.push_back({Value::int32(i)});
  ExpressionCase rows({{"x", TypeKind::kInt32}}, data);
  const auto result = rows.values(case_when(
      {col("x") % lit(3) == lit(0), lit("fizz"), col("x") % lit(5) == lit(0), lit("buzz")}));
  for (std::size_t i = 0; i < 300; ++i)
    EXPECT_EQ(result[i], i % 3 == 0 ? "'fizz'" : i % 5 == 0 ? "'buzz'" : "null") << i;
}

TEST(Coalesce, TakesTheFirstThatIsNotNull) {
  ExpressionCase rows({{"a", TypeKind::kString}, {"b", TypeKind::kString}},
                      {{Value::string("a"), Value::string("b")},
                       {Value::null(), Value::string("")},
                       {Value::null(), Value::null()}});
  EXPECT_EQ(rows.values(coalesce({col("a"), col("b")})), (Texts{"'a'", "''", "null"}));
  EXPECT_EQ(rows.values(coalesce({col("a"), col("b"), lit("z")})), (Texts{"'a'", "''", "'z'"}));
  EXPECT_EQ(rows.values(coalesce({lit(Value::null()), col("b")})), (Texts{"'b'", "''", "null"}));
}

TEST(Coalesce, ReportsNoErrorsOfRowsThatHaveAValue) {
  ExpressionCase rows({{"a", TypeKind::kDouble}, {"x", TypeKind::kInt32}},
                      {{Value::real(1), Value::int32(0)}, {Value::null(), Value::int32(2)}});
  EXPECT_EQ(rows.values(coalesce({col("a"), lit(1) / col("x")})), (Texts{"1.0", "0.5"}));
  EXPECT_EQ(rows.value(coalesce({lit(1) / col("x"), col("a")})),
            "row 0: division by zero in 1 / x");
}

}  // namespace
}  // namespace millrace::stream
