#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

const std::vector<InputField> kJoined{{"c", "user_id", TypeKind::kInt32},
                                      {"c", "price", TypeKind::kDouble},
                                      {"u", "user_id", TypeKind::kInt32},
                                      {"u", "Country", TypeKind::kString},
                                      {"c", "offset", TypeKind::kInt64, true}};

Result<BoundExpr> bound(const Expr& expression) {
  return stream::bind(expression, kJoined, FunctionRegistry::builtin());
}

TEST(ExpressionBinder, FindsColumnsByNameAndQualifier) {
  EXPECT_EQ(bound(col("price"))->column, 1u);
  EXPECT_EQ(bound(col("u.user_id"))->column, 2u);
  EXPECT_EQ(bound(col("U.country"))->column, 3u);
  EXPECT_EQ(bound(col("PRICE"))->column, 1u);
}

TEST(ExpressionBinder, FindsAHiddenColumnOnlyWhereNoVisibleOneHasItsName) {
  EXPECT_EQ(bound(col("offset"))->column, 4u);
  const std::vector<InputField> inputs{{"t", "key", TypeKind::kBytes, true},
                                       {"t", "Key", TypeKind::kString}};
  EXPECT_EQ(stream::bind(col("key"), inputs, FunctionRegistry::builtin())->column, 1u);
}

TEST(ExpressionBinder, PrefersTheExactSpelling) {
  const std::vector<InputField> inputs{{"t", "A", TypeKind::kInt32}, {"t", "a", TypeKind::kInt64}};
  EXPECT_EQ(stream::bind(col("a"), inputs, FunctionRegistry::builtin())->column, 1u);
  EXPECT_EQ(stream::bind(col("A"), inputs, FunctionRegistry::builtin())->column, 0u);
}

TEST(ExpressionBinder, RefusesAnExpressionTooDeepToWalk) {
  Expr sum = col("price");
  for (int i = 0; i < 999; ++i) sum = sum + lit(1);
  EXPECT_TRUE(bound(sum));
  EXPECT_EQ(bound(sum + lit(1)).error().message, "an expression is nested deeper than 1000 levels");
}

TEST(ExpressionBinder, NamesTheNearestColumn) {
  const auto missing = bound(col("prise"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message,
            "column not found: prise; nearest: price; columns: user_id, price, Country");
  EXPECT_EQ(bound(col("u.price")).error().message,
            "column not found: u.price; columns: user_id, Country");
  EXPECT_EQ(bound(col("x.price")).error().message, "table not found: x in x.price; tables: c, u");
}

TEST(ExpressionBinder, SaysHowToQualifyAnAmbiguousColumn) {
  EXPECT_EQ(bound(col("user_id")).error().message,
            "column is ambiguous: user_id; write c.user_id or u.user_id");
  const std::vector<InputField> twice{{"", "a", TypeKind::kInt32}, {"", "a", TypeKind::kInt32}};
  EXPECT_EQ(stream::bind(col("a"), twice, FunctionRegistry::builtin()).error().message,
            "column is ambiguous: a; 2 columns have this name: rename all but one");
}

TEST(ExpressionBinder, NamesTheNearestFunction) {
  EXPECT_EQ(bound(call("uper", {col("Country")})).error().message,
            "unknown function: uper; nearest: upper; in uper(Country)");
  EXPECT_EQ(bound(call("UPPER", {col("Country")}))->type, DataType(TypeKind::kString));
  EXPECT_EQ(bound(call("upper", {})).error().message,
            "function upper does not take (); it takes: upper(string); in upper()");
}

TEST(ExpressionBinder, ComputesCallsOfLiterals) {
  const auto sum = bound(lit(1) + lit(2) * lit(3));
  EXPECT_EQ(sum->kind, BoundExpr::Kind::kLiteral);
  EXPECT_EQ(sum->literal, Value::int32(7));
  EXPECT_EQ(sum->text, "1 + (2 * 3)");
  EXPECT_EQ(bound(lit("5").cast(TypeKind::kInt64))->literal, Value::int64(5));
  EXPECT_EQ(bound(lit(Value::null()) + lit(1))->literal, Value::null(TypeKind::kInt32));
}

TEST(ExpressionBinder, LeavesACallOfLiteralsThatFailsToTheRows) {
  const auto division = bound(lit(1) / lit(0));
  ASSERT_TRUE(division);
  EXPECT_EQ(division->kind, BoundExpr::Kind::kCall);
  EXPECT_EQ(bound(lit("x").cast(TypeKind::kInt32))->kind, BoundExpr::Kind::kCall);
}

TEST(ExpressionBinder, RefusesAStarInsideAnExpression) {
  EXPECT_EQ(bound(star("c") + lit(1)).error().message,
            "c.* stands for columns only where columns are listed");
}

TEST(ExpressionBinder, LooksThroughAnAlias) { EXPECT_EQ(bound(col("price").as("p"))->column, 1u); }

}  // namespace
}  // namespace millrace::stream
