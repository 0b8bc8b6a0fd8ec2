#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

const Value kNullText = Value::null(TypeKind::kString);

TEST(CaseChange, ChangesAllOfUnicode) {
  EXPECT_EQ(result_of("upper", {lit("straße, été, žluťoučký kůň, ÿ")}),
            "'STRASSE, ÉTÉ, ŽLUŤOUČKÝ KŮŇ, Ÿ'");
  EXPECT_EQ(result_of("lower", {lit("ÀÉÎÕÜ, ŁÓDŹ, Ÿ")}), "'àéîõü, łódź, ÿ'");
  EXPECT_EQ(result_of("upper", {lit("αβγ ώ, жщё, ք, ა, ⓐ, 𐐨")}), "'ΑΒΓ Ώ, ЖЩЁ, Ք, Ა, Ⓐ, 𐐀'");
  EXPECT_EQ(result_of("lower", {lit("ΑΒΓ Ώ, ЖЩЁ, Ք, Ⓐ, 𐐀")}), "'αβγ ώ, жщё, ք, ⓐ, 𐐨'");
  EXPECT_EQ(result_of("upper", {lit("a×b÷c, 日本, 😀z")}), "'A×B÷C, 日本, 😀Z'");
}

TEST(CaseChange, LetsLettersBecomeSeveral) {
  EXPECT_EQ(result_of("upper", {lit("ß ﬃ ŉ ΐ և ᾳ ᾀ")}), "'SS FFI ʼN Ϊ́ ԵՒ ΑΙ ἈΙ'");
  EXPECT_EQ(result_of("lower", {lit("İI")}), "'i̇i'");
  EXPECT_EQ(result_of("initcap", {lit("ßa ﬁsh ᾳ ŉx")}), "'Ssa Fish ᾼ ʼNx'");
}

TEST(CaseChange, EndsWordsWithFinalSigma) {
  EXPECT_EQ(result_of("lower", {lit("ΟΔΟΣ ΣΑΣ Σ Α.Σ. ΑΣ'Α")}), "'οδος σας σ α.ς. ασ''α'");
}

TEST(CaseChange, CapitalizesWordsPartedBySpaces) {
  EXPECT_EQ(result_of("initcap", {lit("hello wORLD  été")}), "'Hello World  Été'");
  EXPECT_EQ(result_of("initcap", {lit("tab\tnew\nline don't 4th İI")}),
            "'Tab\tnew\nline Don''t 4th İi'");
}

TEST(CaseChange, ChangesColumnsWithNullsAndEmptyTexts) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("")},
                                                   {Value::null()},
                                                   {Value::string("aZ[{@`09")},
                                                   {Value::string("abcdefghijklmnopqé")}});
  EXPECT_EQ(rows.values(upper(col("s"))),
            (Texts{"''", "null", "'AZ[{@`09'", "'ABCDEFGHIJKLMNOPQÉ'"}));
  EXPECT_EQ(rows.values(lower(upper(col("s")))),
            (Texts{"''", "null", "'az[{@`09'", "'abcdefghijklmnopqé'"}));
}

TEST(Concat, JoinsTextsAndIsNullWithANull) {
  ExpressionCase rows({{"a", TypeKind::kString}, {"n", TypeKind::kInt32}},
                      {{Value::string("x"), Value::int32(1)},
                       {Value::string(""), Value::int32(-2)},
                       {Value::null(), Value::int32(3)}});
  EXPECT_EQ(rows.values(concat({col("a"), lit("-"), col("a")})), (Texts{"'x-x'", "'-'", "null"}));
  EXPECT_EQ(rows.values(call("||", {col("a"), col("n")})), (Texts{"'x1'", "'-2'", "null"}));
  EXPECT_EQ(rows.values(concat({col("a")})), (Texts{"'x'", "''", "null"}));
  EXPECT_EQ(rows.values(concat({col("a"), lit(Value::null())})), (Texts{"null", "null", "null"}));
}

TEST(Concat, JoinsBytes) {
  const Value bytes{TypeKind::kBytes, std::string("\xff", 1)};
  ExpressionCase rows({{"b", TypeKind::kBytes}, {"s", TypeKind::kString}},
                      {{bytes, Value::string("s")}});
  EXPECT_EQ(rows.value(concat({col("b"), lit(bytes)})), "x'ffff'");
  EXPECT_EQ(rows.type_of(concat({col("b"), col("s")})), "string");
}

