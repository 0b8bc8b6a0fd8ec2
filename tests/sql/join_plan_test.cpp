// What stars, keys and lists in FROM become, as EXPLAIN shows it.

#include "tests/sql/select_plan.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

// -- stars behind USING ---------------------------------------------------------------------------

TEST(JoinPlan, AStarBehindUsingHasTheKeyOnceAndFirst) {
  EXPECT_EQ(columns_of("SELECT * FROM orders JOIN users USING (user_id)"),
            "user_id bigint, id bigint, note string, country string");
  EXPECT_EQ(columns_of("SELECT * FROM orders LEFT JOIN users USING (USER_ID)"),
            "user_id bigint, id bigint, note string, country string");
  EXPECT_EQ(columns_of("SELECT * FROM users RIGHT JOIN orders USING (user_id)"),
            "user_id bigint, country string, id bigint, note string");
  EXPECT_EQ(columns_of("SELECT * FROM orders NATURAL JOIN users"),
            "user_id bigint, id bigint, note string, country string");
  EXPECT_EQ(columns_of("SELECT * FROM orders NATURAL LEFT JOIN users"),
            "user_id bigint, id bigint, note string, country string");
}

TEST(JoinPlan, AStarOfOneTableBehindUsingHasAllItsColumnsInOrder) {
  EXPECT_EQ(columns_of("SELECT u.* FROM orders JOIN users u USING (user_id)"),
            "user_id int, country string");
  EXPECT_EQ(columns_of("SELECT o.* FROM orders o JOIN users USING (user_id)"),
            "id bigint, user_id bigint, note string");
  EXPECT_EQ(columns_of("SELECT u.*, note FROM orders LEFT JOIN users u USING (user_id)"),
            "user_id int, country string, note string");
  EXPECT_EQ(columns_of("SELECT u.*, o.id FROM users u RIGHT JOIN orders o USING (user_id)"),
            "user_id int, country string, id bigint");
  EXPECT_EQ(columns_of("SELECT o.*, country FROM users u RIGHT JOIN orders o USING (user_id)"),
            "id bigint, user_id bigint, note string, country string");
  EXPECT_EQ(columns_of("SELECT u.* FROM orders NATURAL JOIN users u"),
            "user_id int, country string");
  EXPECT_EQ(columns_of("SELECT q.* FROM (SELECT u.* FROM orders JOIN users u USING (user_id)) q"),
            "user_id int, country string");
  EXPECT_EQ(columns_of("SELECT q.* FROM (SELECT * FROM orders JOIN users u USING (user_id)) q"),
            "user_id bigint, id bigint, note string, country string");
}

TEST(JoinPlan, StarsBehindSeveralUsingsKeepEveryTablesColumns) {
  const std::string from =
      " FROM orders o JOIN users u USING (user_id) JOIN (VALUES (1, 'x', 'DE')) AS v(user_id, tag, "
      "country) USING (country, user_id)";
  EXPECT_EQ(columns_of("SELECT *" + from),
            "country string, user_id bigint, id bigint, note string, tag string");
  EXPECT_EQ(columns_of("SELECT v.*" + from), "user_id int, tag string, country string");
  EXPECT_EQ(columns_of("SELECT o.*" + from), "id bigint, user_id bigint, note string");
  EXPECT_EQ(columns_of("SELECT v.tag, u.*" + from), "tag string, user_id int, country string");
}

TEST(JoinPlan, AUsingThatCannotBeIsRefused) {
  EXPECT_EQ(plan_of("SELECT * FROM orders JOIN users USING (country)"),
            "line 2, column 27: the left side of JOIN ... USING has no column country");
  EXPECT_EQ(plan_of("SELECT * FROM orders JOIN users USING (user_id, user_id)"),
            "line 2, column 27: column user_id is twice in the list of a join's USING");
  EXPECT_EQ(plan_of("SELECT * FROM orders o JOIN users u ON o.user_id = u.user_id JOIN (VALUES "
                    "(1)) v(user_id) USING (user_id)"),
            "line 2, column 76: the left side of JOIN ... USING has 2 columns called user_id: "
            "write ON with the one that is meant");
}

// -- keys of two types ----------------------------------------------------------------------------

/// The line of the plan that says what a join looks for.
std::string join_line(const std::string& select) {
  const std::string plan = plan_of(select);
  const std::size_t begin = plan.find("join static");
  if (begin == std::string::npos) return plan;
  return plan.substr(begin, plan.find('\n', begin) - begin);
}

