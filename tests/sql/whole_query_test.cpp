// Whole jobs in SQL over tables of the test, run on one thread.

#include "millrace/memory.hpp"
#include "millrace/sql.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace millrace::sql {
namespace {

using Texts = std::vector<std::string>;

Value text(const char* value) { return Value::string(value); }

Texts sorted(Texts rows) {
  std::ranges::sort(rows);
  return rows;
}

/// Orders of four customers, of whom two are known, and what a job makes of them.
class WholeQueryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(customers.add_rows({{Value::int64(1), text("ACME"), text("DE")},
                                    {Value::int64(2), text("BOLT"), Value::null()},
                                    {Value::int64(2), text("BOLT & SONS"), text("AT")}}));
    ASSERT_TRUE(bed.session().create_table(orders));
    ASSERT_TRUE(bed.session().create_table(returns));
    ASSERT_TRUE(bed.session().create_table(customers));
    ASSERT_TRUE(bed.session().create_table(out));
    ASSERT_TRUE(bed.session().create_table(other));
    ASSERT_TRUE(orders.add_rows({{Value::int64(1), Value::int32(10)},
                                 {Value::int64(2), Value::int32(20)},
                                 {Value::int64(3), Value::int32(30)},
                                 {Value::null(), Value::int32(40)}}));
    ASSERT_TRUE(returns.add_rows({{Value::int32(2), Value::real(0.5)}}));
  }

  /// Runs a job to its rest; what it said if it could not start.
  std::string run(const std::string& job) {
    const auto queries = run_sql(bed.session(), job);
    if (!queries) return queries.error().message;
    const Status rested = bed.run();
    for (const Query& query : *queries)
      if (const auto failure = query.exception()) return failure->message;
    return rested ? "" : rested.error().message;
  }
  /// Each row as its values behind each other. Rows of several sources come in any order.
  static Texts rows_of(const MemorySink& sink) {
    Texts result;
    for (const Row& row : sink.rows()) {
      std::string line;
      for (const Value& value : row) line += (line.empty() ? "" : " ") + value.to_string();
      result.push_back(line);
    }
    return result;
  }
  /// The rows of a SELECT, or the one line of why there are none.
  Texts rows(const std::string& select) {
    const std::string problem = run("INSERT INTO out " + select);
    return problem.empty() ? rows_of(out) : Texts{problem};
  }

  test::TestBed bed;
  MemorySource orders{"orders", {{"customer", TypeKind::kInt64}, {"qty", TypeKind::kInt32}}};
  MemorySource returns{"returns", {{"customer", TypeKind::kInt32}, {"part", TypeKind::kDouble}}};
  MemoryTable customers{
      "customers",
      {{"id", TypeKind::kInt64}, {"name", TypeKind::kString}, {"country", TypeKind::kString}}};
  MemorySink out{"out"};
  MemorySink other{"other"};
};

TEST_F(WholeQueryTest, UnitesStreamsByPlaceInTheWiderType) {
  EXPECT_EQ(sorted(rows("SELECT customer AS who, qty AS amount FROM orders WHERE qty < 20 UNION "
                        "ALL SELECT customer, part FROM returns UNION ALL "
                        "SELECT 0, qty + 1 FROM orders WHERE qty = 40")),
            (Texts{"0 41.0", "1 10.0", "2 0.5"}));
  EXPECT_EQ(out.schema().to_string(), "who bigint, amount double");
}

TEST_F(WholeQueryTest, ReadsASubQueryUnderItsNames) {
  EXPECT_EQ(rows("SELECT q.who, twice FROM (SELECT customer, qty * 2 FROM orders WHERE qty > 10) "
                 "AS q(who, twice) WHERE q.twice < 80"),
            (Texts{"2 40", "3 60"}));
}

TEST_F(WholeQueryTest, JoinsRowsThatTheQueryWrites) {
  EXPECT_EQ(rows("SELECT o.qty, v.label, v.part FROM orders o JOIN (VALUES (1, 'one', 1), "
                 "(3, upper('three'), 0.25), (9, null, null)) AS v(id, label, part) "
                 "ON o.customer = v.id"),
            (Texts{"10 'one' 1.00", "30 'THREE' 0.25"}));
}

