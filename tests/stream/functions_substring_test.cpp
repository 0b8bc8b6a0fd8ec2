#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr bytes(std::string text) { return lit(Value::bytes(std::move(text))); }

TEST(Substring, CountsCharactersFromOne) {
  ExpressionCase rows(
      {{"s", TypeKind::kString}},
      {{Value::string("abcdef")}, {Value::string("")}, {Value::null()}, {Value::string("é😀z")}});
  const auto part = [&](int position, int length) {
    return rows.values(call("substring", {col("s"), lit(position), lit(length)}));
  };
  EXPECT_EQ(part(1, 2), (Texts{"'ab'", "''", "null", "'é😀'"}));
  EXPECT_EQ(part(0, 2), (Texts{"'ab'", "''", "null", "'é😀'"}));
  EXPECT_EQ(part(-3, 2), (Texts{"'de'", "''", "null", "'é😀'"}));
  EXPECT_EQ(part(10, 2), (Texts{"''", "''", "null", "''"}));
  EXPECT_EQ(part(2, 0), (Texts{"''", "''", "null", "''"}));
  EXPECT_EQ(part(-10, 12), (Texts{"'abcdef'", "''", "null", "'é😀z'"}));
  EXPECT_EQ(part(2, -1), (Texts{"''", "''", "null", "''"}));
  EXPECT_EQ(part(-8, 3), (Texts{"'a'", "''", "null", "''"}));
  EXPECT_EQ(part(2147483647, 2147483647), (Texts{"''", "''", "null", "''"}));
  EXPECT_EQ(part(-2147483647, 2147483647), (Texts{"'abcdef'", "''", "null", "'é😀z'"}));
  EXPECT_EQ(rows.values(call("substr", {col("s"), lit(3)})),
            (Texts{"'cdef'", "''", "null", "'z'"}));
  EXPECT_EQ(rows.values(call("substr", {col("s"), lit(-2)})),
            (Texts{"'ef'", "''", "null", "'😀z'"}));
}

TEST(Substring, CutsBytes) {
  EXPECT_EQ(result_of("substring", {bytes("\xC3\xA9x"), lit(2), lit(1)}), "x'a9'");
  EXPECT_EQ(result_of("left", {bytes("abc"), lit(2)}), "x'6162'");
  EXPECT_EQ(result_of("right", {bytes("abc"), lit(2)}), "x'6263'");
}

TEST(LeftAndRight, GiveNothingForNothing) {
  EXPECT_EQ(result_of("left", {lit("abcdef"), lit(2)}), "'ab'");
  EXPECT_EQ(result_of("right", {lit("é😀z"), lit(2)}), "'😀z'");
  EXPECT_EQ(result_of("left", {lit("abc"), lit(-1)}), "''");
  EXPECT_EQ(result_of("right", {lit("abc"), lit(0)}), "''");
  EXPECT_EQ(result_of("right", {lit("abc"), lit(9)}), "'abc'");
  EXPECT_EQ(result_of("right", {lit("abc"), lit(Value::null(TypeKind::kInt32))}), "null");
}

TEST(Overlay, ReplacesByPosition) {
  EXPECT_EQ(result_of("overlay", {lit("Spark SQL"), lit("_"), lit(6)}), "'Spark_SQL'");
  EXPECT_EQ(result_of("overlay", {lit("Spark SQL"), lit("CORE"), lit(7)}), "'Spark CORE'");
  EXPECT_EQ(result_of("overlay", {lit("Spark SQL"), lit("ANSI "), lit(7), lit(0)}),
            "'Spark ANSI SQL'");
  EXPECT_EQ(result_of("overlay", {lit("Spark SQL"), lit("tructured"), lit(2), lit(4)}),
            "'Structured SQL'");
  EXPECT_EQ(result_of("overlay", {bytes("abc"), bytes("Z"), lit(2)}), "x'615a63'");
}

