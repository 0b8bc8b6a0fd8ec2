#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr null_text() { return lit(Value::null(TypeKind::kString)); }

ExpressionCase like_case() {
  return ExpressionCase({{"s", TypeKind::kString}}, {{Value::string("abc")},
                                                     {Value::string("a%c")},
                                                     {Value::string("a_c")},
                                                     {Value::string("ABC")},
                                                     {Value::string("")},
                                                     {Value::null()},
                                                     {Value::string("a\nc")},
                                                     {Value::string("abcc")}});
}

TEST(Like, KnowsPercentUnderscoreAndEscape) {
  ExpressionCase rows = like_case();
  const auto like = [&](const char* pattern) {
    return rows.values(call("like", {col("s"), lit(pattern)}));
  };
  EXPECT_EQ(like("a%c"), (Texts{"true", "true", "true", "false", "false", "null", "true", "true"}));
  EXPECT_EQ(like("a_c"),
            (Texts{"true", "true", "true", "false", "false", "null", "true", "false"}));
  EXPECT_EQ(like("a\\%c"),
            (Texts{"false", "true", "false", "false", "false", "null", "false", "false"}));
  EXPECT_EQ(like("a\\_c"),
            (Texts{"false", "false", "true", "false", "false", "null", "false", "false"}));
  EXPECT_EQ(like("%"), (Texts{"true", "true", "true", "true", "true", "null", "true", "true"}));
  EXPECT_EQ(like(""),
            (Texts{"false", "false", "false", "false", "true", "null", "false", "false"}));
}

TEST(Like, FindsPartsInOrder) {
  EXPECT_EQ(result_of("like", {lit("abcabcabd"), lit("%abc%abd")}), "true");
  EXPECT_EQ(result_of("like", {lit("abcabd"), lit("%abd%abc%")}), "false");
  EXPECT_EQ(result_of("like", {lit("aba"), lit("ab%ba")}), "false");
  EXPECT_EQ(result_of("like", {lit("xéyz"), lit("%_y_")}), "true");
  EXPECT_EQ(result_of("like", {lit("😀"), lit("_")}), "true");
  EXPECT_EQ(result_of("like", {lit("é😀"), lit("%_")}), "true");
  EXPECT_EQ(result_of("like", {lit("é😀"), lit("%___")}), "false");
  EXPECT_EQ(result_of("like", {lit("é😀"), lit("é%_")}), "true");
  EXPECT_EQ(result_of("like", {lit("é"), lit("é%_")}), "false");
  EXPECT_EQ(result_of("like", {lit("aXbb"), lit("a_%b")}), "true");
  EXPECT_EQ(result_of("like", {lit("a.c"), lit("a.c")}), "true");
  EXPECT_EQ(result_of("like", {lit("abc"), lit("a.c")}), "false");
}

TEST(Like, TakesAnotherEscape) {
  EXPECT_EQ(result_of("like", {lit("a%c"), lit("a|%c"), lit("|")}), "true");
  EXPECT_EQ(result_of("like", {lit("abc"), lit("a|%c"), lit("|")}), "false");
  EXPECT_EQ(result_of("like", {lit("a|c"), lit("a||c"), lit("|")}), "true");
  EXPECT_EQ(result_of("like", {lit("a\\c"), lit("a\\c"), lit("|")}), "true");
  EXPECT_EQ(result_of("like", {lit("a%c"), lit("aé%c"), lit("é")}), "true");
  EXPECT_EQ(result_of("like", {lit("a"), lit("a"), lit("xy")}),
            "the escape of LIKE must be one character; in like('a', 'a', 'xy')");
}

TEST(Like, RefusesAMisplacedEscape) {
  EXPECT_EQ(result_of("like", {lit("a"), lit("a\\b")}),
            "the escape character stands before another character in the pattern 'a\\b'; it may "
            "stand only before %, _ or itself; in like('a', 'a\\b')");
  EXPECT_EQ(result_of("like", {lit("a"), lit("a\\")}),
            "the escape character stands at the end in the pattern 'a\\'; it may stand only before "
            "%, _ or itself; in like('a', 'a\\')");
}

TEST(Like, TakesPatternsFromAColumn) {
  ExpressionCase rows({{"s", TypeKind::kString}, {"p", TypeKind::kString}},
                      {{Value::string("abc"), Value::string("a%")},
                       {Value::string("abc"), Value::string("%b")},
                       {Value::string("abc"), Value::null()},
                       {Value::string("abc"), Value::string("a%")}});
  EXPECT_EQ(rows.values(call("like", {col("s"), col("p")})),
            (Texts{"true", "false", "null", "true"}));
  ExpressionCase bad({{"p", TypeKind::kString}}, {{Value::string("a")}, {Value::string("\\x")}});
  EXPECT_EQ(bad.values(call("like", {lit("a"), col("p")})),
            (Texts{"row 1: the escape character stands before another character in the pattern "
                   "'\\x'; it may stand only before %, _ or itself in like('a', p)"}));
}

TEST(Ilike, IgnoresCase) {
  EXPECT_EQ(result_of("ilike", {lit("Spark ÉTÉ"), lit("SPARK ét_")}), "true");
  EXPECT_EQ(result_of("ilike", {lit("Spark"), lit("_park")}), "true");
  EXPECT_EQ(result_of("ilike", {lit("SP%"), lit("sp\\%")}), "true");
  EXPECT_EQ(result_of("ilike", {lit("Spark"), lit("_PARC")}), "false");
  EXPECT_EQ(result_of("ilike", {null_text(), lit("a")}), "null");
}

