#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

Expr bytes(std::string text) { return lit(Value::bytes(std::move(text))); }
Expr null_text() { return lit(Value::null(TypeKind::kString)); }

TEST(CharacterSets, WriteTexts) {
  const auto encoded = [](const char* text, const char* set) {
    return result_of("encode", {lit(text), lit(set)});
  };
  EXPECT_EQ(encoded("é€", "UTF-8"), "x'c3a9e282ac'");
  EXPECT_EQ(encoded("é", "iso-8859-1"), "x'e9'");
  EXPECT_EQ(encoded("abc", "US-ASCII"), "x'616263'");
  EXPECT_EQ(encoded("a😀", "UTF-16"), "x'feff0061d83dde00'");
  EXPECT_EQ(encoded("a😀", "UTF-16BE"), "x'0061d83dde00'");
  EXPECT_EQ(encoded("a😀", "utf-16le"), "x'61003dd800de'");
  EXPECT_EQ(encoded("a😀", "UTF-32"), "x'000000610001f600'");
  EXPECT_EQ(encoded("", "UTF-16"), "x''");
}

TEST(CharacterSets, ReadTexts) {
  const auto decoded = [](std::string data, const char* set) {
    return result_of("decode", {bytes(std::move(data)), lit(set)});
  };
  EXPECT_EQ(decoded("\xC3\xA9", "utf-8"), "'é'");
  EXPECT_EQ(decoded("\xE9", "ISO-8859-1"), "'é'");
  EXPECT_EQ(decoded(std::string("\xFE\xFF\0a\xD8\x3D\xDE\0", 8), "UTF-16"), "'a😀'");
  EXPECT_EQ(decoded(std::string("\xFF\xFE"
                                "a\0",
                                4),
                    "UTF-16"),
            "'a'");
  EXPECT_EQ(decoded(std::string("\0a", 2), "UTF-16"), "'a'");
  EXPECT_EQ(decoded(std::string("a\0", 2), "UTF-16LE"), "'a'");
  EXPECT_EQ(decoded(std::string("\0\1\xF6\0", 4), "UTF-32"), "'😀'");
  EXPECT_EQ(result_of("decode", {lit("abc"), lit("UTF-8")}), "'abc'");
}

TEST(CharacterSets, RefuseWhatIsNotInThem) {
  EXPECT_EQ(result_of("encode", {lit("é"), lit("US-ASCII")}),
            "row 0: the text has a character that is not in US-ASCII in encode('é', 'US-ASCII')");
  EXPECT_EQ(result_of("encode", {lit("a"), lit("latin9")}),
            "row 0: unknown character set: 'latin9'; there are: UTF-8, US-ASCII, ISO-8859-1, "
            "UTF-16, UTF-16BE, UTF-16LE, UTF-32 in encode('a', 'latin9')");
  EXPECT_EQ(result_of("decode", {bytes("\xff"), lit("UTF-8")}),
            "row 0: 1 bytes are no text in UTF-8 in decode(x'ff', 'UTF-8')");
  EXPECT_EQ(result_of("decode", {bytes("\xD8\x3D"), lit("UTF-16")}),
            "row 0: 2 bytes are no text in UTF-16 in decode(x'd83d', 'UTF-16')");
  EXPECT_EQ(result_of("decode", {bytes("\x80"), lit("US-ASCII")}),
            "row 0: 1 bytes are no text in US-ASCII in decode(x'80', 'US-ASCII')");
}

TEST(Base64, PadsAndReadsItsOwn) {
  EXPECT_EQ(result_of("base64", {lit("Spark SQL")}), "'U3BhcmsgU1FM'");
  EXPECT_EQ(result_of("base64", {lit("ab")}), "'YWI='");
  EXPECT_EQ(result_of("base64", {bytes("\xff\xfe\xfd\xfc")}), "'//79/A=='");
  EXPECT_EQ(result_of("base64", {lit("")}), "''");
  EXPECT_EQ(result_of("base64", {null_text()}), "null");
  EXPECT_EQ(result_of("unbase64", {lit("U3BhcmsgU1FM")}), "x'537061726b2053514c'");
  EXPECT_EQ(result_of("unbase64", {lit("YWI=")}), "x'6162'");
  EXPECT_EQ(result_of("unbase64", {lit("//79/A==")}), "x'fffefdfc'");
  EXPECT_EQ(result_of("unbase64", {lit("")}), "x''");
}