TEST(Trim, TakesSpacesOnlyOrTheCharactersGiven) {
  EXPECT_EQ(result_of("trim", {lit("  pad \t ")}), "'pad \t'");
  EXPECT_EQ(result_of("ltrim", {lit("  pad  ")}), "'pad  '");
  EXPECT_EQ(result_of("rtrim", {lit("  pad  ")}), "'  pad'");
  EXPECT_EQ(result_of("trim", {lit("   ")}), "''");
  EXPECT_EQ(result_of("trim", {lit("")}), "''");
  EXPECT_EQ(result_of("btrim", {lit("xéyaxéy"), lit("éxy")}), "'a'");
  EXPECT_EQ(result_of("ltrim", {lit("SSparkSQLS"), lit("S")}), "'parkSQLS'");
  EXPECT_EQ(result_of("rtrim", {lit("a😀é😀"), lit("😀")}), "'a😀é'");
  EXPECT_EQ(result_of("trim", {lit("abc"), lit("")}), "'abc'");
  EXPECT_EQ(result_of("trim", {lit("abc"), lit(Value::null())}), "null");
}

TEST(Pad, FillsUpAndCutsOff) {
  EXPECT_EQ(result_of("lpad", {lit("hi"), lit(5), lit("??")}), "'???hi'");
  EXPECT_EQ(result_of("rpad", {lit("hi"), lit(5), lit("éx")}), "'hiéxé'");
  EXPECT_EQ(result_of("lpad", {lit("hi"), lit(1), lit("?")}), "'h'");
  EXPECT_EQ(result_of("lpad", {lit("hi"), lit(0), lit("?")}), "''");
  EXPECT_EQ(result_of("lpad", {lit("hi"), lit(-5), lit("?")}), "''");
  EXPECT_EQ(result_of("lpad", {lit("hi"), lit(5), lit("")}), "'hi'");
  EXPECT_EQ(result_of("rpad", {lit("é"), lit(3)}), "'é  '");
  EXPECT_EQ(result_of("rpad", {lit(""), lit(3), lit("ab")}), "'aba'");
  EXPECT_EQ(result_of("lpad", {bytes("a"), lit(3)}), "x'000061'");
  EXPECT_EQ(result_of("rpad", {bytes("a"), lit(4), bytes("bc")}), "x'61626362'");
  EXPECT_EQ(result_of("lpad", {lit("hi"), lit(2000000000), lit("?")}),
            "row 0: a text of 2000000000 bytes is longer than the limit of 67108864 in lpad('hi', "
            "2000000000, '?')");
}

TEST(SplitPart, CountsFromEitherEnd) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("a,b,,c")},
                                                   {Value::string(",a,")},
                                                   {Value::string("")},
                                                   {Value::null()},
                                                   {Value::string("abc")}});
  const auto part = [&](int number) {
    return rows.values(call("split_part", {col("s"), lit(","), lit(number)}));
  };
  EXPECT_EQ(part(1), (Texts{"'a'", "''", "''", "null", "'abc'"}));
  EXPECT_EQ(part(2), (Texts{"'b'", "'a'", "''", "null", "''"}));
  EXPECT_EQ(part(5), (Texts{"''", "''", "''", "null", "''"}));
  EXPECT_EQ(part(-1), (Texts{"'c'", "''", "''", "null", "'abc'"}));
  EXPECT_EQ(part(-3), (Texts{"'b'", "''", "''", "null", "''"}));
  EXPECT_EQ(part(0), (Texts{"row 0: parts are counted from 1 (or from -1, the last): there is no "
                            "part 0 in split_part(s, ',', 0)"}));
  EXPECT_EQ(result_of("split_part", {lit("abc"), lit(""), lit(1)}), "'abc'");
  EXPECT_EQ(result_of("split_part", {lit("abc"), lit(""), lit(2)}), "''");
}

TEST(SubstringIndex, CutsAtAnOccurrence) {
  EXPECT_EQ(result_of("substring_index", {lit("www.apache.org"), lit("."), lit(2)}),
            "'www.apache'");
  EXPECT_EQ(result_of("substring_index", {lit("www.apache.org"), lit("."), lit(-2)}),
            "'apache.org'");
  EXPECT_EQ(result_of("substring_index", {lit("www.apache.org"), lit("."), lit(9)}),
            "'www.apache.org'");
  EXPECT_EQ(result_of("substring_index", {lit("www.apache.org"), lit("."), lit(-9)}),
            "'www.apache.org'");
  EXPECT_EQ(result_of("substring_index", {lit("a.b"), lit("."), lit(0)}), "''");
  EXPECT_EQ(result_of("substring_index", {lit("a.b"), lit(""), lit(1)}), "''");
  EXPECT_EQ(result_of("substring_index", {lit(".a"), lit("."), lit(-2)}), "'.a'");
}

}  // namespace
}  // namespace millrace::stream