TEST(JoinPlan, KeysOfTwoTypesAreComparedInTheirCommonOne) {
  const auto join = [](const std::string& stream, const std::string& table) {
    return join_line("SELECT x FROM (SELECT CAST(note AS " + stream +
                     ") AS k FROM orders) o JOIN (VALUES (CAST(NULL AS " + table +
                     "), 1)) AS v(k, x) ON o.k = v.k");
  };
  const auto found = [](const std::string& key, const std::string& table) {
    return "join static inline values: " + key + " = " + table;
  };
  EXPECT_EQ(join("int", "bigint"), found("cast(note as int)", "values.k"));
  EXPECT_EQ(join("bigint", "int"), found("cast(note as bigint)", "values.k"));
  EXPECT_EQ(join("int", "decimal(10,2)"), found("cast(note as int)", "values.k"));
  EXPECT_EQ(join("decimal(10,2)", "int"), found("cast(note as decimal(10,2))", "values.k"));
  EXPECT_EQ(join("decimal(12,4)", "decimal(10,2)"),
            found("cast(note as decimal(12,4))", "values.k"));
  EXPECT_EQ(join("double precision", "int"), found("cast(note as double)", "values.k"));
  EXPECT_EQ(join("bigint", "double precision"), found("cast(note as bigint)", "values.k"));
  EXPECT_EQ(join("text", "bigint"), found("o.k", "values.k"));
  EXPECT_EQ(join("date", "timestamp"), found("cast(note as date)", "values.k"));
  EXPECT_EQ(join("timestamp", "date"), found("cast(note as timestamp)", "values.k"));
  EXPECT_EQ(join("int", "text"), found("cast(note as int)", "cast(v.k as bigint)"));
  EXPECT_EQ(join("double precision", "bigint"),
            found("cast(note as double)", "cast(v.k as double)"));
}

// -- rows of lists --------------------------------------------------------------------------------

TEST(JoinPlan, UnnestInFromMakesARowForEveryElement) {
  const std::string tables =
      "FROM (SELECT ts, ARRAY['a', 'b'] AS tags, map('k', 1) AS m FROM clicks) s";
  EXPECT_EQ(columns_of("SELECT * " + tables + ", unnest(s.tags) AS tag"),
            "ts bigint, tags array<string>, m map<string, int>, tag string");
  EXPECT_EQ(columns_of("SELECT ts, t.x " + tables + " CROSS JOIN LATERAL unnest(tags) AS t(x)"),
            "ts bigint, x string");
  EXPECT_EQ(columns_of("SELECT ts, x, n " + tables +
                       " CROSS JOIN unnest(s.tags) WITH ORDINALITY AS t(x, n)"),
            "ts bigint, x string, n bigint");
  EXPECT_EQ(columns_of("SELECT t.* " + tables + ", unnest(tags) WITH ORDINALITY AS t"),
            "t string, ordinality bigint");
  EXPECT_EQ(columns_of("SELECT t.* " + tables + ", posexplode(tags) AS t(place, word)"),
            "place int, word string");
  EXPECT_EQ(columns_of("SELECT t.* " + tables + ", explode(m) AS t"), "key string, value int");
  EXPECT_EQ(columns_of("SELECT ts, unnest(tags) " + tables), "ts bigint, unnest string");
  EXPECT_EQ(columns_of("SELECT ts, y " + tables +
                       ", unnest(tags) AS t(x) JOIN LATERAL unnest(ARRAY[1]) AS u(y) ON y > 0"),
            "ts bigint, y int");
}

TEST(JoinPlan, ALeftJoinOfAListKeepsRowsWithoutElements) {
  EXPECT_EQ(plan_of("SELECT c.ts, x FROM clicks c LEFT JOIN LATERAL unnest(split(c.event, ',')) AS "
                    "t(x) ON true"),
            R"(
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes
    decode json: builds ts bigint, event string
      skips user_id, home
    explode split(c.event, ','): a row without elements stays
      adds x string
    gives ts bigint, x string
)");
}

TEST(JoinPlan, AFunctionInFromThatCannotBeIsRefused) {
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, upper(event) AS x"),
            "line 2, column 24: function upper in FROM (those that make rows are unnest, explode, "
            "explode_outer, posexplode and posexplode_outer) is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, generate_series(1, 3) AS x"),
            "line 2, column 24: generate_series (write unnest(sequence(1, 10))) is not supported "
            "yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, unnest(event) AS x"),
            "line 2, column 24: unnest takes an array or a map, event is string");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, unnest(ARRAY[1], ARRAY[2]) AS x"),
            "line 2, column 24: unnest takes one array or map: bring several together with "
            "arrays_zip(a, b)");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, unnest(ARRAY[1]) AS t(a, b)"),
            "line 2, column 24: t names 2 columns, and there is 1");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks c, unnest(ARRAY[1]) AS c"),
            "line 2, column 26: two tables are called c: give one another name with AS");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks RIGHT JOIN unnest(ARRAY[1]) AS c ON true"),
            "line 2, column 34: a RIGHT or FULL JOIN of a function (write it on the right of LEFT "
            "JOIN) is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks LEFT JOIN unnest(ARRAY[1]) AS c ON c > 1"),
            "line 2, column 60: a condition other than true of a LEFT JOIN of a function (write ON "
            "true, and filter the array: filter(array, x -> ...)) is not supported yet");
  EXPECT_EQ(plan_of("SELECT ts FROM clicks, LATERAL (SELECT 1) q"),
            "line 2, column 40: LATERAL before a sub-query (only a function can be: LATERAL "
            "unnest(...)) is not supported yet");
}

}  // namespace
}  // namespace millrace::sql
