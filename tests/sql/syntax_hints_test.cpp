// Slips of people who know another engine, and the one line that each of them gets.

#include "sql/program.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

std::string refusal(const std::string& text) {
  const auto program = Program::parse(text, {});
  if (program) return "read";
  return program.error().message.substr(0, program.error().message.find('\n'));
}

/// The same behind "INSERT INTO t SELECT a FROM s".
std::string of_query(const std::string& rest) {
  return refusal("INSERT INTO t SELECT a FROM s " + rest);
}

TEST(SyntaxHint, ShowsTheFormOfIntervals) {
  EXPECT_EQ(of_query("WHERE b > now() - INTERVAL 5 MINUTES"),
            "line 1, column 49: syntax error at or near \"5\"; write the interval in quotes: "
            "INTERVAL '5 minutes'");
  EXPECT_EQ(of_query("WHERE b > now() - INTERVAL '5' MINUTES"),
            "line 1, column 49: syntax error at or near \"MINUTES\"; write the unit in the quotes: "
            "INTERVAL '5 minutes'");
}

TEST(SyntaxHint, SaysWhatToWriteForWordsOfOtherEngines) {
  EXPECT_EQ(of_query("EMIT CHANGES"),
            "line 1, column 31: syntax error at or near \"CHANGES\"; leave EMIT away: every row is "
            "written as it comes");
  EXPECT_EQ(of_query("LATERAL VIEW explode(b) e AS x"),
            "line 1, column 31: syntax error at or near \"LATERAL\"; write FROM t CROSS JOIN "
            "LATERAL unnest(t.list) AS e(x), for LATERAL VIEW OUTER LEFT JOIN LATERAL ... ON true");
  EXPECT_EQ(refusal("CREATE STREAM s AS SELECT 1"),
            "line 1, column 1: syntax error at or near \"STREAM\"; write CREATE TABLE name (column "
            "type, ...) WITH (connector = 'kafka', ...) for a topic, and INSERT INTO table SELECT "
            "... for a query");
  EXPECT_EQ(refusal("CREATE TABLE t (a timestamp, WATERMARK FOR a AS a) WITH (connector = 'x')"),
            "line 1, column 30: syntax error at or near \"FOR\"; WATERMARK is not supported yet: "
            "leave it away");
  EXPECT_EQ(
      refusal("CREATE TABLE t (a ARRAY<STRING>) WITH (connector = 'x')"),
      "line 1, column 19: syntax error at or near \"ARRAY\"; write such a type as one name in "
      "double quotes, as in \"map<text, int>\"; an array also as int[]");
  EXPECT_EQ(of_query("WHERE b RLIKE 'x'"),
            "line 1, column 39: syntax error at or near \"RLIKE\"; write text ~ 'pattern' or "
            "regexp_like(text, 'pattern')");
  EXPECT_EQ(
      refusal("SET 'a' = 'b'"),
      "line 1, column 1: syntax error at or near \"'a'\"; the name of a setting has no single "
      "quotes: write SET name = 'value'");
}

TEST(SyntaxHint, SaysWhatIsTooMuchOrMissing) {
  EXPECT_EQ(refusal("INSERT INTO t SELECT a, FROM s"),
            "line 1, column 23: syntax error at or near \"FROM\"; there is a comma too many before "
            "it");
  EXPECT_EQ(
      of_query("\nINSERT INTO t SELECT b FROM s"),
      "line 2, column 1: syntax error at or near \"INTO\"; is a semicolon missing before it?");
  EXPECT_EQ(of_query("WHERE b = 'it\\'s'"),
            "line 1, column 44: syntax error at or near \"s\"; a quote within a text is doubled: "
            "'it''s'");
  EXPECT_EQ(of_query("// all of them"),
            "line 1, column 31: syntax error at or near \"//\"; a comment begins with --");
}

TEST(SyntaxHint, ReadsNoWordsInTextsAndComments) {
  EXPECT_EQ(of_query("WHERE b = 'emit changes' ("),
            "line 1, column 56: syntax error at or near \"(\"");
  EXPECT_EQ(of_query("/* emit changes */ )"), "line 1, column 50: syntax error at or near \")\"");
}

}  // namespace
}  // namespace millrace::sql
