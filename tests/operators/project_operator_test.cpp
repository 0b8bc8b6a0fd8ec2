#include "operators/project_operator.hpp"

#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

const std::vector<Field> kInput = {{"name", TypeKind::kString}, {"price", TypeKind::kInt64}};

TEST(ProjectOperator, MovesCopiesAndComputesColumns) {
  OperatorHarness harness(kInput);
  const stream::ProjectSpec spec{
      {harness.bind(upper(col("name"))), harness.bind(col("price")), harness.bind(col("name")),
       harness.bind(col("price") + lit(1L)), harness.bind(col("name"))},
      make_schema({{"loud", TypeKind::kString},
                   {"price", TypeKind::kInt64},
                   {"name", TypeKind::kString},
                   {"more", TypeKind::kInt64},
                   {"again", TypeKind::kString}})};

  EXPECT_EQ(harness.run(spec, {{text("ab"), number(1)}, {null(), null()}, {text(""), number(3)}}),
            (std::vector<std::string>{"10: 'AB', 1, 'ab', 2, 'ab'",
                                      "11: null, null, null, null, null", "12: '', 3, '', 4, ''"}));
}

TEST(ProjectOperator, NamesTheRowThatAnExpressionFailsOn) {
  OperatorHarness harness(kInput);
  const stream::ProjectSpec spec{{harness.bind(lit(1L) % col("price"))},
                                 make_schema({{"rest", TypeKind::kInt64}})};

  EXPECT_EQ(harness.run_failing(spec, {{text("a"), number(0)}}).message.substr(0, 37),
            "topic clicks, partition 3, offset 10:");
}

}  // namespace
}  // namespace millrace::operators