TEST_F(WholeQueryTest, NamesTheColumnsOfValuesByTheirPlace) {
  EXPECT_EQ(rows("SELECT qty, column2 FROM orders, (VALUES (10, 'ten')) v WHERE qty = column1"),
            (Texts{"10 'ten'"}));
}

TEST_F(WholeQueryTest, TakesASelectWithoutFromAsOneRow) {
  EXPECT_EQ(rows("SELECT qty * factor AS scaled FROM orders CROSS JOIN (SELECT 1 + 2 AS factor) f "
                 "WHERE qty < 30"),
            (Texts{"30", "60"}));
}

TEST_F(WholeQueryTest, ReadsTwoTablesThatTheQueryWrites) {
  EXPECT_EQ(rows("SELECT qty, a.x, b.x AS y FROM orders JOIN (VALUES (10, 'a')) AS a(q, x) ON qty "
                 "= a.q JOIN (VALUES (10, 'b')) AS b(q, x) ON qty = b.q"),
            (Texts{"10 'a' 'b'"}));
}

TEST_F(WholeQueryTest, KeepsEveryRowOfTheLeftSide) {
  EXPECT_EQ(rows("SELECT o.qty, c.name FROM orders o LEFT JOIN customers c ON o.customer = c.id "
                 "AND c.country IS NOT NULL"),
            (Texts{"10 'ACME'", "20 'BOLT & SONS'", "30 null", "40 null"}));
}

TEST_F(WholeQueryTest, KeepsEveryRowOfTheRightSide) {
  EXPECT_EQ(rows("SELECT o.qty, c.name FROM customers c RIGHT JOIN orders o ON o.customer = c.id "
                 "WHERE o.qty < 30"),
            (Texts{"10 'ACME'", "20 'BOLT'", "20 'BOLT & SONS'"}));
}

TEST_F(WholeQueryTest, JoinsWithoutAnEquality) {
  EXPECT_EQ(rows("SELECT o.qty, c.name FROM orders o JOIN customers c ON o.customer < c.id"),
            (Texts{"10 'BOLT'", "10 'BOLT & SONS'"}));
}

TEST_F(WholeQueryTest, JoinsEveryRowWithEveryRow) {
  EXPECT_EQ(rows("SELECT o.qty, c.id FROM orders o CROSS JOIN customers c WHERE o.qty = 30 "
                 "AND c.country IS NOT NULL"),
            (Texts{"30 1", "30 2"}));
}

TEST_F(WholeQueryTest, AsksWhetherThereIsARow) {
  EXPECT_EQ(rows("SELECT qty FROM orders o WHERE qty > 0 AND EXISTS (SELECT 1 FROM customers c "
                 "WHERE c.id = o.customer)"),
            (Texts{"10", "20"}));
}

TEST_F(WholeQueryTest, AsksWhetherThereIsNoRow) {
  EXPECT_EQ(rows("SELECT qty FROM orders o WHERE NOT EXISTS (SELECT * FROM customers c "
                 "WHERE c.id = o.customer AND c.country = 'DE')"),
            (Texts{"20", "30", "40"}));
}

TEST_F(WholeQueryTest, TakesANameInASubQueryAsItsOwnFirst) {
  // `id` and `name` are the sub-query's, though the rows around it have both.
  EXPECT_EQ(rows("SELECT id, name FROM (SELECT customer AS id, 'x' AS name FROM orders) o "
                 "WHERE EXISTS (SELECT 1 FROM customers WHERE id = o.id AND name = 'ACME')"),
            (Texts{"1 'x'"}));
}

TEST_F(WholeQueryTest, AsksWhetherAValueIsInATable) {
  EXPECT_EQ(rows("SELECT qty FROM orders WHERE customer IN (SELECT id FROM customers WHERE country "
                 "= 'AT') AND qty < 40"),
            (Texts{"20"}));
}

