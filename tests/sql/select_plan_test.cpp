// What SELECT statements become, as EXPLAIN shows it, and why others are refused.

#include "tests/sql/select_plan.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

// -- unions, sub-queries, VALUES ------------------------------------------------------------------

TEST(SelectPlan, AUnionOfOneTableReadsItOnce) {
  EXPECT_EQ(plan_of("SELECT ts, event FROM clicks UNION ALL SELECT user_id, 'x' FROM clicks"), R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int, event string
      skips home
    branch 1 of 2
    project: ts, event
    gives ts bigint, event string
    branch 2 of 2
    project: cast(user_id as bigint) as ts, 'x' as event
    gives ts bigint, event string
)");
}

TEST(SelectPlan, AUnionOfTwoTablesHasAChainOfEach) {
  EXPECT_EQ(plan_of("SELECT user_id FROM clicks UNION ALL SELECT user_id FROM orders UNION ALL "
                    "SELECT 1.5 FROM orders"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds user_id int
      skips ts, event, home
    project: cast(cast(user_id as bigint) as decimal(21,1)) as user_id
    gives user_id decimal(21,1)
  chain 1, tasks: one per partition of orders
    source kafka orders: value bytes
    decode json: builds user_id bigint
      skips id, note
    branch 1 of 2
    project: cast(user_id as decimal(21,1)) as user_id
    gives user_id decimal(21,1)
    branch 2 of 2
    project: cast(1.5 as decimal(21,1)) as user_id
    gives user_id decimal(21,1)
)");
}

TEST(SelectPlan, AUnionThatCannotBeIsRefused) {
  EXPECT_EQ(plan_of("SELECT ts FROM clicks UNION SELECT ts FROM clicks"),
            "line 2, column 36: UNION without ALL is not supported yet: it drops rows that were "
            "there before, for which every row would have to be kept; write UNION ALL");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks EXCEPT SELECT ts FROM clicks"),
            "line 2, column 37: EXCEPT is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks UNION ALL SELECT ts, event FROM clicks"),
            "line 2, column 40: the sides of a union must have as many columns: 1 and 2");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks UNION ALL SELECT home FROM clicks"),
            "line 2, column 40: column ts of a union is bigint on one side and "
            "struct<street: string, zip: int> on another: cast one of them");
  EXPECT_EQ(plan_of("SELECT user_id FROM clicks UNION ALL SELECT user_id FROM users"),
            "line 2, column 45: a union of a stream with a table has no place for the "
            "table's rows: write them to the stream's source");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks UNION ALL SELECT ts FROM clicks ORDER BY ts"),
            "line 2, column 64: ORDER BY is not supported yet");
}

TEST(SelectPlan, ASubQueryNeedsAName) {
  EXPECT_EQ(plan_of("SELECT ts FROM (SELECT ts FROM clicks)"),
            "line 2, column 16: a sub-query in FROM needs a name: write (SELECT ...) AS q");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (1))"),
            "line 2, column 24: VALUES in FROM needs a name: write (VALUES ...) AS v(a, b)");
  EXPECT_EQ(plan_of("SELECT ts FROM (SELECT ts FROM clicks) q(a, b)"),
            "line 2, column 24: q names 2 columns, and there is 1");
}

TEST(SelectPlan, RowsOfValuesAreAStaticTable) {
  EXPECT_EQ(plan_of("SELECT c.ts, v.label FROM clicks c JOIN (VALUES (1, 'one'), (2, 'two')) AS "
                    "v(id, label) ON c.user_id = v.id"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int
      skips event, home
    join static inline values: c.user_id = values.id
      adds label string
    gives ts bigint, label string
)");
}

TEST(SelectPlan, RowsOfValuesThatCannotBeAreRefused) {
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (1, 2), (3)) v"),
            "line 2, column 41: row 2 of VALUES has 1 values, the first has 2");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (1), (date '2024-01-01')) v"),
            "line 2, column 43: a column of VALUES is int in one row and date in another: "
            "cast one of them");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (null), (null)) v"),
            "line 2, column 33: a column is NULL in every row and has no type: write "
            "CAST(NULL AS text)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (uuid())) v"),
            "line 2, column 33: uuid() would be computed once, when the query starts, and "
            "differ at every start: compute it in the SELECT that reads the stream");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (ts)) v"),
            "line 2, column 33: column not found: ts");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (VALUES (1 / 0)) v"),
            "line 2, column 35: division by zero in 1 / 0");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (SELECT *) v"),
            "line 2, column 32: there is nothing for * to stand for: the SELECT has no FROM");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, (SELECT 1 WHERE true) v"),
            "line 2, column 40: WHERE without FROM is not supported yet");
  EXPECT_EQ(plan_of("SELECT 1 AS one"),
            "line 2, column 8: a query without a stream has an end, which is not supported "
            "yet; it reads no table");
  EXPECT_EQ(plan_of("SELECT country FROM users"),
            "line 2, column 21: a query without a stream has an end, which is not supported "
            "yet; it reads users");
  EXPECT_EQ(plan_of("INSERT INTO users VALUES (1, 'DE')"),
            "line 2, column 27: INSERT INTO users VALUES has an end, and a query reads a "
            "stream until it is stopped: VALUES can stand beside a stream, as in FROM stream "
            "s JOIN (VALUES (1, 'a')) AS v(id, name) ON s.id = v.id");
}

