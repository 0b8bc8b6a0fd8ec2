#include "stream/expression_evaluator.hpp"

#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

using Rows = std::vector<std::uint32_t>;

Rows selected(ExpressionCase& rows, const Expr& predicate, EvaluationContext& context) {
  ExpressionEvaluator evaluator(*rows.bound(predicate));
  context.begin(rows.batch().rows());
  const auto result = evaluator.evaluate_predicate(rows.batch(), context);
  return result ? Rows(result->begin(), result->end()) : Rows{999};
}

TEST(ExpressionEvaluator, GivesAColumnOfTheBatchItself) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {{Value::int32(1)}});
  ExpressionEvaluator evaluator(*rows.bound(col("x")));
  EvaluationContext context;
  context.begin(1);
  EXPECT_EQ(*evaluator.evaluate(rows.batch(), context), &rows.batch().column(0));
}

TEST(ExpressionEvaluator, SelectsOnlyTrueRows) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {{Value::int32(1)},
                                                  {Value::null()},
                                                  {Value::int32(3)},
                                                  {Value::int32(0)},
                                                  {Value::int32(7)}});
  EvaluationContext context;
  EXPECT_EQ(selected(rows, col("x") > lit(0), context), (Rows{0, 2, 4}));
  EXPECT_EQ(selected(rows, col("x").is_not_null(), context), (Rows{0, 2, 3, 4}));
  EXPECT_EQ(selected(rows, lit(true), context), (Rows{0, 1, 2, 3, 4}));
  EXPECT_EQ(selected(rows, lit(Value::null(TypeKind::kBoolean)), context), (Rows{}));
}

TEST(ExpressionEvaluator, ShowsALiteralInAnyNumberOfRows) {
  const Value words =
      Value::array(DataType::array(TypeKind::kString),
                   {Value::array(TypeKind::kString, {Value::string("a"), Value::string("b")}),
                    Value::null(DataType::array(TypeKind::kString))});
  const Value record = Value::structure({{"n", Value::int32(7)}, {"words", words}});
  const std::string text = record.to_string();
  ExpressionCase none({}, {});
  ExpressionCase two({}, {{}, {}});
  ExpressionCase four({}, {{}, {}, {}, {}});
  EXPECT_EQ(values_after(lit(record), {&none, &four}), (Texts{text, text, text, text}));
  EXPECT_EQ(values_after(lit(record), {&four, &none, &two}), (Texts{text, text}));
  EXPECT_EQ(values_after(lit(record), {&two, &four, &two, &four}), (Texts{text, text, text, text}));
  EXPECT_EQ(values_after(call("size", {lit(words)}), {&four, &two}), (Texts{"2", "2"}));
  EXPECT_EQ(values_after(lit(Value::null(words.type)), {&four, &two}), (Texts{"null", "null"}));
}

TEST(ExpressionEvaluator, SelectsNothingFromAnEmptyBatch) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {});
  EvaluationContext context;
  EXPECT_EQ(selected(rows, col("x") > lit(0) && lit(1) / col("x") > lit(0), context), (Rows{}));
  EXPECT_EQ(rows.values(case_when({col("x") > lit(0), lit("a")})), (Texts{}));
}

TEST(ExpressionEvaluator, CollectsFailingRowsWhenAskedTo) {
  ExpressionCase rows({{"x", TypeKind::kInt32}},
                      {{Value::int32(1)}, {Value::int32(0)}, {Value::int32(2)}, {Value::int32(0)}});
  EvaluationContext context(EvaluationContext::OnError::kCollect);

  EXPECT_EQ(selected(rows, lit(1) / col("x") > lit(0), context), (Rows{0, 2}));
  ASSERT_EQ(context.errors().size(), 2u);
  EXPECT_EQ(context.errors()[0].row, 1u);
  EXPECT_EQ(context.errors()[0].message, "division by zero in 1 / x");
  EXPECT_TRUE(context.failed_rows().contains(3));
  EXPECT_FALSE(context.failed_rows().contains(2));
}

TEST(ExpressionEvaluator, KeepsABoundedNumberOfMessagesButEveryRow) {
  std::vector<std::vector<Value>> data(1000, {Value::int32(0)});
  ExpressionCase rows({{"x", TypeKind::kInt32}}, data);
  EvaluationContext context(EvaluationContext::OnError::kCollect);

  EXPECT_EQ(selected(rows, lit(1) / col("x") > lit(0), context), (Rows{}));
  EXPECT_EQ(context.errors().size(), EvaluationContext::kMessagesMax);
  EXPECT_TRUE(context.failed_rows().contains(999));
}

TEST(ExpressionEvaluator, DropsRowsThatFailedInADiscardedBranchOfAnOr) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {{Value::int32(0)}, {Value::int32(1)}});
  EvaluationContext context(EvaluationContext::OnError::kCollect);
  EXPECT_EQ(selected(rows, lit(1) / col("x") > lit(0) || lit(true), context), (Rows{1}));
}

