#include "stream/utf8.hpp"

#include "stream/functions/letter_case.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::stream {
namespace {

TEST(Utf8, AcceptsTextAndRefusesBytes) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("ASCII of more than eight bytes"));
  EXPECT_TRUE(is_utf8("é € 😀 \xF4\x8F\xBF\xBF"));
  for (const char* bad :
       {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "12345678\xff"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(count_characters(""), 0U);
  EXPECT_EQ(count_characters("twelve chars"), 12U);
  EXPECT_EQ(count_characters("aé€😀"), 4U);
  EXPECT_EQ(count_characters("\xff\xC3z\xE2\x82"), 5U);
}

TEST(Utf8, FindsWhereACharacterBegins) {
  EXPECT_EQ(offset_of_character("aé€😀z", 0), 0U);
  EXPECT_EQ(offset_of_character("aé€😀z", 2), 3U);
  EXPECT_EQ(offset_of_character("aé€😀z", 4), 10U);
  EXPECT_EQ(offset_of_character("aé€😀z", 99), 11U);
}

TEST(Utf8, WritesWhatItReads) {
  for (const char32_t character : {U'a', U'é', U'€', U'😀', U'\x10FFFF'}) {
    char bytes[4];
    const std::size_t size = write_character(character, bytes);
    EXPECT_EQ(first_character({bytes, size}), character);
    EXPECT_EQ(character_size({bytes, size}), size);
  }
  char bytes[4];
  EXPECT_EQ(write_character(0xD800, bytes), 3U);
  EXPECT_EQ(std::string(bytes, 3), "\xEF\xBF\xBD");
}

TEST(LetterCase, PassesMalformedBytesOn) {
  std::string out(24, '\0');
  EXPECT_EQ(out.substr(0, write_upper("a\xff\xC3z\xE2\x82", out.data())), "A\xff\xC3Z\xE2\x82");
  EXPECT_EQ(out.substr(0, write_title("\xff"
                                      "Aé",
                                      out.data())),
            "\xff"
            "aé");
}

}  // namespace
}  // namespace millrace::stream
