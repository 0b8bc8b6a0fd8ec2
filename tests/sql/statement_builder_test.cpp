#include "sql/statement_builder.hpp"

#include "sql/source_text.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

std::string refusal(const std::string& text) {
  const auto source = SourceText::make(text, [](std::string_view) { return std::nullopt; });
  auto statements = build_statements(source->text());
  return statements ? "accepted" : source->located(statements.error()).message;
}

// The first line: place and sentence, without the picture.
std::string first_line(const std::string& text) {
  const std::string message = refusal(text);
  return message.substr(0, message.find('\n'));
}

// An expression as it was understood, of INSERT INTO t SELECT <expression> FROM s.
std::string understood(const std::string& expression) {
  const auto statements = build_statements("INSERT INTO t SELECT " + expression + " FROM s");
  if (!statements) return statements.error().message;
  const auto& write =
      std::get<stream::WriteNode>(std::get<Insert>((*statements)[0].body).plan->step);
  return std::get<stream::ProjectNode>(write.input->step).expressions[0].to_string();
}

TEST(StatementBuilder, ReadsATableWithColumnsAndOptions) {
  const auto statements = build_statements(
      "CREATE TABLE Clicks (userId bigint, \"Note\" text, price double precision, ok boolean,\n"
      "  day date, at timestamptz, n int)\n"
      "  WITH (connector = 'kafka', startingOffsets = 'latest', \"kafka.linger.ms\" = 5,\n"
      "        kafka.acks = -1, flag = true)");

  ASSERT_TRUE(statements) << statements.error().message;
  const auto& table = std::get<CreateTable>((*statements)[0].body).table;
  EXPECT_EQ(table.name, "clicks");
  EXPECT_EQ(table.connector, "kafka");
  EXPECT_EQ(Schema(table.columns).to_string(),
            "userId bigint, Note string, price double, ok boolean, day date, at timestamp, n int");
  EXPECT_EQ(table.options.get("starting_offsets"), "latest");
  EXPECT_EQ(table.options.get("kafka.linger.ms"), "5");
  EXPECT_EQ(table.options.get("kafka.acks"), "-1");
  EXPECT_EQ(table.options.get("flag"), "true");
}

TEST(StatementBuilder, ReadsSettings) {
  const auto statements =
      build_statements("SET trigger = 'real_time 5 seconds'; SET stop_timeout TO 100; SET a = -3");

  ASSERT_TRUE(statements) << statements.error().message;
  EXPECT_EQ(std::get<SetVariable>((*statements)[0].body).name, "trigger");
  EXPECT_EQ(std::get<SetVariable>((*statements)[0].body).value, "real_time 5 seconds");
  EXPECT_EQ(std::get<SetVariable>((*statements)[1].body).value, "100");
  EXPECT_EQ(std::get<SetVariable>((*statements)[2].body).value, "-3");
}

TEST(StatementBuilder, ReadsExplain) {
  const auto statements = build_statements("EXPLAIN INSERT INTO t SELECT a FROM s");

  ASSERT_TRUE(statements) << statements.error().message;
  const auto& plan = *std::get<Explain>((*statements)[0].body).plan;
  EXPECT_EQ(std::get<stream::WriteNode>(plan.step).table, "t");
}

TEST(StatementBuilder, AnEmptyJobHasNoStatements) {
  const auto statements = build_statements("-- nothing\n");

  ASSERT_TRUE(statements);
  EXPECT_TRUE(statements->empty());
}