TEST(ExpressionEvaluator, WorksOnBatchesOfAnySizeInTurn) {
  BatchPool pool(make_schema({{"x", TypeKind::kInt32}}));
  const std::vector<InputField> inputs{{"", "x", TypeKind::kInt32}};
  ExpressionEvaluator evaluator(
      *stream::bind(concat({lit("n"), col("x") + lit(1)}), inputs, FunctionRegistry::builtin()));
  EvaluationContext context;
  for (const std::size_t size : {1u, 1024u, 0u, 65u, 3u, 1024u}) {
    Batch batch = pool.take();
    batch.resize(size);
    for (std::size_t row = 0; row < size; ++row)
      batch.column(0).values<std::int32_t>()[row] = static_cast<std::int32_t>(row);
    context.begin(size);
    const Column& result = **evaluator.evaluate(batch, context);
    ASSERT_EQ(result.size(), size);
    for (std::size_t row = 0; row < size; ++row)
      ASSERT_EQ(result.text(row), "n" + std::to_string(row + 1));
  }
}

TEST(ExpressionEvaluator, CutsLongExpressionsInMessages) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {{Value::int32(0)}});
  const Expr division = lit(1) / (col("x") * lit(std::string(300, '9')).cast(TypeKind::kDouble));
  EXPECT_EQ(rows.value(division),
            "row 0: division by zero in 1 / (x * cast('" + std::string(200 - 15, '9') + "...");
}

TEST(ExpressionEvaluator, EvaluatesIntoAColumnOfTheCaller) {
  ExpressionCase rows({{"x", TypeKind::kInt32}}, {{Value::int32(1)}, {Value::null()}});
  EvaluationContext context;
  context.begin(2);
  Column target(TypeKind::kInt32);
  ExpressionEvaluator sum(*rows.bound(col("x") + lit(1)));
  ASSERT_TRUE(sum.evaluate_into(target, rows.batch(), context));
  EXPECT_EQ(ExpressionCase::texts(target), (Texts{"2", "null"}));

  ExpressionEvaluator column(*rows.bound(col("x")));
  ASSERT_TRUE(column.evaluate_into(target, rows.batch(), context));
  EXPECT_EQ(ExpressionCase::texts(target), (Texts{"1", "null"}));

  ExpressionEvaluator literal(*rows.bound(lit(5)));
  ASSERT_TRUE(literal.evaluate_into(target, rows.batch(), context));
  EXPECT_EQ(ExpressionCase::texts(target), (Texts{"5", "5"}));
}

TEST(ErrorMode, MakesTryFormsNullWhereTheyFail) {
  ExpressionCase rows({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}},
                      {{Value::int32(2'147'483'647), Value::int32(1)},
                       {Value::int32(5), Value::int32(0)},
                       {Value::null(TypeKind::kInt32), Value::int32(0)}});

  EXPECT_EQ(rows.values(call("try_add", {col("a"), col("b")})), (Texts{"null", "5", "null"}));
  EXPECT_EQ(rows.values(call("TRY_DIVIDE", {col("a"), col("b")})),
            (Texts{"2.147483647E9", "null", "null"}));
  EXPECT_EQ(rows.values(call("try_mod", {col("a"), col("b")})), (Texts{"0", "null", "null"}));
}

TEST(ErrorMode, LeavesWhatIsInsideATryFormAsItIs) {
  ExpressionCase rows({{"a", TypeKind::kInt32}}, {{Value::int32(2'147'483'647)}});

  EXPECT_EQ(rows.value(call("try_add", {col("a") + lit(1), lit(1)})),
            "row 0: int overflow: 2147483647 + 1 in a + 1");
}

TEST(ErrorMode, MakesTryCastNullWhereTheCastFails) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("12")}, {Value::string("x")}});

  EXPECT_EQ(rows.values(col("s").try_cast(TypeKind::kInt32)), (Texts{"12", "null"}));
  EXPECT_EQ(rows.value(lit("x").try_cast(TypeKind::kInt32)), "null");
}

TEST(ErrorMode, WrapsAndGivesNullWhereAnsiIsOff) {
  ExpressionCase rows({{"a", TypeKind::kInt32}},
                      {{Value::int32(2'147'483'647)}, {Value::int32(-2'147'483'648)}});
  rows.under({&TimeZone::utc(), false});

  EXPECT_EQ(rows.values(col("a") + lit(1)), (Texts{"-2147483648", "-2147483647"}));
  EXPECT_EQ(rows.values(col("a") * lit(2)), (Texts{"-2", "0"}));
  EXPECT_EQ(rows.values(call("-", {col("a")})), (Texts{"-2147483647", "-2147483648"}));
  EXPECT_EQ(rows.values(col("a") / lit(0)), (Texts{"null", "null"}));
}

TEST(Binder, TakesATypesNameForACast) {
  EXPECT_EQ(ExpressionCase().value(call("double", {lit("1.5")})), "1.5");
  EXPECT_EQ(ExpressionCase().type_of(call("BIGINT", {lit(1)})), "bigint");
}

}  // namespace
}  // namespace millrace::stream
