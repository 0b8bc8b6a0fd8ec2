#include "formats/dead_letter.hpp"

#include "formats/readable_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::formats {
namespace {

DeadLetter letter() {
  DeadLetter letter;
  letter.value = "{\"a\":";
  letter.key = "k1";
  letter.headers = {{"trace", "x"}, {"trace", std::nullopt}, {"trace", ""}};
  letter.topic = "clicks";
  letter.partition = 3;
  letter.offset = 17;
  letter.timestamp_us = 1'769'854'830'123'000;
  letter.kind = "malformed";
  letter.reason = "the value is not a JSON object";
  return letter;
}

TEST(DeadLetter, IsOneJsonObject) {
  Arena arena;

  EXPECT_EQ(dead_letter_line(letter(), arena),
            R"({"topic":"clicks","partition":3,"offset":17,"timestamp":"2026-01-31T10:20:30.123Z",)"
            R"("kind":"malformed","reason":"the value is not a JSON object","key":"k1",)"
            R"("value":"{\"a\":","headers":[{"key":"trace","value":"x"},)"
            R"({"key":"trace","value":null},{"key":"trace","value":""}]})");
}

TEST(DeadLetter, KeepsBytesThatAreNotTextInBase64) {
  Arena arena;
  DeadLetter bytes = letter();
  bytes.value = "\xFF\xFE";
  bytes.key = std::nullopt;
  bytes.headers = {{"h", "\xFF"}};
  bytes.timestamp_us = std::nullopt;

  EXPECT_EQ(dead_letter_line(bytes, arena),
            R"({"topic":"clicks","partition":3,"offset":17,"timestamp":null,"kind":"malformed",)"
            R"("reason":"the value is not a JSON object","key":null,"value_base64":"//4=",)"
            R"("headers":[{"key":"h","value_base64":"/w=="}]})");
}

TEST(DeadLetter, SaysInHeadersWhereItComesFromAndWhy) {
  Arena arena;
  std::string text;
  for (const auto& [name, value] : dead_letter_headers(letter(), arena))
    text += std::string(name) + "=" + std::string(value.value_or("null")) + "\n";

  EXPECT_EQ(text,
            "millrace.dead_letter.topic=clicks\n"
            "millrace.dead_letter.partition=3\n"
            "millrace.dead_letter.offset=17\n"
            "millrace.dead_letter.timestamp=1769854830123\n"
            "millrace.dead_letter.kind=malformed\n"
            "millrace.dead_letter.reason=the value is not a JSON object\n");
}

TEST(ReadableText, ReplacesWhatIsNoTextByteByByte) {
  Arena arena;

  EXPECT_EQ(readable_text("a\xC3\xA9", arena), "a\xC3\xA9");
  EXPECT_EQ(readable_text("a\xFF\xC3\xA9\xC3", arena), "a\uFFFD\u00e9\uFFFD");
  EXPECT_EQ(readable_text("", arena), "");
}

}  // namespace
}  // namespace millrace::formats
