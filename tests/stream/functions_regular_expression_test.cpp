#include "stream/functions/regular_expression.hpp"
#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

std::string refusal_of(const char* pattern) {
  const auto compiled = RegularExpression::compile(pattern);
  return compiled ? "taken" : compiled.error().message;
}

TEST(RegexpLike, FindsThePatternAnywhere) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("foo-12-bar-34")},
                                                   {Value::string("none")},
                                                   {Value::null()},
                                                   {Value::string("")}});
  EXPECT_EQ(rows.values(call("rlike", {col("s"), lit("^foo")})),
            (Texts{"true", "false", "null", "false"}));
  EXPECT_EQ(rows.values(call("regexp_like", {col("s"), lit("")})),
            (Texts{"true", "true", "null", "true"}));
  EXPECT_EQ(rows.values(call("regexp_replace", {col("s"), lit("[0-9]+"), lit("#")})),
            (Texts{"'foo-#-bar-#'", "'none'", "null", "''"}));
  EXPECT_EQ(rows.values(call("regexp_extract", {col("s"), lit("([a-z]+)-([0-9]+)"), lit(2)})),
            (Texts{"'12'", "''", "null", "''"}));
  EXPECT_EQ(rows.values(call("regexp_extract", {col("s"), lit("[0-9]+"), lit(0)})),
            (Texts{"'12'", "''", "null", "''"}));
  EXPECT_EQ(rows.values(call("regexp_count", {col("s"), lit("[0-9]+")})),
            (Texts{"2", "0", "null", "0"}));
  EXPECT_EQ(rows.values(call("regexp_substr", {col("s"), lit("[0-9]+")})),
            (Texts{"'12'", "null", "null", "null"}));
  EXPECT_EQ(rows.values(call("regexp_instr", {col("s"), lit("[0-9]+")})),
            (Texts{"5", "0", "null", "0"}));
}

TEST(RegexpLike, ReadsJavasSpellings) {
  EXPECT_EQ(result_of("rlike", {lit("été"), lit("^\\p{L}+$")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("A1_b"), lit("^[\\p{Alnum}_]+$")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("αβγ"), lit("^\\p{IsGreek}+$")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("é"), lit("^\\u00e9$")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("a+b"), lit("^\\Qa+b\\E$")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("a]"), lit("^[]a]+$")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("a\x0B"
                                    "b"),
                                lit("a\\sb")}),
            "true");
  EXPECT_EQ(result_of("rlike", {lit("ABC"), lit("(?i)abc")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("ÉTÉ"), lit("(?iu)été")}), "true");
  EXPECT_EQ(result_of("rlike", {lit("a\nb"), lit("^b$")}), "false");
  EXPECT_EQ(result_of("rlike", {lit("a\nb"), lit("(?m)^b$")}), "true");
}

TEST(RegexpLike, RefusesWhatItCannotDo) {
  const auto refused = [](const char* pattern, const char* why) {
    return "the regular expression '" + std::string(pattern) + "' is not taken: " + why;
  };
  EXPECT_EQ(refusal_of("a(?=b)"),
            refused("a(?=b)", "look-ahead and look-behind are not supported"));
  EXPECT_EQ(refusal_of("(?<!a)b"),
            refused("(?<!a)b", "look-ahead and look-behind are not supported"));
  EXPECT_EQ(refusal_of("(a)\\1"), refused("(a)\\1", "back references (\\1) are not supported"));
  EXPECT_EQ(refusal_of("(?>a)b"), refused("(?>a)b", "atomic groups are not supported"));
  EXPECT_EQ(refusal_of("a*+b"), refused("a*+b", "possessive quantifiers (a++) are not supported"));
  EXPECT_EQ(refusal_of("[a-z&&[^b]]"),
            refused("[a-z&&[^b]]", "intersections in brackets (&&) are not supported"));
  EXPECT_EQ(refusal_of("(?x)a"), refused("(?x)a", "only the flags i, m, s and u are supported"));
  EXPECT_EQ(refusal_of("a("), refused("a(", "missing ): a("));
  EXPECT_EQ(refusal_of("a\\"), refused("a\\", "it ends with a backslash"));
  EXPECT_EQ(refusal_of("[[:alpha:]]+"), "taken");
  EXPECT_EQ(refusal_of("\\++a"), "taken");
  EXPECT_EQ(result_of("rlike", {lit("a"), lit("(")}),
            "the regular expression '(' is not taken: missing ): (; in rlike('a', '(')");
}

TEST(RegexpLike, TakesPatternsFromAColumn) {
  ExpressionCase rows({{"p", TypeKind::kString}}, {{Value::string("^a")}, {Value::string("b$")}});
  EXPECT_EQ(rows.values(call("rlike", {lit("ac"), col("p")})), (Texts{"true", "false"}));
  ExpressionCase bad({{"p", TypeKind::kString}}, {{Value::string("a")}, {Value::string("(")}});
  EXPECT_EQ(
      bad.values(call("rlike", {lit("a"), col("p")})),
      (Texts{"row 1: the regular expression '(' is not taken: missing ): ( in rlike('a', p)"}));
}

