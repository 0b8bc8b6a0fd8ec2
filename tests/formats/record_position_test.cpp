#include "formats/record_position.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::formats {
namespace {

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<std::uint8_t>(byte) >> 4U];
    text += kDigits[static_cast<std::uint8_t>(byte) & 15U];
  }
  return text;
}

RecordPosition position() {
  return {*checkpoint_id_bytes("000102030405060708090a0b0c0d0eff"),
          0x10002,
          3,
          0xfedcba9876543210,
          {258, 1}};
}

TEST(RecordPosition, HasItsBytesInThisOrder) {
  RecordPositionBytes bytes{};
  encode(position(), bytes);
  EXPECT_EQ(hex({bytes.data(), bytes.size()}),
            "01"
            "000102030405060708090a0b0c0d0eff"
            "00010002"
            "00000003"
            "fedcba9876543210"
            "0000000000000102"
            "00000001");
}

TEST(RecordPosition, IsReadBack) {
  RecordPositionBytes bytes{};
  encode(position(), bytes);
  EXPECT_EQ(decode_record_position({bytes.data(), bytes.size()}), position());
}

TEST(RecordPosition, IsNoOtherBytes) {
  RecordPositionBytes bytes{};
  encode(position(), bytes);
  EXPECT_EQ(decode_record_position({}), std::nullopt);
  EXPECT_EQ(decode_record_position({bytes.data(), bytes.size() - 1}), std::nullopt);
  bytes[0] = 2;
  EXPECT_EQ(decode_record_position({bytes.data(), bytes.size()}), std::nullopt);
}

TEST(RecordPosition, TakesACheckpointsIdAsItIsWritten) {
  EXPECT_EQ(checkpoint_id_bytes("0001"), std::nullopt);
  EXPECT_EQ(checkpoint_id_bytes("000102030405060708090a0b0c0d0exy"), std::nullopt);
}

TEST(RecordPosition, KnowsSourcePartitionsByName) {
  EXPECT_EQ(source_id("clicks", "clicks-0"), source_id("clicks", "clicks-0"));
  EXPECT_NE(source_id("clicks", "clicks-0"), source_id("clicks", "clicks-1"));
  EXPECT_NE(source_id("a", "bc"), source_id("ab", "c"));
}

}  // namespace
}  // namespace millrace::formats
