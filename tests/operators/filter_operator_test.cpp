#include "operators/filter_operator.hpp"

#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

const std::vector<Field> kInput = {{"event", TypeKind::kString}, {"price", TypeKind::kInt64}};

TEST(FilterOperator, KeepsRowsForWhichTheConditionIsTrue) {
  OperatorHarness harness(kInput);
  const stream::FilterSpec spec{harness.bind(col("event") != lit("purchase"))};

  EXPECT_EQ(harness.run(spec, {{text("view"), number(1)},
                               {text("purchase"), number(2)},
                               {null(), number(3)},
                               {text(""), null()}}),
            (std::vector<std::string>{"10: 'view', 1", "13: '', null"}));
}

TEST(FilterOperator, EmitsNothingWhenNoRowIsLeft) {
  OperatorHarness harness(kInput);
  const stream::FilterSpec spec{harness.bind(col("price") > lit(100L))};

  EXPECT_TRUE(harness.run(spec, {{text("a"), number(1)}, {text("b"), null()}}).empty());
}

TEST(FilterOperator, FiltersAFullBatch) {
  OperatorHarness harness(kInput);
  const stream::FilterSpec spec{harness.bind(col("price") % lit(3L) == lit(0L))};
  std::vector<Row> rows;
  for (int i = 0; i < 1024; ++i) rows.push_back({text(std::to_string(i)), number(i)});

  const auto lines = harness.run(spec, rows);

  ASSERT_EQ(lines.size(), 342U);
  EXPECT_EQ(lines[341], "1033: '1023', 1023");
}

TEST(FilterOperator, NamesTheRowThatTheConditionFailsOn) {
  OperatorHarness harness(kInput);
  const stream::FilterSpec spec{harness.bind(lit(1L) / col("price") > lit(0L))};

  const Error error = harness.run_failing(spec, {{text("a"), number(1)}, {text("b"), number(0)}});

  EXPECT_EQ(error.code, ErrorCode::kBadRecord);
  EXPECT_EQ(error.message.substr(0, 37), "topic clicks, partition 3, offset 11:");
}

}  // namespace
}  // namespace millrace::operators