TEST(Occurrence, IsTestedAnywhereAndAtTheEnds) {
  EXPECT_EQ(result_of("contains", {lit("Spark SQL"), lit("ark")}), "true");
  EXPECT_EQ(result_of("contains", {lit("Spark"), lit("SPARK")}), "false");
  EXPECT_EQ(result_of("contains", {lit("Spark"), lit("")}), "true");
  EXPECT_EQ(result_of("contains", {lit("Spark"), null_text()}), "null");
  EXPECT_EQ(result_of("startswith", {lit("Spark"), lit("Sp")}), "true");
  EXPECT_EQ(result_of("startswith", {lit("Sp"), lit("Spark")}), "false");
  EXPECT_EQ(result_of("endswith", {lit("Spark"), lit("ark")}), "true");
  EXPECT_EQ(
      result_of("endswith", {lit(Value::bytes(std::string("a\0b", 3))), lit(Value::bytes("b"))}),
      "true");
}

TEST(Position, CountsCharactersFromOne) {
  EXPECT_EQ(result_of("instr", {lit("é😀abc"), lit("abc")}), "3");
  EXPECT_EQ(result_of("instr", {lit("abc"), lit("")}), "1");
  EXPECT_EQ(result_of("instr", {lit(""), lit("a")}), "0");
  EXPECT_EQ(result_of("locate", {lit("bar"), lit("foobarbar")}), "4");
  EXPECT_EQ(result_of("locate", {lit("bar"), lit("foobarbar"), lit(5)}), "7");
  EXPECT_EQ(result_of("locate", {lit("bar"), lit("foobarbar"), lit(0)}), "0");
  EXPECT_EQ(result_of("locate", {lit("bar"), lit("foobarbar"), lit(-1)}), "0");
  EXPECT_EQ(result_of("locate", {lit("bar"), lit("foobarbar"), lit(99)}), "0");
  EXPECT_EQ(result_of("locate", {lit(""), lit("abc"), lit(2)}), "1");
  EXPECT_EQ(result_of("position", {lit("é"), lit("aéé"), lit(3)}), "3");
}

TEST(Position, IsZeroFromAStartThatIsNull) {
  const Expr no_start = lit(Value::null(TypeKind::kInt32));
  EXPECT_EQ(result_of("locate", {lit("a"), lit("abc"), no_start}), "0");
  EXPECT_EQ(result_of("locate", {lit("a"), null_text(), lit(1)}), "null");
  EXPECT_EQ(result_of("locate", {null_text(), lit("abc")}), "null");
}

TEST(FindInSet, NumbersTheParts) {
  EXPECT_EQ(result_of("find_in_set", {lit("ab"), lit("abc,b,ab,c,def")}), "3");
  EXPECT_EQ(result_of("find_in_set", {lit("x"), lit("abc,b")}), "0");
  EXPECT_EQ(result_of("find_in_set", {lit("a,b"), lit("a,b")}), "0");
  EXPECT_EQ(result_of("find_in_set", {lit(""), lit("a,")}), "2");
}

TEST(Replace, ReplacesEveryOccurrence) {
  EXPECT_EQ(result_of("replace", {lit("ABCabc"), lit("abc"), lit("DEF")}), "'ABCDEF'");
  EXPECT_EQ(result_of("replace", {lit("aaa"), lit("aa"), lit("b")}), "'ba'");
  EXPECT_EQ(result_of("replace", {lit("abc"), lit(""), lit("x")}), "'abc'");
  EXPECT_EQ(result_of("replace", {lit("aéaé"), lit("é")}), "'aa'");
  EXPECT_EQ(result_of("replace", {lit("abc"), lit("b"), null_text()}), "null");
}

TEST(Translate, MapsCharacterByCharacter) {
  EXPECT_EQ(result_of("translate", {lit("AaBbCc"), lit("abc"), lit("123")}), "'A1B2C3'");
  EXPECT_EQ(result_of("translate", {lit("translate"), lit("rnlt"), lit("123")}), "'1a2s3ae'");
  EXPECT_EQ(result_of("translate", {lit("aé😀"), lit("é😀a"), lit("😀é")}), "'😀é'");
  EXPECT_EQ(result_of("translate", {lit("aab"), lit("aa"), lit("xy")}), "'xxb'");
  EXPECT_EQ(result_of("translate", {lit("abc"), lit(""), lit("xy")}), "'abc'");
}

TEST(Likeness, IsCountedAndCoded) {
  EXPECT_EQ(result_of("levenshtein", {lit("kitten"), lit("sitting")}), "3");
  EXPECT_EQ(result_of("levenshtein", {lit(""), lit("é😀")}), "2");
  EXPECT_EQ(result_of("levenshtein", {lit("kitten"), lit("sitting"), lit(2)}), "-1");
  EXPECT_EQ(result_of("levenshtein", {lit("kitten"), lit("sitting"), lit(3)}), "3");
  EXPECT_EQ(result_of("soundex", {lit("Miller")}), "'M460'");
  EXPECT_EQ(result_of("soundex", {lit("Ashcraft")}), "'A261'");
  EXPECT_EQ(result_of("soundex", {lit("")}), "''");
  EXPECT_EQ(result_of("soundex", {lit("3x")}), "'3x'");
}

}  // namespace
}  // namespace millrace::stream