// -- joins ----------------------------------------------------------------------------------------

TEST(SelectPlan, ALeftJoinTestsItsWholeCondition) {
  EXPECT_EQ(plan_of("SELECT c.ts, u.country FROM clicks c LEFT JOIN users u ON c.user_id = "
                    "u.user_id AND u.country <> 'DE' AND c.ts > 3"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int
      skips event, home
    left join static file users (path users.csv): c.user_id = users.user_id
      matches if u.country <> 'DE' and c.ts > 3
      adds country string
    gives ts bigint, country string
)");
}

TEST(SelectPlan, ExistsIsASemiJoin) {
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE EXISTS (SELECT 1 FROM users WHERE user_id = "
                    "c.user_id AND country = c.event) AND ts > 3"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int, event string
      skips home
    filter: ts > 3
    keep rows with a match in static file users (path users.csv): c.user_id = users.user_id and c.event = users.country
    gives ts bigint
)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE NOT EXISTS (SELECT 1 FROM germans g WHERE "
                    "g.id = c.user_id)"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int
      skips event, home
    keep rows without a match in static file users (path users.csv): c.user_id = users.user_id
      matches if country = 'DE'
    gives ts bigint
)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE upper(event) IN (SELECT code FROM zones WHERE "
                    "tax > 0)"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, event string
      skips user_id, home
    keep rows with a match in static file zones (path zones.csv): upper(event) = zones.code
      matches if tax > 0
    gives ts bigint
)");
}

TEST(SelectPlan, InOfRowsAndEqualToAnyAreSemiJoinsToo) {
  const std::string expected =
      plan_of("SELECT ts FROM clicks WHERE user_id IN (SELECT id FROM (VALUES (1), (2)) v(id))");
  EXPECT_NE(expected.find("keep rows with a match in static inline values: user_id = values.id"),
            std::string::npos)
      << expected;
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE user_id IN (VALUES (1), (2))"), R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int
      skips event, home
    keep rows with a match in static inline values: user_id = values.column1
    gives ts bigint
)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE user_id = ANY (SELECT user_id FROM users)"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int
      skips event, home
    keep rows with a match in static file users (path users.csv): user_id = users.user_id
    gives ts bigint
)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE user_id > ANY (SELECT user_id FROM users)"),
            "line 2, column 37: a comparison with ANY but = is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE user_id IN (VALUES (1, 2))"),
            "line 2, column 37: IN (SELECT ...) compares with one column: name it");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE user_id IN (SELECT 1 UNION ALL SELECT 2)"),
            "line 2, column 37: a union in the sub-query of IN is not supported yet");
}

TEST(SelectPlan, AJoinWithoutEqualityComparesEveryRow) {
  EXPECT_EQ(plan_of("SELECT ts, code FROM clicks CROSS JOIN zones"), R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint
      skips user_id, event, home
    join static file zones (path zones.csv): every row of the table is compared
      adds code string
    gives ts bigint, code string
)");
  EXPECT_EQ(plan_of("SELECT ts, code FROM clicks JOIN zones ON ts < tax"), R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint
      skips user_id, event, home
    join static file zones (path zones.csv): every row of the table is compared
      adds code string, tax double
    filter: ts < tax
    project: ts, code
    gives ts bigint, code string
)");
}

TEST(SelectPlan, AJoinThatWouldWaitForAStreamsEndIsRefused) {
  EXPECT_EQ(plan_of("SELECT ts FROM users u LEFT JOIN clicks c ON c.user_id = u.user_id"),
            "line 2, column 34: a left outer join keeps rows of its left side by what the "
            "other side has, and stream clicks never has all its rows: put the stream on the "
            "left");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c RIGHT JOIN users u ON c.user_id = u.user_id"),
            "line 2, column 36: a right outer join keeps rows of its right side by what the "
            "other side has, and stream clicks never has all its rows: put the stream on the "
            "right");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c FULL JOIN users u ON c.user_id = u.user_id"),
            "line 2, column 35: a full outer join of a stream with a table has no end: a row "
            "of the table would come out alone once no row of the stream can match it; use a "
            "left outer join with the stream on the left");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c JOIN orders o ON c.user_id = o.user_id"),
            "line 2, column 30: a join of two streams is not supported yet: clicks and orders");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c LEFT JOIN orders o ON c.user_id = o.user_id"),
            "line 2, column 35: a left outer join of two streams is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = "
                    "c.ts)"),
            "line 2, column 31: EXISTS looks among all rows of its sub-query, and stream "
            "orders never has them all: the sub-query can only read a static table");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE ts IN (SELECT id FROM orders)"),
            "line 2, column 34: IN looks among all rows of its sub-query, and stream orders "
            "never has them all: the sub-query can only read a static table");
}

