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
