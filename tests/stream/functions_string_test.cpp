#include "stream/utf8.hpp"
#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

TEST(CaseChange, ChangesLatinGreekAndCyrillic) {
  ExpressionCase rows;
  EXPECT_EQ(rows.value(upper(lit("straße, été, žluťoučký kůň, ÿ"))),
            "'STRASSE, ÉTÉ, ŽLUŤOUČKÝ KŮŇ, Ÿ'");
  EXPECT_EQ(rows.value(lower(lit("ÀÉÎÕÜ, ŁÓDŹ, Ÿ"))), "'àéîõü, łódź, ÿ'");
  EXPECT_EQ(rows.value(upper(lit("αβγ ώ, жщё"))), "'ΑΒΓ Ώ, ЖЩЁ'");
  EXPECT_EQ(rows.value(lower(lit("ΑΒΓ Ώ, ЖЩЁ"))), "'αβγ ώ, жщё'");
  EXPECT_EQ(rows.value(upper(lit("a×b÷c, 日本, 😀z"))), "'A×B÷C, 日本, 😀Z'");
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

TEST(CaseChange, PassesMalformedBytesOn) {
  std::string out(16, '\0');
  EXPECT_EQ(out.substr(0, write_upper("a\xff\xC3z\xE2\x82", out.data())), "A\xff\xC3Z\xE2\x82");
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
  EXPECT_EQ(rows.type_of(concat({col("b"), col("s")})),
            "function concat does not take (bytes, string); it takes: concat(string, ...), "
            "concat(bytes, ...); in concat(b, s)");
}

TEST(Utf8, AcceptsTextAndRefusesBytes) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("ASCII of more than eight bytes"));
  EXPECT_TRUE(is_utf8("é € 😀 \xF4\x8F\xBF\xBF"));
  for (const char* bad :
       {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "12345678\xff"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

}  // namespace
}  // namespace millrace::stream