TEST(RegexpExtract, GivesEmptyForAGroupThatTookNoPart) {
  EXPECT_EQ(result_of("regexp_extract", {lit("b"), lit("(a)?(b)"), lit(1)}), "''");
  EXPECT_EQ(result_of("regexp_extract", {lit("100-200"), lit("(\\d+)-(\\d+)")}), "'100'");
  EXPECT_EQ(result_of("regexp_extract", {lit("ab"), lit("(?<x>a)"), lit(1)}), "'a'");
  EXPECT_EQ(result_of("regexp_extract", {lit("zz"), lit("(a)"), lit(5)}), "''");
  EXPECT_EQ(result_of("regexp_extract", {lit("a"), lit("(a)"), lit(2)}),
            "row 0: there is no group 2: the regular expression has 1 in regexp_extract('a', "
            "'(a)', 2)");
  EXPECT_EQ(result_of("regexp_extract", {lit("a"), lit("(a)"), lit(-1)}),
            "row 0: there is no group -1: the regular expression has 1 in regexp_extract('a', "
            "'(a)', -1)");
}

TEST(RegexpExtractAll, GivesTheGroupOfEveryMatch) {
  EXPECT_EQ(result_of("regexp_extract_all", {lit("100-200, 300-400"), lit("(\\d+)-(\\d+)")}),
            "array['100', '300']");
  EXPECT_EQ(
      result_of("regexp_extract_all", {lit("100-200, 300-400"), lit("(\\d+)-(\\d+)"), lit(0)}),
      "array['100-200', '300-400']");
  EXPECT_EQ(result_of("regexp_extract_all", {lit("none"), lit("(\\d+)")}), "array[]");
}

TEST(RegexpReplace, ReplacesAsJavaDoes) {
  EXPECT_EQ(result_of("regexp_replace", {lit("100-200"), lit("(\\d+)-(\\d+)"), lit("$2-$1")}),
            "'200-100'");
  EXPECT_EQ(result_of("regexp_replace", {lit("abc"), lit("b*"), lit("-")}), "'-a--c-'");
  EXPECT_EQ(result_of("regexp_replace", {lit("é😀"), lit(""), lit("-")}), "'-é-😀-'");
  EXPECT_EQ(result_of("regexp_replace", {lit("ab"), lit("(a)"), lit("$11")}), "'a1b'");
  EXPECT_EQ(result_of("regexp_replace", {lit("ab"), lit("(?<x>a)"), lit("<${x}>")}), "'<a>b'");
  EXPECT_EQ(result_of("regexp_replace", {lit("5"), lit("\\d"), lit("\\$$0\\\\")}), "'$5\\'");
  EXPECT_EQ(result_of("regexp_replace", {lit("ab"), lit("(x)?b"), lit("[$1]")}), "'a[]'");
  EXPECT_EQ(result_of("regexp_replace", {lit("a"), lit("a"), lit("$1")}),
            "row 0: the replacement names a group that the regular expression does not have in "
            "regexp_replace('a', 'a', '$1')");
  EXPECT_EQ(result_of("regexp_replace", {lit("a"), lit("a"), lit("$")}),
            "row 0: a dollar in the replacement stands before a group's number; write \\$ for the "
            "sign in regexp_replace('a', 'a', '$')");
}

TEST(RegexpReplace, BeginsAtAPosition) {
  EXPECT_EQ(result_of("regexp_replace", {lit("1 2 3"), lit("\\d"), lit("n"), lit(2)}), "'1 n n'");
  EXPECT_EQ(result_of("regexp_replace", {lit("aaa"), lit("^a"), lit("b"), lit(2)}), "'aba'");
  EXPECT_EQ(result_of("regexp_replace", {lit("abc"), lit("c"), lit("x"), lit(99)}), "'abc'");
  EXPECT_EQ(result_of("regexp_replace", {lit("abc"), lit("c"), lit("x"), lit(0)}),
            "row 0: the position to replace from is counted from 1 in regexp_replace('abc', 'c', "
            "'x', 0)");
}

TEST(Split, KeepsEmptyPartsAndCountsToALimit) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("a,b,,c")},
                                                   {Value::string(",a,")},
                                                   {Value::string("")},
                                                   {Value::null()},
                                                   {Value::string("abc")}});
  EXPECT_EQ(rows.values(call("split", {col("s"), lit(",")})),
            (Texts{"array['a', 'b', '', 'c']", "array['', 'a', '']", "array['']", "null",
                   "array['abc']"}));
  EXPECT_EQ(rows.values(call("split", {col("s"), lit(","), lit(2)})),
            (Texts{"array['a', 'b,,c']", "array['', 'a,']", "array['']", "null", "array['abc']"}));
  EXPECT_EQ(rows.values(call("split", {col("s"), lit(","), lit(0)})),
            rows.values(call("split", {col("s"), lit(",")})));
}

TEST(Split, PartsByPatternsAndIntoCharacters) {
  EXPECT_EQ(result_of("split", {lit("oneAtwoBthreeC"), lit("[ABC]")}),
            "array['one', 'two', 'three', '']");
  EXPECT_EQ(result_of("split", {lit("é😀z"), lit("")}), "array['é', '😀', 'z']");
  EXPECT_EQ(result_of("split", {lit("abc"), lit(""), lit(2)}), "array['a', 'b']");
  EXPECT_EQ(result_of("split", {lit("ab1c"), lit("(\\d)?")}), "array['a', 'b', '', 'c', '']");
}

}  // namespace
}  // namespace millrace::stream
