#include "formats/json_document.hpp"

#include <gtest/gtest.h>

namespace millrace::formats {
namespace {

TEST(JsonValue, ReadsEveryKindOfValue) {
  const auto document =
      JsonValue::parse(R"({"n":null,"t":true,"i":-7,"d":1.5,"s":"a\u00e9b","l":[1,[]],"o":{}})");

  ASSERT_TRUE(document.has_value()) << document.error().message;
  EXPECT_TRUE(document->find("n")->is_null());
  EXPECT_TRUE(document->find("t")->as_boolean());
  EXPECT_EQ(document->find("i")->as_integer(), -7);
  EXPECT_EQ(document->find("d")->as_number(), 1.5);
  EXPECT_EQ(document->find("s")->as_string(),
            "a\xC3\xA9"
            "b");
  EXPECT_EQ(document->find("l")->as_array()[0].as_integer(), 1);
  EXPECT_EQ(document->find("l")->as_array()[1].size(), 0U);
  EXPECT_TRUE(document->find("o")->is_object());
  EXPECT_EQ(document->find("x"), nullptr);
}

TEST(JsonValue, KeepsInt64ExactAndTurnsLargerNumbersIntoDoubles) {
  const auto document =
      JsonValue::parse("[9223372036854775807,-9223372036854775808,9223372036854775808]");

  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->as_array()[0].as_integer(), INT64_MAX);
  EXPECT_EQ(document->as_array()[1].as_integer(), INT64_MIN);
  EXPECT_FALSE(document->as_array()[2].is_integer());
  EXPECT_EQ(document->as_array()[2].as_number(), 9223372036854775808.0);
}

// I-2
TEST(JsonValue, KeepsTheOrderOfMembersAndTheLastOfTwoValues) {
  const auto document = JsonValue::parse(R"({"z":1,"a":2,"z":3})");

  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->dump(), R"({"z":3,"a":2})");
}

TEST(JsonValue, DumpsCompactAndPretty) {
  JsonValue document;
  document.set("epoch", 3).set("price", 1.0).set("name", "a\"b\n");
  document.set("list", JsonValue::array().append(true).append(nullptr));

  EXPECT_EQ(document.dump(), R"({"epoch":3,"price":1.0,"name":"a\"b\n","list":[true,null]})");
  EXPECT_EQ(JsonValue::object().set("a", JsonValue::array().append(1)).dump_pretty(),
            "{\n  \"a\": [\n    1\n  ]\n}");
  EXPECT_EQ(JsonValue("bad \xFF byte").dump(), "\"bad \xEF\xBF\xBD byte\"");
}

TEST(JsonValue, SaysWhereTheTextIsWrong) {
  const auto document = JsonValue::parse("{\"a\":1,\n\"b\":tru}");

  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(document.error().message.substr(0, 36), "not valid JSON: at line 2, column 8:");
}

TEST(JsonValue, RefusesWhatIsNotOneWholeValue) {
  for (const char* text : {"", "  ", "{} x", "[1,]", "{\"a\":1,}", "NaN", "\"\\ud800\"", "01"})
    EXPECT_FALSE(JsonValue::parse(text).has_value()) << text;
}

TEST(JsonValue, RefusesNestingBeyondItsLimit) {
  const std::string deepest = std::string(1024, '[') + std::string(1024, ']');

  EXPECT_TRUE(JsonValue::parse(deepest).has_value());
  const auto deeper = JsonValue::parse("[" + deepest + "]");
  ASSERT_FALSE(deeper.has_value());
  EXPECT_EQ(deeper.error().message, "not valid JSON: nested deeper than 1024 levels");
}

TEST(JsonValue, NamesTheMemberThatIsMissingOrOfAnotherType) {
  const auto document = JsonValue::parse(R"({"epoch":"3"})");

  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->get_string("epoch").value(), "3");
  EXPECT_EQ(document->get_integer("epoch").error().message,
            "member \"epoch\" is not an integer: \"3\"");
  EXPECT_EQ(document->get_integer("attempt").error().message, "member \"attempt\" is missing");
  EXPECT_EQ(document->get_integer("attempt").error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace millrace::formats