TEST(SelectPlan, AJoinInAFormThatIsNotReadShowsTheRightOne) {
  EXPECT_EQ(plan_of("SELECT ts FROM clicks NATURAL JOIN zones"),
            "line 2, column 36: the two sides of a NATURAL JOIN have no column of one name: write "
            "ON with the condition, or CROSS JOIN for every pair of rows");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks ANTI JOIN users USING (user_id)"),
            "line 2, column 16: ANTI JOIN is written WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x "
            "= a.x); a table that is called anti needs another name beside JOIN");
  EXPECT_EQ(plan_of("SELECT ts FROM (SELECT * FROM clicks) semi JOIN users USING (user_id)"),
            "line 2, column 24: SEMI JOIN is written WHERE EXISTS (SELECT 1 FROM b WHERE b.x = "
            "a.x); a table that is called semi needs another name beside JOIN");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks LEFT ANTI JOIN users USING (user_id)"),
            "line 2, column 28: syntax error at or near \"ANTI\"; such a join is written WHERE NOT "
            "EXISTS (SELECT 1 FROM b WHERE b.x = a.x)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE ts > 5 OR EXISTS (SELECT 1 FROM users)"),
            "line 2, column 41: EXISTS is a condition of its own: it can stand in the WHERE "
            "of a query, alone or beside AND");
  EXPECT_EQ(plan_of("SELECT ts, ts IN (SELECT tax FROM zones) AS x FROM clicks"),
            "line 2, column 15: IN (SELECT ...) is a condition of its own: it can stand in "
            "the WHERE of a query, alone or beside AND");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE user_id IN (SELECT user_id, country FROM users)"),
            "line 2, column 37: IN (SELECT ...) compares with one column: name it");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE EXISTS (SELECT 1 FROM users u JOIN zones z ON "
                    "u.country = z.code)"),
            "line 2, column 31: the sub-query of EXISTS can only read one table yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks WHERE EXISTS (SELECT 1)"),
            "line 2, column 29: EXISTS over anything but SELECT ... FROM is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c WHERE EXISTS (SELECT 1 FROM users u WHERE u.user = "
                    "c.user_id)"),
            "line 2, column 67: column not found: u.user; columns: user_id, country");
}

// -- views ----------------------------------------------------------------------------------------

TEST(SelectPlan, AViewIsReadInItsPlace) {
  EXPECT_EQ(plan_of("SELECT l.event FROM late l WHERE l.user_id = 7"), R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, user_id int, event string
      skips home
    filter: ts > 5 and l.user_id = 7
    project: l.event as event
    gives event string
)");
}

TEST(SelectPlan, AWrongNameOfAViewsColumnsStandsWhereItIsWritten) {
  EXPECT_EQ(plan_of("SELECT evnt FROM late"),
            "line 2, column 8: column not found: evnt; nearest: event; columns: ts, user_id, "
            "event, home");
  EXPECT_EQ(plan_of("SELECT event FROM lat"),
            "line 2, column 19: no table is called lat; did you mean late?");
}

TEST(SelectPlan, AUnionOfHundredsIsPlanned) {
  std::string select = "SELECT user_id FROM clicks WHERE ts = 0";
  for (int i = 1; i < 500; ++i)
    select += " UNION ALL SELECT user_id FROM clicks WHERE ts = " + std::to_string(i);

  const std::string plan = plan_of(select);

  EXPECT_NE(plan.find("    branch 500 of 500\n    filter: ts = 499\n"), std::string::npos)
      << plan.substr(0, 500);
}

TEST(SelectPlan, ViewsOfUnionsOfViewsHaveALimit) {
  Session session;
  ASSERT_TRUE(run_sql(session, kTables));
  std::string forty = "CREATE VIEW forty AS SELECT ts FROM clicks";
  for (int i = 1; i < 40; ++i) forty += " UNION ALL SELECT ts FROM clicks";
  std::string thousand = "CREATE VIEW thousand AS SELECT ts FROM forty";
  for (int i = 1; i < 25; ++i) thousand += " UNION ALL SELECT ts FROM forty";
  ASSERT_TRUE(run_sql(session, forty + ";" + thousand));

  const auto result = run_sql(
      session, "CREATE VIEW more AS SELECT ts FROM thousand UNION ALL\nSELECT ts FROM clicks;");

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.substr(0, result.error().message.find('\n')),
            "line 2, column 8: a query of 1001 branches of UNION ALL is too large: 1000 are the "
            "most");
}