TEST_F(WholeQueryTest, AsksWhetherAValueIsInRowsThatTheQueryWrites) {
  EXPECT_EQ(rows("SELECT qty FROM orders WHERE customer + 1 IN (SELECT x FROM (VALUES (2)) v(x))"),
            (Texts{"10"}));
}

// -- NOT IN: nothing is kept that is not known ----------------------------------------------------

TEST_F(WholeQueryTest, AsksWhetherAValueIsInNoRow) {
  EXPECT_EQ(rows("SELECT qty FROM orders WHERE customer NOT IN (SELECT id FROM customers WHERE "
                 "country IS NOT NULL AND id > 1)"),
            (Texts{"10", "30"}));
}

TEST_F(WholeQueryTest, NotInKeepsNothingOnceTheSubQueryHasANull) {
  EXPECT_EQ(rows("SELECT qty FROM orders WHERE customer NOT IN (SELECT x FROM (VALUES (1), (NULL)) "
                 "v(x))"),
            Texts{});
}

TEST_F(WholeQueryTest, NotInKeepsANullOnlyWhereTheSubQueryIsEmpty) {
  EXPECT_EQ(rows("SELECT qty FROM orders WHERE customer NOT IN (SELECT id FROM customers WHERE "
                 "country = 'XX')"),
            (Texts{"10", "20", "30", "40"}));
}

TEST_F(WholeQueryTest, UnequalToAllIsNotIn) {
  EXPECT_EQ(rows("SELECT qty FROM orders WHERE customer <> ALL (SELECT id FROM customers)"),
            (Texts{"30"}));
}

// -- keys of two types ----------------------------------------------------------------------------

TEST_F(WholeQueryTest, ComparesAnIntWithTextsThatAreNumbers) {
  EXPECT_EQ(rows("SELECT qty, x FROM orders JOIN (VALUES ('010', 'a'), ('20', 'b'), ('none', 'c')) "
                 "AS v(k, x) ON qty = k"),
            (Texts{"10 'a'", "20 'b'"}));
}

TEST_F(WholeQueryTest, ComparesABigintWithADecimalAndAnInt) {
  EXPECT_EQ(rows("SELECT customer, qty, x, y FROM orders JOIN (VALUES (1.0, 'a'), (2.5, 'b'), "
                 "(3.00, 'c')) AS v(k, x) ON customer = k LEFT JOIN (VALUES (30, 'y')) AS w(k, y) "
                 "ON w.k = orders.qty * 1.00"),
            (Texts{"1 10 'a' null", "3 30 'c' 'y'"}));
}

TEST_F(WholeQueryTest, ComparesADoubleWithABigintAndAnInt) {
  EXPECT_EQ(rows("SELECT qty, x FROM orders JOIN (VALUES (20, 'a'), (21, 'b')) AS v(k, x) ON "
                 "qty + 0.5e0 - 0.5e0 = k WHERE qty + 0.25e0 NOT IN (SELECT id FROM customers)"),
            (Texts{"20 'a'"}));
}

TEST_F(WholeQueryTest, UsingComparesTwoTypes) {
  EXPECT_EQ(rows("SELECT c.*, qty FROM (SELECT CAST(customer AS text) AS id, qty FROM orders) o "
                 "JOIN customers c USING (id)"),
            (Texts{"1 'ACME' 'DE' 10", "2 'BOLT' null 20", "2 'BOLT & SONS' 'AT' 20"}));
}

TEST_F(WholeQueryTest, ANullSafeKeyOfAWiderTypeMatchesNoNull) {
  EXPECT_EQ(
      rows("SELECT qty, x FROM (SELECT customer + 4294967296 AS k, customer, qty FROM orders) "
           "o JOIN (VALUES (1, 'one'), (NULL, 'none')) AS v(k, x) ON o.k <=> v.k"),
      (Texts{"40 'none'"}));
}

// -- computed far sides ---------------------------------------------------------------------------