TEST(StatementBuilder, UnderstandsExpressions) {
  EXPECT_EQ(understood("a + 1 * -2"), "a + (1 * -2)");
  EXPECT_EQ(understood("-a"), "-a");
  EXPECT_EQ(understood("0"), "0");
  EXPECT_EQ(understood("-  7"), "-7");
  EXPECT_EQ(understood("5000000000"), "5000000000");
  EXPECT_EQ(understood("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(understood("1.5"), "1.5");
  EXPECT_EQ(understood("'it''s'"), "'it''s'");
  EXPECT_EQ(understood("null"), "null");
  EXPECT_EQ(understood("true"), "true");
  EXPECT_EQ(understood("s.a || 'x'"), "s.a || 'x'");
  EXPECT_EQ(understood("a != b"), "a <> b");
  EXPECT_EQ(understood("not a and b or c"), "((not a) and b) or c");
  EXPECT_EQ(understood("a is not null"), "a is not null");
  EXPECT_EQ(understood("a is not true"), "not coalesce(a, false)");
  EXPECT_EQ(understood("cast(a as bigint)"), "cast(a as bigint)");
  EXPECT_EQ(understood("a::double precision"), "cast(a as double)");
  EXPECT_EQ(understood("date '2024-01-31'"), "cast('2024-01-31' as date)");
  EXPECT_EQ(understood("a between 1 and 2"), "(a >= 1) and (a <= 2)");
  EXPECT_EQ(understood("a not between 1 and 2"), "not ((a >= 1) and (a <= 2))");
  EXPECT_EQ(understood("a in (1, 2)"), "(a = 1) or (a = 2)");
  EXPECT_EQ(understood("a not in (1)"), "not (a = 1)");
  EXPECT_EQ(understood("nullif(a, 0)"), "case when a = 0 then null else a end");
  EXPECT_EQ(understood("case a when 1 then 'x' else 'y' end"),
            "case when a = 1 then 'x' else 'y' end");
  EXPECT_EQ(understood("coalesce(a, b)"), "coalesce(a, b)");
  EXPECT_EQ(understood("Upper(a) as x"), "upper(a) as x");
  EXPECT_EQ(understood("s.*"), "s.*");
}

TEST(StatementBuilder, UnderstandsTypesOfEveryShape) {
  const auto type_of = [](const std::string& type) {
    return understood("cast(a as " + type + ")");
  };
  EXPECT_EQ(type_of("numeric(10, 2)"), "cast(a as decimal(10,2))");
  EXPECT_EQ(type_of("decimal"), "cast(a as decimal(10,0))");
  EXPECT_EQ(type_of("int[]"), "cast(a as array<int>)");
  EXPECT_EQ(type_of("numeric(4,1)[][]"), "cast(a as array<array<decimal(4,1)>>)");
  EXPECT_EQ(type_of("interval"), "cast(a as interval)");
  EXPECT_EQ(type_of("\"map<string, struct<a: int>>\""), "cast(a as map<string, struct<a: int>>)");
  EXPECT_EQ(understood("try_cast(a, 'array<int>')"), "try_cast(a as array<int>)");
  EXPECT_EQ(understood("interval '2 minutes'"), "cast('2 minutes' as interval)");
  EXPECT_EQ(understood("interval '3' day"), "cast('3 days' as interval)");
  EXPECT_EQ(understood("interval '-1.5' second"), "cast('-1.5 seconds' as interval)");
  EXPECT_EQ(understood("current_timestamp"), "current_timestamp()");
  EXPECT_EQ(understood("current_date"), "current_date()");
  EXPECT_EQ(understood("extract(hour from a)"), "extract('hour', a)");
}

TEST(StatementBuilder, ReadsWhatIsInside) {
  EXPECT_EQ(understood("m['k']"), "item(m, 'k')");
  EXPECT_EQ(understood("s.m['k']"), "item(s.m, 'k')");
  EXPECT_EQ(understood("(m['k']).f"), "field(item(m, 'k'), 'f')");
  EXPECT_EQ(understood("filter(l, x -> x['k'] = (x).f)"),
            "filter(l, x -> item(x, 'k') = field(x, 'f'))");
}

TEST(StatementBuilder, ReadsElementsFromOne) {
  EXPECT_EQ(understood("l[1]"), "element_at(l, 1)");
  EXPECT_EQ(understood("s.l[i + 1]"), "element_at(s.l, i + 1)");
  EXPECT_EQ(understood("l[-1]"), "element_at(l, -1)");
  EXPECT_EQ(understood("l[2][1]"), "element_at(element_at(l, 2), 1)");
  EXPECT_EQ(understood("l[1].f"), "field(element_at(l, 1), 'f')");
  EXPECT_EQ(understood("(split(a, ','))[1]"), "element_at(split(a, ','), 1)");
  EXPECT_EQ(first_line("INSERT INTO t SELECT l[0] FROM s"),
            "line 1, column 22: a[i] counts from 1, so there is no a[0]: the first element is "
            "a[1], or get(a, 0), which counts from 0; of a map's key 0 write element_at(m, 0)");
  EXPECT_EQ(first_line("INSERT INTO t SELECT l[1:2] FROM s"),
            "line 1, column 22: a slice (write slice(a, 2, 3) for three elements from the second "
            "on) is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT split(a, ',')[1] FROM s"),
            "line 1, column 35: syntax error at or near \"[\"; a subscript of a call needs "
            "parentheses: (split(a, ','))[1]; it counts from 1");
}

TEST(StatementBuilder, MakesArraysAndRows) {
  EXPECT_EQ(understood("array[1, a]"), "array(1, a)");
  EXPECT_EQ(understood("array(1, array(upper(a), ')'))"), "array(1, array(upper(a), ')'))");
  EXPECT_EQ(understood("array[array[1], array[2]]"), "array(array(1), array(2))");
  EXPECT_EQ(understood("row(a, 1)"), "struct(a, 1)");
  EXPECT_EQ(understood("(a, b)"), "struct(a, b)");
  EXPECT_EQ(understood("(a, b) = (1, 2)"), "(a = 1) and (b = 2)");
  EXPECT_EQ(understood("(a, b) <> (1, 2)"), "not ((a = 1) and (b = 2))");
  EXPECT_EQ(understood("(a, b) in ((1, 2), (3, 4))"),
            "((a = 1) and (b = 2)) or ((a = 3) and (b = 4))");
  EXPECT_EQ(understood("a = any (array[1, 2])"), "array_contains(array(1, 2), a)");
  EXPECT_EQ(understood("a <> all (l)"), "not array_contains(l, a)");
}

TEST(StatementBuilder, ReadsFormsOfOtherEngines) {
  EXPECT_EQ(understood("a == b"), "a = b");
  EXPECT_EQ(understood("a <=> b"), "a <=> b");
  EXPECT_EQ(understood("a + 1 == b and a <=> 2"), "((a + 1) = b) and (a <=> 2)");
  EXPECT_EQ(understood("filter(l, x -> x == 2)"), "filter(l, x -> x = 2)");
  EXPECT_EQ(first_line("INSERT INTO t SELECT a == b || 'x' FROM s"),
            "line 1, column 29: == beside || is read as (a == b) || c: write = for ==, and a IS "
            "NOT DISTINCT FROM b for a <=> b");
  EXPECT_EQ(understood("current_timestamp()"), "current_timestamp()");
  EXPECT_EQ(understood("Current_Date ( )"), "current_date()");
  EXPECT_EQ(understood("localtimestamp()"), "current_timestamp()");
  EXPECT_EQ(understood("try_cast(a as decimal(10, 2))"), "try_cast(a as decimal(10,2))");
  EXPECT_EQ(understood("TRY_CAST ( upper(a) AS int) + try_cast(b as int)"),
            "try_cast(upper(a) as int) + try_cast(b as int)");
  EXPECT_EQ(understood("cast(a as int)"), "cast(a as int)");
  EXPECT_EQ(understood("`a` + s.`B`"), "a + s.B");
  EXPECT_EQ(understood("'current_timestamp()`'"), "'current_timestamp()`'");
}

TEST(StatementBuilder, ReadsOptionsWhoseNamesStandInSingleQuotes) {
  const auto statements = build_statements(
      "CREATE TABLE IF NOT EXISTS t (a int) WITH ('connector' = 'kafka',\n  'kafka.linger.ms' = "
      "'5')");
  ASSERT_TRUE(statements) << statements.error().message;
  const auto& create = std::get<CreateTable>(statements->front().body);
  EXPECT_TRUE(create.if_not_exists);
  EXPECT_EQ(create.table.connector, "kafka");
  EXPECT_EQ(create.table.options.get("kafka.linger.ms"), "5");
}

TEST(StatementBuilder, ReadsLambdas) {
  EXPECT_EQ(understood("transform(l, x -> x + 1)"), "transform(l, x -> x + 1)");
  EXPECT_EQ(understood("transform(l, (x, i) -> x * i)"), "transform(l, (x, i) -> x * i)");
  EXPECT_EQ(understood("transform(l, x->-x)"), "transform(l, x -> -x)");
  EXPECT_EQ(understood("filter(l, x -> x > 1)"), "filter(l, x -> x > 1)");
  EXPECT_EQ(understood("filter(l, x -> x > 1 and x < a or x = 0)"),
            "filter(l, x -> ((x > 1) and (x < a)) or (x = 0))");
  EXPECT_EQ(understood("filter(l, x -> not x = 1)"), "filter(l, x -> not (x = 1))");
  EXPECT_EQ(understood("filter(l, x -> x is not null)"), "filter(l, x -> x is not null)");
  EXPECT_EQ(understood("filter(l, x -> x in (1, 2))"), "filter(l, x -> (x = 1) or (x = 2))");
  EXPECT_EQ(understood("filter(l, x -> x between 1 and 2)"),
            "filter(l, x -> (x >= 1) and (x <= 2))");
  EXPECT_EQ(understood("filter(l, x -> x like 'a%')"), "filter(l, x -> like(x, 'a%'))");
  EXPECT_EQ(understood("transform(l, x -> x || '-' || a)"), "transform(l, x -> (x || '-') || a)");
  EXPECT_EQ(understood("transform(l, x -> case when x then 1 end)"),
            "transform(l, x -> case when x then 1 end)");
  EXPECT_EQ(understood("transform(l, x -> transform(x, y -> y + x.n))"),
            "transform(l, x -> transform(x, y -> y + x.n))");
  EXPECT_EQ(understood("aggregate(l, 0, (sum, x) -> sum + x, sum -> sum * 2)"),
            "aggregate(l, 0, (sum, x) -> sum + x, sum -> sum * 2)");
  EXPECT_EQ(understood("\"exists\"(l, x -> x = 1)"), "exists(l, x -> x = 1)");
  EXPECT_EQ(understood("any_match(l, x -> x = 1)"), "any_match(l, x -> x = 1)");
  EXPECT_EQ(first_line("INSERT INTO t SELECT transform(l, 1 -> 2) FROM s"),
            "line 1, column 37: a lambda begins with names: write x -> ... or (x, i) -> ...");
  EXPECT_EQ(
      first_line("INSERT INTO t SELECT exists(l, x -> x = 1) FROM s"),
      "line 1, column 22: syntax error at or near \"l\"; exists before an array is written in "
      "double quotes: \"exists\"(array, x -> ...)");
  EXPECT_EQ(first_line("INSERT INTO t SELECT abs(x -> 2) FROM s"),
            "line 1, column 28: operator -> (write get_json_object(text, '$.name') for a field of "
            "a JSON text; x -> ... is a lambda, an argument of functions such as transform) is not "
            "supported yet");
}

TEST(StatementBuilder, TakesNumbersWithAPointAsDecimals) {
  EXPECT_EQ(understood("0.90"), "0.90");
  EXPECT_EQ(understood(".5"), "0.5");
  EXPECT_EQ(understood("327267367867168100000"), "327267367867168100000");
  EXPECT_EQ(understood("1.5e3"), "1500.0");
}

TEST(StatementBuilder, UnderstandsComparisonsOfNullsAndExtremes) {
  EXPECT_EQ(understood("a is distinct from b"), "not (a <=> b)");
  EXPECT_EQ(understood("a is not distinct from b"), "a <=> b");
  EXPECT_EQ(understood("greatest(a, b, 1)"), "greatest(a, b, 1)");
  EXPECT_EQ(understood("least(a, b)"), "least(a, b)");
}

TEST(StatementBuilder, MakesStructsOfCreateType) {
  const auto statements = build_statements(
      "CREATE TYPE address AS (Street text, zip int);\n"
      "CREATE TYPE person AS (home address, other address[]);\n"
      "CREATE TABLE t (p person) WITH (connector = 'kafka')");
  ASSERT_TRUE(statements) << statements.error().message;
  ASSERT_EQ(statements->size(), 1u);
  EXPECT_EQ(std::get<CreateTable>(statements->front().body).table.columns[0].type.to_string(),
            "struct<home: struct<Street: string, zip: int>, other: array<struct<Street: string, "
            "zip: int>>>");
  const auto casts = build_statements(
      "CREATE TYPE a AS (x int); INSERT INTO t SELECT try_cast(from_json(j, 'x int'), 'a') FROM s");
  EXPECT_TRUE(casts) << casts.error().message;
  EXPECT_EQ(first_line("CREATE TYPE a AS (x int); CREATE TYPE a AS (y int)"),
            "line 1, column 39: there is a type called a already");
  EXPECT_EQ(first_line("CREATE TYPE bigint AS (x int)"),
            "line 1, column 13: there is a type called bigint already");
  EXPECT_EQ(first_line("CREATE TYPE a AS (x int, x int)"),
            "line 1, column 26: type a declares field x twice");
}

TEST(StatementBuilder, ShowsTheFormOfTryCast) {
  EXPECT_EQ(first_line("INSERT INTO t SELECT try_cast(a, b) FROM s"),
            "line 1, column 22: write try_cast(value, 'type')");
}

TEST(StatementBuilder, ReadsTheSpecialFormsOfFunctions) {
  EXPECT_EQ(understood("a like 'x%'"), "like(a, 'x%')");
  EXPECT_EQ(understood("a not like 'x|%' escape '|'"), "not like(a, 'x|%', '|')");
  EXPECT_EQ(understood("a ilike b"), "ilike(a, b)");
  EXPECT_EQ(understood("a ~ '^x'"), "regexp_like(a, '^x')");
  EXPECT_EQ(understood("a !~ '^x'"), "not regexp_like(a, '^x')");
  EXPECT_EQ(understood("a << 2"), "shiftleft(a, 2)");
  EXPECT_EQ(understood("trim(both 'x' from a)"), "btrim(a, 'x')");
  EXPECT_EQ(understood("trim(leading from a)"), "ltrim(a)");
  EXPECT_EQ(understood("substring(a from 2 for 3)"), "substring(a, 2, 3)");
  EXPECT_EQ(understood("position('x' in a)"), "position('x', a)");
  EXPECT_EQ(understood("overlay(a placing 'x' from 2)"), "overlay(a, 'x', 2)");
  EXPECT_EQ(understood("a at time zone 'Europe/Berlin'"), "convert_timezone('Europe/Berlin', a)");
}

TEST(StatementBuilder, RefusesClausesByTheirSqlName) {
  EXPECT_EQ(refusal("INSERT INTO t\n  SELECT a FROM s\n  GROUP BY a"),
            "line 3, column 12: GROUP BY is not supported yet\n"
            "    GROUP BY a\n"
            "             ^");
  EXPECT_EQ(first_line("INSERT INTO t SELECT a FROM s ORDER BY a"),
            "line 1, column 40: ORDER BY is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT a FROM s LIMIT 3"),
            "line 1, column 37: LIMIT is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT DISTINCT a FROM s"),
            "line 1, column 31: SELECT DISTINCT is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT a FROM s EXCEPT SELECT a FROM s"),
            "line 1, column 45: EXCEPT is not supported yet");
  EXPECT_EQ(
      first_line("INSERT INTO t (a) SELECT a FROM s"),
      "line 1, column 16: a list of columns after INSERT INTO (name them in the SELECT: SELECT x "
      "AS a) is not supported yet");
}