TEST(SelectPlan, AnExpressionThatGrowsWithEveryViewHasALimit) {
  Session session;
  ASSERT_TRUE(run_sql(session, kTables));
  std::string job = "CREATE VIEW v0 AS SELECT ts AS x FROM clicks;\n";
  for (int i = 1; i <= 9; ++i) {
    job += "CREATE VIEW v" + std::to_string(i) +
           " AS SELECT greatest(x, x, x, x, x, x, x, x) AS x FROM v" + std::to_string(i - 1) +
           ";\n";
  }

  const auto result = run_sql(session, job);

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.substr(0, result.error().message.find('\n')),
            "line 7, column 26: greatest(x, x, x, x, x, x, x, x) grows to more than 250000 parts "
            "once every name in it is replaced by what it stands for");
}

// -- names ----------------------------------------------------------------------------------------

TEST(SelectPlan, TheRecordsColumnsAreFoundByNameAndNoPartOfStar) {
  EXPECT_EQ(plan_of("SELECT *, partition, c.offset, \"timestamp\" AS at, key FROM orders c"), R"(
  chain 0, tasks: one per partition of orders
    source kafka orders: value bytes, key bytes, partition int, offset bigint, timestamp timestamp
    decode json: builds id bigint, user_id bigint, note string
    project: id, user_id, note, partition, c.offset as offset, timestamp as at, key
    gives id bigint, user_id bigint, note string, partition int, offset bigint, at timestamp, key bytes
)");
}

TEST(SelectPlan, AnOffsetWithoutQuotesShowsHowToWriteIt) {
  for (const char* select :
       {"SELECT offset FROM clicks", "SELECT ts, offset FROM clicks",
        "SELECT ts FROM clicks WHERE offset > 5", "SELECT offset + 1 AS next FROM clicks"}) {
    const std::string message = plan_of(select);
    EXPECT_NE(message.find("offset is a word of SQL: to use it as a name, write \"offset\" in "
                           "double quotes, or its table before it, as in c.offset"),
              std::string::npos)
        << message;
    EXPECT_EQ(message.substr(0, 8), "line 2, ") << message;
  }
}

TEST(SelectPlan, AFieldOfAStructIsCalledAsTheField) {
  EXPECT_EQ(plan_of("SELECT (home).street, (c.home).zip + 1 AS next FROM clicks c"), R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds home struct<street: string, zip: int>
      skips ts, user_id, event
    project: field(home, 'street') as street, field(c.home, 'zip') + 1 as next
    gives street string, next int
)");
}

TEST(SelectPlan, AFieldInAnotherFormShowsTheRightOne) {
  EXPECT_EQ(plan_of("SELECT home.street FROM clicks"),
            "line 2, column 8: table not found: home in home.street; tables: clicks; for a "
            "field of column home write (home).street");
  EXPECT_EQ(plan_of("SELECT c.home.street FROM clicks c"),
            "line 2, column 8: a name has two parts at most, a table and a column: a field "
            "of a struct is written (c.home).street");
  EXPECT_EQ(plan_of("SELECT (home).stret FROM clicks"),
            "line 2, column 9: field not found: stret in home; nearest: street; fields: "
            "street, zip");
  EXPECT_EQ(plan_of("SELECT (ts).street FROM clicks"),
            "line 2, column 9: ts is bigint and has no field street");
  EXPECT_EQ(plan_of("SELECT (home).* FROM clicks"),
            "line 2, column 9: * of a struct (write its fields, (s).a) is not supported yet");
  EXPECT_EQ(plan_of("SELECT (split(event, ','))[0] AS x FROM clicks"),
            "line 2, column 9: a[i] counts from 1, so there is no a[0]: the first element is a[1], "
            "or get(a, 0), which counts from 0; of a map's key 0 write element_at(m, 0)");
}

TEST(SelectPlan, ACastInAnotherFormShowsTheRightOne) {
  EXPECT_EQ(columns_of("SELECT try_cast(event AS int) AS n FROM clicks"), "n int");
  EXPECT_EQ(plan_of("SELECT cast(event, 'int') AS n FROM clicks"),
            "line 2, column 18: syntax error at or near \",\"; write CAST(value AS type), or "
            "try_cast(value, 'type') for null where it fails");
  EXPECT_EQ(plan_of("SELECT try_cast(event, 'intt') AS n FROM clicks"),
            "line 2, column 8: unknown type: intt; nearest: int; accepted: boolean, int, "
            "bigint, double, string, bytes, date, timestamp, decimal(p,s), interval, "
            "array<t>, struct<name: t>, map<k, v>");
}

}  // namespace
}  // namespace millrace::sql
