#include "sql/source_text.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

std::optional<std::string> broker_only(std::string_view name) {
  if (name == "BROKER") return "it's:9092";
  if (name == "FILTER") return "price > 3";
  if (name == "SECRET") return "hunter2 hunter2 hunter2";
  return std::nullopt;
}

std::string filled(const std::string& text) {
  const auto source = SourceText::make(text, broker_only);
  return source ? source->text() : source.error().message;
}

TEST(SourceText, AVariableWithinQuotesStaysOneText) {
  EXPECT_EQ(filled("servers = '${BROKER}'"), "servers = 'it''s:9092'");
  EXPECT_EQ(filled("SELECT \"${BROKER}\""), "SELECT \"it's:9092\"");
}

TEST(SourceText, AVariableOutsideQuotesIsAnyPieceOfSql) {
  EXPECT_EQ(filled("WHERE ${FILTER}"), "WHERE price > 3");
}

TEST(SourceText, CommentsAreLeftAlone) {
  EXPECT_EQ(filled("-- ${NOBODY} isn't here\n/* '${NOBODY} */ SELECT '${BROKER}'"),
            "-- ${NOBODY} isn't here\n/* '${NOBODY} */ SELECT 'it''s:9092'");
}

TEST(SourceText, CommentsNest) {
  EXPECT_EQ(filled("/* a /* isn't */ ${NOBODY} */ '${BROKER}' /*/ ${NOBODY}"),
            "/* a /* isn't */ ${NOBODY} */ 'it''s:9092' /*/ ${NOBODY}");
}

TEST(SourceText, ABackslashInAnEscapedTextTakesAQuote) {
  EXPECT_EQ(filled("E'it\\'s ${BROKER}' '${BROKER}'"), "E'it\\'s it''s:9092' 'it''s:9092'");
}

TEST(SourceText, AValueInAnEscapedTextKeepsItsBackslashes) {
  const auto source = SourceText::make("e'${PATH}' 'E${PATH}'",
                                       [](std::string_view) { return std::string("\\'x"); });
  EXPECT_EQ(source->text(), "e'\\\\''x' 'E\\''x'");
}

TEST(SourceText, ADollarQuotedTextIsOneText) {
  EXPECT_EQ(filled("$q$it's ${FILTER}$q$ '${BROKER}'"), "$q$it's price > 3$q$ 'it''s:9092'");
}

TEST(SourceText, AValueCannotEndADollarQuotedText) {
  const auto source =
      SourceText::make("$$${MONEY}$$", [](std::string_view) { return std::string("$$ OR true"); });
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message,
            "line 1, column 3: the value of ${MONEY} has a dollar sign, which could end the text "
            "that it stands in: write that text in single quotes\n"
            "  $$${MONEY}$$\n"
            "    ^");
}

TEST(SourceText, ANameThatSqlWouldCutOffIsRefused) {
  const std::string name(64, 'f');
  EXPECT_EQ(filled("\"" + name + "\""),
            "line 1, column 1: a name in SQL has at most 63 bytes, "
            "ffffffffffffffffffff... has 64\n  \"" +
                name + "\"\n  ^");
  EXPECT_EQ(filled("a " + name).substr(0, 18), "line 1, column 3: ");
  EXPECT_EQ(filled("'" + name + "'"), "'" + name + "'");
}

TEST(SourceText, ANameThatIsTooLongShowsNoValueAndNoSecret) {
  const auto first_line = [](const std::string& text) {
    const std::string message = filled(text);
    return message.substr(0, message.find('\n'));
  };
  const std::string rest(60, 'f');
  EXPECT_EQ(first_line("\"${SECRET}" + rest + "\""),
            "line 1, column 1: a name in SQL has at most 63 bytes, ${SECRET}fffffffffff... has 83");
  EXPECT_EQ(first_line("\"password = hunter2, " + rest),
            "line 1, column 1: a name in SQL has at most 63 bytes, password = ***... has 80");
  EXPECT_EQ(first_line("größerundgrößerüber" + rest).substr(54), "größerundgrößer... has 84");
}

TEST(SourceText, AnUnknownVariableIsRefusedByNameAndPlace) {
  EXPECT_EQ(filled("a\n  b = '${NOBODY}'"),
            "line 2, column 8: nothing is known of ${NOBODY}: give it with --set NOBODY=... or in "
            "the environment\n"
            "    b = '${NOBODY}'\n"
            "         ^");
}

TEST(SourceText, ABrokenVariableIsRefused) {
  EXPECT_EQ(filled("x = ${A-B}"),
            "line 1, column 5: a variable is written ${NAME}, of letters, digits and underscores\n"
            "  x = ${A-B}\n"
            "      ^");
}