TEST(StatementBuilder, RefusesExpressionsByTheirSqlName) {
  EXPECT_EQ(first_line("INSERT INTO t SELECT count(*) FROM s"),
            "line 1, column 22: an aggregate (count) is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT a FROM s WHERE a SIMILAR TO 'x%'"),
            "line 1, column 39: SIMILAR TO is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT a ^ 2 FROM s"),
            "line 1, column 24: operator ^ (write pow(a, b) for the power, a # b for the bits) is "
            "not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT (SELECT 1) FROM s"),
            "line 1, column 22: a sub-query in an expression is not supported yet");
  EXPECT_EQ(first_line("INSERT INTO t SELECT current_time FROM s"),
            "line 1, column 22: CURRENT_TIME is not supported yet");
}

TEST(StatementBuilder, RefusesStatementsByTheirSqlName) {
  EXPECT_EQ(refusal("SET a = 1;\n\n-- old\nDROP TABLE t;"),
            "line 4, column 1: DROP TABLE is not supported yet\n"
            "  DROP TABLE t;\n"
            "  ^");
  EXPECT_EQ(first_line("SELECT 1"),
            "line 1, column 1: a SELECT of its own is not supported yet: its rows need a sink, as "
            "in INSERT INTO table SELECT ...; EXPLAIN SELECT shows its plan");
  EXPECT_EQ(first_line("SHOW trigger"),
            "line 1, column 1: SHOW trigger is not supported: there is SHOW TABLES");
  EXPECT_EQ(first_line("CREATE OR REPLACE VIEW v AS SELECT a FROM s"),
            "line 1, column 1: CREATE OR REPLACE VIEW is not supported: a view is made once, under "
            "a name that is free");
  EXPECT_EQ(first_line("CREATE TABLE t AS SELECT a FROM s"),
            "line 1, column 1: a table made of a query (write CREATE TABLE t () WITH (...) and "
            "INSERT INTO t SELECT ..., or CREATE VIEW) is not supported yet");
  EXPECT_EQ(first_line("WITH q AS (SELECT a FROM s) INSERT INTO t SELECT a FROM q"),
            "line 1, column 6: WITH (a query before the INSERT: write CREATE VIEW) is not "
            "supported yet");
  EXPECT_EQ(first_line("EXPLAIN DROP TABLE t"),
            "line 1, column 9: syntax error at or near \"DROP\"");
  EXPECT_EQ(first_line("CREATE TABLE t (a int PRIMARY KEY) WITH (connector = 'kafka')"),
            "line 1, column 23: PRIMARY KEY is not supported yet");
}