TEST_F(WholeQueryTest, LooksUpWhatASubQueryComputes) {
  EXPECT_EQ(rows("SELECT qty, c.label, c.known FROM orders o LEFT JOIN (SELECT id + 1 - 1 AS k, "
                 "lower(name) AS label, true AS known FROM customers WHERE country IS NOT NULL) c "
                 "ON c.k = o.customer"),
            (Texts{"10 'acme' true", "20 'bolt & sons' true", "30 null null", "40 null null"}));
}

TEST_F(WholeQueryTest, LooksUpWhatAConditionComputes) {
  EXPECT_EQ(rows("SELECT qty FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE "
                 "length(c.name) = o.customer + 3)"),
            (Texts{"10"}));
}

TEST_F(WholeQueryTest, AComputedKeyThatMayFailIsTestedPairByPair) {
  EXPECT_EQ(rows("SELECT qty FROM orders o JOIN (SELECT k FROM (VALUES ('1'), ('x')) AS w(k) "
                 "WHERE k <> 'x') v ON o.customer = CAST(v.k AS int)"),
            (Texts{"10"}));
}

// -- rows of lists --------------------------------------------------------------------------------

TEST_F(WholeQueryTest, MakesARowForEveryElement) {
  EXPECT_EQ(rows("SELECT qty, x, n FROM orders, unnest(ARRAY[qty, qty + 1]) WITH ORDINALITY AS "
                 "t(x, n) WHERE x > 20 AND qty < 40"),
            (Texts{"20 21 2", "30 30 1", "30 31 2"}));
}

TEST_F(WholeQueryTest, ALeftJoinOfAListKeepsRowsWithoutOne) {
  EXPECT_EQ(rows("SELECT qty, x, n FROM orders LEFT JOIN LATERAL unnest(CASE WHEN qty < 20 THEN "
                 "ARRAY[7, 8] END) WITH ORDINALITY AS t(x, n) ON true WHERE qty < 30"),
            (Texts{"10 7 1", "10 8 2", "20 null null"}));
}

TEST_F(WholeQueryTest, AListMayStandBeforeTheStream) {
  EXPECT_EQ(rows("SELECT qty, x FROM unnest(ARRAY[10, 30, 50]) AS t(x) JOIN orders ON qty = x"),
            (Texts{"10 10", "30 30"}));
}

TEST_F(WholeQueryTest, TakesElementsFromOne) {
  EXPECT_EQ(
      rows("SELECT (ARRAY[qty, customer])[1] AS a, (ARRAY[1, 2, 3])[-1] AS b, (ROW(qty, 'x'))"
           ".qty AS c FROM orders WHERE qty = ANY (ARRAY[10, 20]) AND (customer, qty) IN ((1, "
           "10), (2, 30))"),
      (Texts{"10 3 10"}));
}

TEST_F(WholeQueryTest, ReadsViewsOfViews) {
  EXPECT_EQ(run("CREATE VIEW big AS SELECT customer, qty FROM orders WHERE qty > 10;\n"
                "CREATE VIEW known(who, amount) AS SELECT name, b.qty FROM big b JOIN customers "
                "ON b.customer = id;\n"
                "INSERT INTO out SELECT k.amount, k.who FROM known k WHERE amount < 30;\n"
                "INSERT INTO other SELECT qty FROM big WHERE customer IS NULL;"),
            "");
  EXPECT_EQ(rows_of(out), (Texts{"20 'BOLT'", "20 'BOLT & SONS'"}));
  EXPECT_EQ(rows_of(other), (Texts{"40"}));
  // A view is there for the next job too, and for frames.
  const auto query =
      bed.session().table("big").select({"qty"}).write_stream().query_name("frame").start("other");
  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(rows_of(other), (Texts{"40", "20", "30", "40"}));
}

TEST_F(WholeQueryTest, ReadsAViewOfAUnionAndOneOfATable) {
  EXPECT_EQ(run("CREATE VIEW moves AS SELECT customer, qty FROM orders UNION ALL SELECT customer, "
                "-1 FROM returns;\n"
                "CREATE VIEW germans AS SELECT id, name FROM customers WHERE country = 'DE';\n"
                "INSERT INTO out SELECT qty, name FROM moves m LEFT JOIN germans g ON g.id = "
                "m.customer;"),
            "");
  EXPECT_EQ(sorted(rows_of(out)), (Texts{"-1 null", "10 'ACME'", "20 null", "30 null", "40 null"}));
}