TEST(SourceText, AnErrorIsShownOnTheLineAsWrittenAndNeverWithAValue) {
  const auto source = SourceText::make("a = '${SECRET}' oops", broker_only);
  ASSERT_TRUE(source);
  const auto position = static_cast<std::int32_t>(source->text().find("oops"));

  const Error shown = source->located({ErrorCode::kInvalidArgument, "bad word", position});

  EXPECT_EQ(shown.message,
            "line 1, column 17: bad word\n"
            "  a = '${SECRET}' oops\n"
            "                  ^");
}

TEST(SourceText, AnErrorNeverShowsTheTextOfASecretOption) {
  const auto source = SourceText::make(
      "WITH (\"kafka.sasl.pasword\"='hunter2', kafka_ssl_key_pem = E'a\nb', oops)", broker_only);
  ASSERT_TRUE(source);
  const auto position = static_cast<std::int32_t>(source->text().find("oops"));

  const Error shown = source->located({ErrorCode::kInvalidArgument, "bad word", position});
  const Error first = source->located({ErrorCode::kInvalidArgument, "bad word", 0});

  EXPECT_EQ(shown.message, "line 2, column 5: bad word\n  ***', oops)\n        ^");
  EXPECT_EQ(first.message,
            "line 1, column 1: bad word\n"
            "  WITH (\"kafka.sasl.pasword\"='***', kafka_ssl_key_pem = E'***\n"
            "  ^");
}

TEST(SourceText, AnUnknownVariableShowsNoSecretBehindIt) {
  EXPECT_EQ(filled("${NOBODY} password = 'hunter2${NOBODY}'"),
            "line 1, column 1: nothing is known of ${NOBODY}: give it with --set NOBODY=... or in "
            "the environment\n"
            "  ${NOBODY} password = '***'\n"
            "  ^");
}

TEST(SourceText, WhatTheParserQuotesShowsNoValueAndNoSecret) {
  const auto shown = [](const std::string& text, const std::string& near) {
    const auto source = SourceText::make(text, broker_only);
    const auto position = static_cast<std::int32_t>(source->text().find(near));
    return source
        ->located(
            {ErrorCode::kInvalidArgument, "syntax error at or near \"" + near + "\"", position})
        .message;
  };
  EXPECT_EQ(shown("SET ${SECRET}", "hunter2"),
            "line 1, column 5: syntax error\n  SET ${SECRET}\n      ^");
  EXPECT_EQ(shown("token = 'hunter2", "'hunter2"),
            "line 1, column 9: syntax error\n  token = '***\n          ^");
  EXPECT_EQ(shown("a b", "b"), "line 1, column 3: syntax error at or near \"b\"\n  a b\n    ^");
}

TEST(SourceText, AMessageNamesAVariableInPlaceOfItsValue) {
  const auto known = [](std::string_view name) -> std::optional<std::string> {
    if (name == "SECRET") return "Hunter2!";
    if (name == "WORD") return "ready";
    if (name == "SHORT") return "7";
    return std::nullopt;
  };
  const auto source = SourceText::make("'${SECRET}' ${WORD} ${SHORT} x", known);
  ASSERT_TRUE(source);
  const auto shown = [&](const std::string& message, std::int32_t position) {
    const std::string text =
        source->located({ErrorCode::kInvalidArgument, message, position}).message;
    return text.substr(0, text.find('\n'));
  };

  EXPECT_EQ(shown("column not found: hunter2!; nearest: Hunter2!x", 2),
            "line 1, column 2: column not found: ${SECRET}; nearest: ${SECRET}x");
  EXPECT_EQ(shown("bad Hunter2!", -1), "bad ${SECRET}");
  EXPECT_EQ(shown("ready already: 7 of them", 2), "line 1, column 2: ${WORD} already: 7 of them");
}

TEST(SourceText, ColumnsCountLettersNotBytes) {
  const auto source = SourceText::make("'größe' x", broker_only);
  ASSERT_TRUE(source);

  const Error shown = source->located({ErrorCode::kInvalidArgument, "bad", 10});

  EXPECT_EQ(shown.message, "line 1, column 9: bad\n  'größe' x\n          ^");
}

TEST(SourceText, AnErrorWithoutAPositionKeepsItsWords) {
  const auto source = SourceText::make("a", broker_only);

  EXPECT_EQ(source->located({ErrorCode::kIo, "disk", -1}).message, "disk");
}

}  // namespace
}  // namespace millrace::sql