TEST(StatementBuilder, RefusesSetLocalWithTheRightForm) {
  EXPECT_EQ(first_line("SET LOCAL trigger = 'real_time 1 second'"),
            "line 1, column 1: SET LOCAL is not supported, for a job has no transactions: write "
            "SET trigger = ..., which holds for the queries behind it");
  EXPECT_TRUE(build_statements("SET SESSION trigger = 'real_time 1 second'"));
}

TEST(StatementBuilder, ShowsTheFormOfATableWithoutColumns) {
  EXPECT_EQ(refusal("SET a = 1;\nCREATE TABLE enriched WITH (connector = 'kafka');"),
            "line 2, column 23: CREATE TABLE enriched needs a list of columns, which may be empty: "
            "CREATE TABLE enriched () WITH (...)\n"
            "  CREATE TABLE enriched WITH (connector = 'kafka');\n"
            "                        ^");
}

TEST(StatementBuilder, ShowsHowToQuoteAReservedWord) {
  EXPECT_EQ(
      first_line("INSERT INTO t SELECT offset FROM s"),
      "line 1, column 22: syntax error at or near \"FROM\"; offset is a word of SQL: to use "
      "it as a name, write \"offset\" in double quotes, or its table before it, as in c.offset");
  EXPECT_EQ(first_line("CREATE TABLE t (order int) WITH (connector = 'kafka')"),
            "line 1, column 17: syntax error at or near \"order\"; order is a word of SQL: to use "
            "it as a name, write \"order\" in double quotes");
}

