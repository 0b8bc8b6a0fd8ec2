// Calls of literals that fail: refused where every row would come to them, left to the rows where
// only some do.

#include "millrace/memory.hpp"
#include "millrace/sql.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::sql {
namespace {

using Texts = std::vector<std::string>;

/// The first column of a SELECT from orders, whose n is 1 and 2; the one line of why there is none,
/// before it starts or while it runs.
Texts rows(const std::string& select) {
  test::TestBed bed;
  MemorySource orders{"orders", {{"n", TypeKind::kInt32}}};
  MemorySink out{"out"};
  EXPECT_TRUE(bed.session().create_table(orders));
  EXPECT_TRUE(bed.session().create_table(out));
  EXPECT_TRUE(orders.add_rows({{Value::int32(1)}, {Value::int32(2)}}));
  const auto queries = run_sql(bed.session(), "INSERT INTO out " + select);
  if (!queries) return {"refused: " + queries.error().message};
  const Status rested = bed.run();
  for (const Query& query : *queries)
    if (const auto failure = query.exception()) return {"failed: " + failure->message};
  if (!rested) return {rested.error().message};
  Texts result;
  for (const Row& row : out.rows()) result.push_back(row[0].to_string());
  return result;
}

TEST(ConstantFaults, InABranchThatNoRowTakesAreNone) {
  for (const char* expression : {
           "CASE WHEN n < 0 THEN 1 / 0 ELSE 1 END",
           "CASE WHEN false THEN 1 / 0 ELSE 1 END",
           "CASE WHEN n < 0 THEN CAST('x' AS int) ELSE 1 END",
           "CASE WHEN n < 0 THEN 'x' ELSE 1 END",
           "coalesce(n - n + 1, 1 / 0)",
           "coalesce(1, 1 / 0)",
           "coalesce(1, 'x')",
           "CASE WHEN n > 0 OR 1 / 0 = 1 THEN 1 END",
           "CASE WHEN n > 0 OR CAST('x' AS boolean) THEN 1 END",
           "CASE WHEN NOT (n < 0 AND 1 / 0 = 1) THEN 1 END",
       }) {
    const Texts result =
        rows(std::string("SELECT CAST(") + expression + " AS int) AS v FROM orders");
    EXPECT_EQ(result, (Texts{"1", "1"})) << expression;
  }
}

TEST(ConstantFaults, BehindAConditionThatNoRowMeetsAreNone) {
  EXPECT_EQ(rows("SELECT n FROM orders WHERE n > 0 OR 1 / 0 = 1"), (Texts{"1", "2"}));
  EXPECT_EQ(rows("SELECT n FROM orders WHERE n < 0 AND CAST('x' AS int) = 1"), Texts());
}

TEST(ConstantFaults, FailTheRowThatComesToThem) {
  EXPECT_EQ(rows("SELECT CASE WHEN n = 2 THEN 1 / 0 ELSE 1 END AS v FROM orders"),
            (Texts{"failed: memory orders, partition 0, offset 1: division by zero in 1 / 0"}));
}

TEST(ConstantFaults, ThatEveryRowComesToAreRefusedAtTheirPlace) {
  EXPECT_EQ(rows("SELECT n, CAST('x' AS int) AS v FROM orders"),
            (Texts{"refused: line 1, column 27: cannot cast 'x' to int in cast('x' as int)\n"
                   "  INSERT INTO out SELECT n, CAST('x' AS int) AS v FROM orders\n"
                   "                            ^"}));
  EXPECT_EQ(rows("SELECT n FROM orders WHERE n < 10 + CAST('x' AS int)"),
            (Texts{"refused: line 1, column 53: cannot cast 'x' to int in cast('x' as int)\n"
                   "  INSERT INTO out SELECT n FROM orders WHERE n < 10 + CAST('x' AS int)\n"
                   "                                                      ^"}));
  EXPECT_EQ(rows("SELECT n + 1 / 0 AS v FROM orders"),
            (Texts{"refused: line 1, column 30: division by zero in 1 / 0\n"
                   "  INSERT INTO out SELECT n + 1 / 0 AS v FROM orders\n"
                   "                               ^"}));
}

TEST(ConstantFaults, OfDatesAndIntervalsAreRefusedAtTheirPlace) {
  const auto place = [](const std::string& literal) {
    const Texts result = rows("SELECT " + literal + " AS v FROM orders");
    return result.empty() ? "accepted" : result[0].substr(0, 27);
  };
  EXPECT_EQ(place("DATE '2024-02-30'"), "refused: line 1, column 29:");
  EXPECT_EQ(place("TIMESTAMP '2024-13-01'"), "refused: line 1, column 34:");
  EXPECT_EQ(place("INTERVAL '1 dog'"), "refused: line 1, column 33:");
  EXPECT_EQ(place("CAST('2024-02-30' AS date)"), "refused: line 1, column 24:");
  EXPECT_EQ(place("to_date('x')"), "refused: line 1, column 24:");
}

TEST(ConstantFaults, AreNullsWhereSoAsked) {
  EXPECT_EQ(rows("SELECT try_divide(1, 0) AS v FROM orders"), (Texts{"null", "null"}));
}

}  // namespace
}  // namespace millrace::sql