TEST(ConcatWithSeparator, LeavesNullsOut) {
  ExpressionCase rows({{"a", TypeKind::kString}, {"b", TypeKind::kString}},
                      {{Value::string("x"), Value::string("y")},
                       {Value::null(), Value::string("y")},
                       {Value::string(""), Value::string("y")},
                       {Value::null(), Value::null()}});
  EXPECT_EQ(rows.values(call("concat_ws", {lit("-"), col("a"), col("b")})),
            (Texts{"'x-y'", "'y'", "'-y'", "''"}));
  EXPECT_EQ(
      rows.values(call("concat_ws", {lit("-"), col("a"), col("b"), lit("z"), lit(Value::null())})),
      (Texts{"'x-y-z'", "'y-z'", "'-y-z'", "'z'"}));
  EXPECT_EQ(rows.values(call("concat_ws", {col("a"), lit(1), lit(2)})),
            (Texts{"'1x2'", "null", "'12'", "null"}));
  EXPECT_EQ(rows.value(call("concat_ws", {lit("-")})), "''");
}

TEST(ConcatWithSeparator, TakesTheElementsOfArrays) {
  const Value list =
      Value::array(TypeKind::kString, {Value::string("p"), kNullText, Value::string("q")});
  ExpressionCase rows({{"l", list.type}}, {{list}, {Value::null(list.type)}});
  EXPECT_EQ(rows.values(call("concat_ws", {lit(", "), lit("a"), col("l"), lit("b")})),
            (Texts{"'a, p, q, b'", "'a, b'"}));
}

TEST(Length, CountsCharactersAndBytes) {
  ExpressionCase rows({{"s", TypeKind::kString}}, {{Value::string("hello World")},
                                                   {Value::string("")},
                                                   {Value::null()},
                                                   {Value::string("été")},
                                                   {Value::string("😀x")}});
  EXPECT_EQ(rows.values(call("length", {col("s")})), (Texts{"11", "0", "null", "3", "2"}));
  EXPECT_EQ(rows.values(call("char_length", {col("s")})), (Texts{"11", "0", "null", "3", "2"}));
  EXPECT_EQ(rows.values(call("octet_length", {col("s")})), (Texts{"11", "0", "null", "5", "5"}));
  EXPECT_EQ(rows.values(call("bit_length", {col("s")})), (Texts{"88", "0", "null", "40", "40"}));
  EXPECT_EQ(rows.type_of(call("length", {col("s")})), "int");
  EXPECT_EQ(result_of("length", {lit(Value::bytes(std::string("\0\xff", 2)))}), "2");
  EXPECT_EQ(result_of("length", {lit(-120)}), "4");
}

TEST(Reverse, TurnsCharactersNotBytes) {
  EXPECT_EQ(result_of("reverse", {lit("😀xé")}), "'éx😀'");
  EXPECT_EQ(result_of("reverse", {lit("")}), "''");
}

TEST(Repeat, IsEmptyForNothingAndRefusesTooMuch) {
  EXPECT_EQ(result_of("repeat", {lit("ab"), lit(3)}), "'ababab'");
  EXPECT_EQ(result_of("repeat", {lit("ab"), lit(0)}), "''");
  EXPECT_EQ(result_of("repeat", {lit("ab"), lit(-1)}), "''");
  EXPECT_EQ(result_of("repeat", {lit(""), lit(2147483647)}), "''");
  EXPECT_EQ(result_of("repeat", {lit(kNullText), lit(1)}), "null");
  EXPECT_EQ(result_of("repeat", {lit("ab"), lit(2147483647)}),
            "row 0: a text of 4294967294 bytes is longer than the limit of 67108864 in "
            "repeat('ab', 2147483647)");
  EXPECT_EQ(result_of("space", {lit(2)}), "'  '");
  EXPECT_EQ(result_of("space", {lit(-2)}), "''");
}

TEST(CharacterCodes, AreUnicodesOneWayAndAByteTheOther) {
  EXPECT_EQ(result_of("ascii", {lit("abc")}), "97");
  EXPECT_EQ(result_of("ascii", {lit("")}), "0");
  EXPECT_EQ(result_of("ascii", {lit("😀")}), "128512");
  EXPECT_EQ(result_of("ascii", {lit(2)}), "50");
  EXPECT_EQ(result_of("chr", {lit(65)}), "'A'");
  EXPECT_EQ(result_of("chr", {lit(233)}), "'é'");
  EXPECT_EQ(result_of("chr", {lit(256 + 65)}), "'A'");
  EXPECT_EQ(result_of("chr", {lit(-1)}), "''");
}

}  // namespace
}  // namespace millrace::stream
