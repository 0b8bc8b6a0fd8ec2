#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

/// Every pair of true, false and null.
ExpressionCase truth_table() {
  const Value t = Value::boolean(true);
  const Value f = Value::boolean(false);
  const Value n = Value::null(TypeKind::kBoolean);
  return ExpressionCase({{"a", TypeKind::kBoolean}, {"b", TypeKind::kBoolean}},
                        {{t, t}, {t, f}, {t, n}, {f, t}, {f, f}, {f, n}, {n, t}, {n, f}, {n, n}});
}

TEST(Boolean, FollowsThreeValuedLogic) {
  ExpressionCase rows = truth_table();
  EXPECT_EQ(rows.values(col("a") && col("b")),
            (Texts{"true", "false", "null", "false", "false", "false", "null", "false", "null"}));
  EXPECT_EQ(rows.values(col("a") || col("b")),
            (Texts{"true", "true", "true", "true", "false", "null", "true", "null", "null"}));
  EXPECT_EQ(rows.values(!col("a")),
            (Texts{"false", "false", "false", "true", "true", "true", "null", "null", "null"}));
}

TEST(Boolean, TestsForNull) {
  ExpressionCase rows = truth_table();
  EXPECT_EQ(rows.values(col("b").is_null()),
            (Texts{"false", "false", "true", "false", "false", "true", "false", "false", "true"}));
  EXPECT_EQ(rows.values(col("b").is_not_null()),
            (Texts{"true", "true", "false", "true", "true", "false", "true", "true", "false"}));
  EXPECT_EQ(rows.value((col("a") && lit(true)).is_null()), "false");
}

TEST(Boolean, TakesMoreThanTwoSides) {
  ExpressionCase rows = truth_table();
  EXPECT_EQ(rows.values(call("and", {col("a"), col("b"), lit(Value::null())})),
            (Texts{"null", "false", "null", "false", "false", "false", "null", "false", "null"}));
  EXPECT_EQ(rows.values(call("or", {lit(false), col("a"), col("b")})),
            (Texts{"true", "true", "true", "true", "false", "null", "true", "null", "null"}));
}

TEST(Boolean, KeepsBooleansOfALongBatchApart) {
  std::vector<std::vector<Value>> data;
  for (int i = 0; i < 200; ++i)
    data.push_back({i % 7 == 0 ? Value::null() : Value::boolean(i % 2 == 0),
                    i % 5 == 0 ? Value::null() : Value::boolean(i % 3 == 0)});
  ExpressionCase rows({{"a", TypeKind::kBoolean}, {"b", TypeKind::kBoolean}}, data);
  const auto both = rows.values(col("a") && col("b"));
  const auto either = rows.values(col("a") || col("b"));

  for (int i = 0; i < 200; ++i) {
    const int a = i % 7 == 0 ? -1 : i % 2 == 0 ? 1 : 0;
    const int b = i % 5 == 0 ? -1 : i % 3 == 0 ? 1 : 0;
    const std::string conjunction = a == 0 || b == 0 ? "false" : a == 1 && b == 1 ? "true" : "null";
    const std::string disjunction = a == 1 || b == 1 ? "true" : a == 0 && b == 0 ? "false" : "null";
    EXPECT_EQ(both[static_cast<std::size_t>(i)], conjunction) << i;
    EXPECT_EQ(either[static_cast<std::size_t>(i)], disjunction) << i;
  }
}

TEST(Boolean, ReportsNoErrorsOfRowsThatAreDecided) {
  ExpressionCase rows({{"x", TypeKind::kInt32}},
                      {{Value::int32(0)}, {Value::int32(2)}, {Value::null()}});
  EXPECT_EQ(rows.values(col("x") != lit(0) && lit(1) / col("x") > lit(0.1)),
            (Texts{"false", "true", "null"}));
  EXPECT_EQ(rows.values(col("x") == lit(0) || lit(1) / col("x") > lit(0.9)),
            (Texts{"true", "false", "null"}));
  EXPECT_EQ(rows.value(lit(1) / col("x") > lit(0.1) && col("x") != lit(0)),
            "row 0: division by zero in 1 / x");
}

TEST(Boolean, RefusesWhatIsNoBoolean) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {});
  EXPECT_EQ(
      rows.type_of(col("x") && lit(true)),
      "function and does not take (int, boolean); it takes: boolean and boolean ...; in x and "
      "true");
}

}  // namespace
}  // namespace millrace::stream