TEST(Base64, PassesOverWhatIsNoDigit) {
  EXPECT_EQ(result_of("unbase64", {lit("YW\r\nI")}), "x'6162'");
  EXPECT_EQ(result_of("unbase64", {lit("Y*W-J*j")}), "x'616263'");
  EXPECT_EQ(result_of("unbase64", {lit("YQ")}), "x'61'");
  EXPECT_EQ(result_of("unbase64", {lit("Y")}), "row 0: the text is not base64 in unbase64('Y')");
  EXPECT_EQ(result_of("unbase64", {lit("YQ=")}),
            "row 0: the text is not base64 in unbase64('YQ=')");
  EXPECT_EQ(result_of("unbase64", {lit("YQ==YQ")}),
            "row 0: the text is not base64 in unbase64('YQ==YQ')");
}

TEST(Hexadecimal, WritesNumbersAndBytes) {
  EXPECT_EQ(result_of("hex", {lit(17)}), "'11'");
  EXPECT_EQ(result_of("hex", {lit(0)}), "'0'");
  EXPECT_EQ(result_of("hex", {lit(-1)}), "'FFFFFFFFFFFFFFFF'");
  EXPECT_EQ(result_of("hex", {lit("Spark SQL")}), "'537061726B2053514C'");
  EXPECT_EQ(result_of("hex", {bytes(std::string("\0\xff\x10", 3))}), "'00FF10'");
  EXPECT_EQ(result_of("hex", {lit("")}), "''");
}

TEST(Hexadecimal, ReadsBytesOrGivesNull) {
  EXPECT_EQ(result_of("unhex", {lit("537061726B")}), "x'537061726b'");
  EXPECT_EQ(result_of("unhex", {lit("abc")}), "x'0abc'");
  EXPECT_EQ(result_of("unhex", {lit("")}), "x''");
  EXPECT_EQ(result_of("unhex", {lit("GG")}), "null");
  EXPECT_EQ(result_of("unhex", {lit("é")}), "null");
}

TEST(ToBinary, ReadsAFormat) {
  EXPECT_EQ(result_of("to_binary", {lit("616263")}), "x'616263'");
  EXPECT_EQ(result_of("to_binary", {lit("abc"), lit("UTF-8")}), "x'616263'");
  EXPECT_EQ(result_of("to_binary", {lit("YWJj"), lit("base64")}), "x'616263'");
  EXPECT_EQ(result_of("to_binary", {lit("YW=="), lit("base64")}), "x'61'");
  EXPECT_EQ(result_of("to_binary", {lit("YW= ="), lit("base64")}), "x'61'");
  EXPECT_EQ(result_of("to_binary", {lit("Y*J"), lit("base64")}),
            "row 0: the text is not base64 in to_binary('Y*J', 'base64')");
  EXPECT_EQ(result_of("to_binary", {lit("xyz")}),
            "row 0: the text is not hexadecimal in to_binary('xyz')");
  EXPECT_EQ(result_of("to_binary", {lit("abc"), lit("utf-9")}),
            "row 0: the format of to_binary is one of 'hex', 'utf-8', 'base64' in to_binary('abc', "
            "'utf-9')");
  EXPECT_EQ(result_of("try_to_binary", {lit("xyz")}), "null");
  EXPECT_EQ(result_of("try_to_binary", {lit("!"), lit("base64")}), "null");
}

TEST(Urls, AreEncodedAsFormsAre) {
  EXPECT_EQ(result_of("url_encode", {lit("https://a.b/é?x=1 2*_-")}),
            "'https%3A%2F%2Fa.b%2F%C3%A9%3Fx%3D1+2*_-'");
  EXPECT_EQ(result_of("url_decode", {lit("https%3A%2F%2fa.b+%C3%A9")}), "'https://a.b é'");
  EXPECT_EQ(result_of("url_decode", {lit("%4")}),
            "row 0: the text is not encoded for URLs: % stands before two hexadecimal digits in "
            "url_decode('%4')");
  EXPECT_EQ(result_of("try_url_decode", {lit("%4")}), "null");
}

}  // namespace
}  // namespace millrace::stream
