#include "operators/computed_columns.hpp"

#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

const std::vector<Field> kFields = {{"id", TypeKind::kInt32}, {"name", TypeKind::kString}};

/// Rows 0, 1, ... whose name is "n" and their number.
formats::TableRows table_of(int rows) {
  formats::TableRows table(make_schema(kFields));
  for (int row = 0; row < rows; ++row) {
    append(table.columns[0], Value::int32(row), table.arena);
    append(table.columns[1], Value::string("n" + std::to_string(row)), table.arena);
  }
  table.rows = static_cast<std::size_t>(rows);
  return table;
}

TEST(ComputedColumns, StandBehindTheTablesOwn) {
  const OperatorHarness harness(kFields);
  formats::TableRows table = table_of(2500);

  ASSERT_TRUE(add_computed(table, std::vector{harness.bind(call("upper", {col("name")})),
                                              harness.bind(col("id") + lit(1))}));

  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.schema->to_string(), "id int, name string, upper(name) string, id + 1 int");
  EXPECT_EQ(table.columns[2].size(), 2500U);
  EXPECT_EQ(table.columns[2].text(0), "N0");
  EXPECT_EQ(table.columns[2].text(1500), "N1500");
  EXPECT_EQ(table.columns[2].text(2499), "N2499");
  EXPECT_EQ(table.columns[3].value<std::int32_t>(2499), 2500);
}

TEST(ComputedColumns, OfATableWithoutRowsHaveNone) {
  const OperatorHarness harness(kFields);
  formats::TableRows table = table_of(0);

  ASSERT_TRUE(add_computed(table, std::vector{harness.bind(col("id") + lit(1))}));

  EXPECT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[2].size(), 0U);
}

TEST(ComputedColumns, OneThatFailsNamesTheRow) {
  const OperatorHarness harness(kFields);
  formats::TableRows table = table_of(2);

  const Status status =
      add_computed(table, std::vector{harness.bind(call("div", {lit(1), col("id")}))});

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "row 0: division by zero in div(1, id)");
}

}  // namespace
}  // namespace millrace::operators