TEST(StatementBuilder, ShowsHowToQuoteADottedOption) {
  EXPECT_EQ(first_line("CREATE TABLE t (a int) WITH (kafka.linger.ms = 5)"),
            "line 1, column 30: syntax error at or near \".\"; a name with dots is written in "
            "double quotes: \"kafka.linger.ms\"");
}

TEST(StatementBuilder, RefusesATableWithoutAConnectorAndOptionsGivenTwice) {
  EXPECT_EQ(first_line("CREATE TABLE t (a int)"),
            "line 1, column 14: table t has no connector: write WITH (connector = 'kafka', ...)");
  EXPECT_EQ(first_line("CREATE TABLE t (a int) WITH (connector = 'kafka', start_at = 1, startAt = "
                       "2)"),
            "line 1, column 65: option startat of table t is given twice");
}

TEST(StatementBuilder, RefusesUnknownTypes) {
  EXPECT_EQ(first_line("CREATE TABLE t (a tinyint) WITH (connector = 'kafka')"),
            "line 1, column 19: unknown type: tinyint; accepted: boolean, int, "
            "bigint, double, string, bytes, date, timestamp, decimal(p,s), interval, array<t>, "
            "struct<name: t>, map<k, v>");
  EXPECT_EQ(first_line("CREATE TABLE t (a varchar(20)) WITH (connector = 'kafka')"),
            "line 1, column 19: a length or precision of a type (write text without it) is not "
            "supported yet");
  EXPECT_EQ(first_line("CREATE TABLE t (a numeric(40, 2)) WITH (connector = 'kafka')"),
            "line 1, column 19: not a type: numeric(40,2): the precision of a decimal is 1 to 38");
}

TEST(StatementBuilder, RefusesAZeroByte) {
  EXPECT_EQ(build_statements(std::string("SET a = 1\0;", 11)).error().message,
            "SQL text cannot hold a zero byte");
}

}  // namespace
}  // namespace millrace::sql