TEST_F(WholeQueryTest, ReadsASourceOnceForAStatementSet) {
  EXPECT_EQ(run("SET statement_set = 'on';\n"
                "INSERT INTO out SELECT qty FROM orders WHERE qty < 20;\n"
                "INSERT INTO other SELECT customer, qty FROM orders WHERE qty > 20;"),
            "");

  ASSERT_EQ(bed.session().queries().size(), 1U);
  const Query query = bed.session().queries().front();
  EXPECT_EQ(query.name(), "out");
  EXPECT_EQ(query.progress().rows_in, 4);
  EXPECT_EQ(rows_of(out), (Texts{"10"}));
  EXPECT_EQ(rows_of(other), (Texts{"3 30", "null 40"}));
}

TEST_F(WholeQueryTest, AStatementSetCommitsAsOneQuery) {
  ASSERT_EQ(run("SET statement_set = 'on';\n"
                "INSERT INTO out SELECT qty FROM orders;\n"
                "INSERT INTO other SELECT qty FROM orders;"),
            "");
  ASSERT_TRUE(bed.close_epoch());
  ASSERT_TRUE(orders.add({Value::int64(5), Value::int32(50)}));
  ASSERT_TRUE(bed.run());
  out.take_rows();
  other.take_rows();

  ASSERT_TRUE(bed.restart());
  ASSERT_TRUE(bed.run());

  EXPECT_EQ(rows_of(out), (Texts{"50"}));
  EXPECT_EQ(rows_of(other), (Texts{"50"}));
}

TEST_F(WholeQueryTest, AStatementSetWritesTheSameColumnsToOneTable) {
  const std::string refusal =
      run("SET statement_set = 'on';\n"
          "INSERT INTO out SELECT qty FROM orders;\n"
          "INSERT INTO out SELECT customer FROM orders;");
  EXPECT_EQ(refusal.substr(0, refusal.find('\n')),
            "line 2, column 1: two parts of one query write different columns to out: qty int and "
            "customer bigint");

  EXPECT_EQ(run("SET statement_set = 'on';\n"
                "INSERT INTO out SELECT qty FROM orders WHERE qty < 20;\n"
                "INSERT INTO out SELECT qty + 1 AS qty FROM orders WHERE qty > 30;"),
            "");
  EXPECT_EQ(rows_of(out), (Texts{"10", "41"}));
}

TEST_F(WholeQueryTest, TellsTheLogWhatAJobShows) {
  ASSERT_EQ(run("CREATE VIEW big AS SELECT qty FROM orders WHERE qty > 10; SHOW TABLES;"), "");

  ASSERT_FALSE(bed.log().empty());
  EXPECT_EQ(bed.log().back(),
            "table      connector  use     columns\n"
            "big        view       stream  qty int\n"
            "customers  memory     static  id bigint, name string, country string\n"
            "orders     memory     stream  customer bigint, qty int\n"
            "other      memory     sink    not declared\n"
            "out        memory     sink    not declared\n"
            "returns    memory     stream  customer int, part double\n");
}

TEST_F(WholeQueryTest, ReadsFieldsOfStructs) {
  MemorySource people{
      "people",
      {{"p", DataType::structure({{"name", TypeKind::kString},
                                  {"home", DataType::structure({{"zip", TypeKind::kInt32}})}})}}};
  ASSERT_TRUE(people.add({Value::structure(
      {{"name", text("Ada")}, {"home", Value::structure({{"zip", Value::int32(7)}})}})}));
  ASSERT_TRUE(bed.session().create_table(people));

  EXPECT_EQ(rows("SELECT (p).name, (q.p).home.zip + 1 AS next, (p).home.zip FROM people q"),
            (Texts{"'Ada' 8 7"}));
  EXPECT_EQ(out.schema().to_string(), "name string, next int, zip int");
}

}  // namespace
}  // namespace millrace::sql
