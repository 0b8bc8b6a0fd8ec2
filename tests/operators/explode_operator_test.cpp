#include "operators/explode_operator.hpp"

#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

using Lines = std::vector<std::string>;

Value list(std::vector<Value> elements) {
  return Value::array(TypeKind::kInt32, std::move(elements));
}

const std::vector<Field> kInput = {{"k", TypeKind::kString},
                                   {"l", DataType::array(TypeKind::kInt32)}};

/// SELECT k, explode(l), over rows of every sort.
class ExplodeOfLists : public testing::Test {
 protected:
  stream::ExplodeSpec spec() {
    return {.list = harness_.bind(col("l")),
            .keeps_empty = false,
            .has_position = false,
            .passed_columns = {0},
            .made_columns = {0},
            .output = make_schema({{"k", TypeKind::kString}, {"x", TypeKind::kInt32}})};
  }

  const std::vector<Row> rows_ = {{text("a"), list({small(10), null()})},
                                  {text("b"), list({})},
                                  {text("c"), null()},
                                  {text("d"), list({small(7)})}};
  OperatorHarness harness_{kInput};
};

TEST_F(ExplodeOfLists, MakesARowForEveryElementInOrder) {
  EXPECT_EQ(harness_.run(spec(), rows_), (Lines{"10: 'a', 10", "10: 'a', null", "13: 'd', 7"}));
}

TEST_F(ExplodeOfLists, KeepsRowsWithoutElementsWhereAsked) {
  stream::ExplodeSpec outer = spec();
  outer.keeps_empty = true;

  EXPECT_EQ(harness_.run(outer, rows_), (Lines{"10: 'a', 10", "10: 'a', null", "11: 'b', null",
                                               "12: 'c', null", "13: 'd', 7"}));
}

TEST_F(ExplodeOfLists, NumbersElementsFromZeroAndLeavesOutWhatNobodyReads) {
  stream::ExplodeSpec numbered = spec();
  numbered.keeps_empty = true;
  numbered.has_position = true;
  numbered.passed_columns = {};
  numbered.output = make_schema({{"pos", TypeKind::kInt32}});

  EXPECT_EQ(harness_.run(numbered, rows_),
            (Lines{"10: 0", "10: 1", "11: null", "12: null", "13: 0"}));
}

TEST_F(ExplodeOfLists, PassesTheListItselfOn) {
  stream::ExplodeSpec with_list = spec();
  with_list.passed_columns = {1};
  with_list.output = make_schema({{"l", kInput[1].type}, {"x", TypeKind::kInt32}});

  EXPECT_EQ(harness_.run(with_list, {{text("a"), list({small(1), small(2)})}}),
            (Lines{"10: array[1, 2], 1", "10: array[1, 2], 2"}));
}

TEST_F(ExplodeOfLists, SendsMoreElementsThanABatchHoldsAsSeveralBatches) {
  std::vector<Value> many;
  for (int i = 0; i < 2500; ++i) many.push_back(small(i));

  const Lines lines =
      harness_.run(spec(), {{text("a"), list(many)}, {text("b"), list({small(1)})}});

  ASSERT_EQ(lines.size(), 2501U);
  EXPECT_EQ(lines[1024], "10: 'a', 1024");
  EXPECT_EQ(lines[2500], "11: 'b', 1");
}

TEST(ExplodeOperator, GivesKeysAndValuesOfMaps) {
  const DataType map = DataType::map(TypeKind::kString, TypeKind::kInt32);
  OperatorHarness harness({{"m", map}});
  const stream::ExplodeSpec spec{
      .list = harness.bind(col("m")),
      .keeps_empty = false,
      .has_position = false,
      .passed_columns = {},
      .made_columns = {0, 1},
      .output = make_schema({{"key", TypeKind::kString}, {"value", TypeKind::kInt32}})};
  const Value entries =
      Value::map(TypeKind::kString, TypeKind::kInt32, {{text("a"), small(1)}, {text("b"), null()}});

  EXPECT_EQ(harness.run(spec, {{entries}}), (Lines{"10: 'a', 1", "10: 'b', null"}));
}

}  // namespace
}  // namespace millrace::operators
