#include "state/record_file.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

using formats::JsonValue;

JsonValue small_document() { return JsonValue::object().set("epoch", 7); }

TEST(RecordFile, HasOneLineBeforeJsonThatAPersonCanRead) {
  const std::string bytes = encode_record_file("offsets", small_document());

  const std::string first_line = bytes.substr(0, bytes.find('\n'));
  EXPECT_EQ(first_line.substr(0, 25), "millrace offsets v1 xxh3 ");
  EXPECT_EQ(first_line.size(), 25u + 16u);
  EXPECT_EQ(bytes.substr(first_line.size()), "\n{\n  \"epoch\": 7\n}\n");
}

TEST(RecordFile, GivesBackWhatWasWritten) {
  const JsonValue document = JsonValue::object()
                                 .set("text", "line\nbreak \"quoted\" \xC3\xA9")
                                 .set("largest", INT64_MAX)
                                 .set("nothing", nullptr);

  EXPECT_EQ(decode_record_file("offsets", encode_record_file("offsets", document)), document);
}

TEST(RecordFile, NoticesACutAtEveryByte) {
  const std::string bytes = encode_record_file("offsets", small_document());

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto document = decode_record_file("offsets", std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(document) << size;
    EXPECT_EQ(document.error().code, ErrorCode::kCorrupt) << size;
  }
}

TEST(RecordFile, NoticesAChangeOfEveryBit) {
  const std::string bytes = encode_record_file("offsets", small_document());

  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string altered = bytes;
    altered[bit / 8] = static_cast<char>(altered[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(decode_record_file("offsets", altered)) << bit;
  }
}

TEST(RecordFile, NoticesAddedBytes) {
  const std::string bytes = encode_record_file("offsets", small_document());

  EXPECT_FALSE(decode_record_file("offsets", bytes + "\n"));
  EXPECT_FALSE(decode_record_file("offsets", bytes + std::string(1, '\0')));
  EXPECT_FALSE(decode_record_file("offsets", " " + bytes));
}

TEST(RecordFile, SaysWhatIsWrong) {
  const std::string bytes = encode_record_file("offsets", small_document());

  EXPECT_EQ(decode_record_file("offsets", "").error().message, "it is empty");
  EXPECT_EQ(decode_record_file("commit", bytes).error().message,
            "its first line is not that of a 'commit' file");
  EXPECT_EQ(decode_record_file("offsets", bytes + "x").error().message,
            "its checksum does not match");
}

}  // namespace
}  // namespace millrace::state
