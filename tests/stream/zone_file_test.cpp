#include "stream/zone_file.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

std::string big_endian(std::int64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    text += static_cast<char>(static_cast<std::uint64_t>(value) >> shift);
  return text;
}

std::string header(std::int64_t changes, std::int64_t types, std::int64_t letters) {
  std::string text = "TZif2" + std::string(15, '\0');
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, changes, types, letters})
    text += big_endian(count, 4);
  return text;
}

std::string type(std::int64_t offset, int letters_begin) {
  return big_endian(offset, 4) + '\0' + static_cast<char>(letters_begin);
}

/// Two changes, between local mean time and two hours east.
std::string two_changes(std::string_view rule) {
  const std::string letters("LMT\0EET\0", 8);
  return header(0, 1, 4) + type(0, 0) + std::string("LMT\0", 4) + header(2, 2, 8) +
         big_endian(-1'000, 8) + big_endian(5'000'000'000, 8) + std::string("\1\0", 2) +
         type(-75, 0) + type(7200, 4) + letters + "\n" + std::string(rule) + "\n";
}

TEST(ZoneFile, SaysWhatHoldsFromWhenOn) {
  const auto file = ZoneFile::parse(two_changes("EET-2"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->first, (ZoneChange{0, -75, "LMT"}));
  EXPECT_EQ(file->changes,
            (std::vector<ZoneChange>{{-1'000, 7200, "EET"}, {5'000'000'000, -75, "LMT"}}));
  ASSERT_TRUE(file->rule);
  EXPECT_EQ(file->rule->standard().offset_seconds, 7200);
}

TEST(ZoneFile, CanHaveNoRule) {
  const auto file = ZoneFile::parse(two_changes(""));
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->rule);
}

TEST(ZoneFile, BearsEveryBeginningOfAFile) {
  const std::string bytes = two_changes("EET-2");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(ZoneFile::parse(bytes.substr(0, size))) << size;
}

TEST(ZoneFile, RefusesNumbersThatLeadOutOfIt) {
  const std::string good = two_changes("EET-2");
  const std::size_t second = header(0, 1, 4).size() + 10;
  std::string bad_type = good;
  bad_type[second + 44 + 16] = 2;  // of two, 0 and 1
  EXPECT_FALSE(ZoneFile::parse(bad_type));
  std::string bad_letters = good;
  bad_letters[second + 44 + 18 + 5] = 8;
  EXPECT_FALSE(ZoneFile::parse(bad_letters));
  std::string bad_order = good;
  bad_order[second + 44] = 0x7F;
  EXPECT_FALSE(ZoneFile::parse(bad_order));
  std::string huge = good;
  huge[second + 32] = 0x7F;
  EXPECT_FALSE(ZoneFile::parse(huge));
}

TEST(ZoneFile, ReadsTheSystemsOwn) {
  const auto file = ZoneFile::load("Europe/Berlin");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->rule);
  EXPECT_TRUE(file->rule->has_changes());
  EXPECT_FALSE(ZoneFile::load("../zoneinfo/Europe/Berlin"));
  EXPECT_FALSE(ZoneFile::load("Mars/Olympus"));
}

}  // namespace
}  // namespace millrace::stream
