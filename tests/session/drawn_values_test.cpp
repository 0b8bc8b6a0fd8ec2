#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <set>

namespace millrace::test {
namespace {

double number(const Value& value) { return std::get<double>(value.data); }

class DrawnValues : public testing::Test {
 protected:
  std::vector<Row> run(const DataFrame& frame, int rows) {
    const auto query = frame.write_stream().to(sink).start();
    EXPECT_TRUE(query) << query.error().message;
    for (int id = 0; id < rows; ++id) EXPECT_TRUE(numbers.add({Value::int64(id)}));
    EXPECT_TRUE(bed.run());
    return sink.rows();
  }

  TestBed bed;
  MemorySource numbers{"numbers", {{"id", TypeKind::kInt64}}};
  MemorySink sink{"sink"};
  DataFrame frame = bed.session().read_stream(numbers);
};

TEST_F(DrawnValues, ANameStandsForOneValueHoweverOftenItIsRead) {
  const auto rows = run(frame.with_column("x", call("rand", {}))
                            .select({col("x").as("a"), (col("x") + lit(0.0)).as("b")}),
                        100);

  ASSERT_EQ(rows.size(), 100U);
  std::set<double> seen;
  for (const Row& row : rows) {
    EXPECT_EQ(number(row[0]), number(row[1]));
    seen.insert(number(row[0]));
  }
  EXPECT_GT(seen.size(), 90U);
}

TEST_F(DrawnValues, EachCallDrawsForItself) {
  const auto rows = run(frame.select({call("rand", {}).as("a"), call("rand", {}).as("b")}), 1);

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NE(number(rows[0][0]), number(rows[0][1]));
}

TEST_F(DrawnValues, TheValueThatWasTestedGoesOn) {
  const auto rows = run(frame.with_column("x", call("rand", {})).where(col("x") < lit(0.5)), 300);

  EXPECT_GT(rows.size(), 60U);  // of 300: twenty deviations below the mean
  EXPECT_LT(rows.size(), 240U);
  for (const Row& row : rows) EXPECT_LT(number(row[1]), 0.5);
}

TEST_F(DrawnValues, AConditionThatDrawsIsTestedWhereItStands) {
  const auto rows = run(frame.explode(call("sequence", {lit(1L), lit(300L)}), "element")
                            .where(call("rand", {}) < lit(0.5)),
                        1);

  EXPECT_GT(rows.size(), 60U);
  EXPECT_LT(rows.size(), 240U);
}

TEST_F(DrawnValues, CostsNothingWhereItIsReadOnce) {
  const auto query =
      frame.select({col("id"), call("uuid", {}).as("u")}).write_stream().to(sink).start();
  ASSERT_TRUE(query);
  EXPECT_EQ(query->explain().find("explode"), std::string::npos) << query->explain();
}

}  // namespace
}  // namespace millrace::test
