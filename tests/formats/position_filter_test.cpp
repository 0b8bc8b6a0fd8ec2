#include "formats/position_filter.hpp"

#include <gtest/gtest.h>

namespace millrace::formats {
namespace {

RecordPosition position(std::int64_t offset, std::int32_t index = 0, std::uint32_t generation = 0,
                        std::uint64_t source = 0xab) {
  RecordPosition position;
  position.checkpoint = {0x12, 0x34};
  position.writer = 3;
  position.generation = generation;
  position.source = source;
  position.mark = {offset, index};
  return position;
}

TEST(PositionFilter, TakesWhatIsNotAboveTheHighestForAReplay) {
  PositionFilter filter;
  EXPECT_FALSE(filter.is_replay(position(7)));
  EXPECT_TRUE(filter.is_replay(position(7)));
  EXPECT_FALSE(filter.is_replay(position(7, 1))) << "another one made of the same record";
  EXPECT_TRUE(filter.is_replay(position(6, 5)));
  EXPECT_FALSE(filter.is_replay(position(9)));
  EXPECT_TRUE(filter.is_replay(position(8)));
}

TEST(PositionFilter, TellsSourcesWritersAndCheckpointsApart) {
  PositionFilter filter;
  EXPECT_FALSE(filter.is_replay(position(7)));
  EXPECT_FALSE(filter.is_replay(position(7, 0, 0, 0xac)));
  RecordPosition other_writer = position(7);
  other_writer.writer = 4;
  EXPECT_FALSE(filter.is_replay(other_writer));
  RecordPosition other_checkpoint = position(7);
  other_checkpoint.checkpoint[15] = 1;
  EXPECT_FALSE(filter.is_replay(other_checkpoint));
  EXPECT_TRUE(filter.is_replay(position(7)));
}

// A writer that was rolled back writes again what came after, as another generation.
TEST(PositionFilter, BeginsAnewWithAGenerationAndLeavesTheOldOne) {
  PositionFilter filter;
  EXPECT_FALSE(filter.is_replay(position(7)));
  EXPECT_FALSE(filter.is_replay(position(4, 0, 1)));
  EXPECT_TRUE(filter.is_replay(position(4, 0, 1)));
  EXPECT_TRUE(filter.is_replay(position(8))) << "a zombie of the history that was left";
  EXPECT_FALSE(filter.is_replay(position(5, 0, 1)));
}

TEST(PositionFilter, GoesOnFromItsText) {
  PositionFilter filter;
  EXPECT_EQ(filter.to_text(), "");
  EXPECT_FALSE(filter.is_replay(position(7, 2, 1)));
  EXPECT_FALSE(filter.is_replay(position(-1, 0, 0, 0xffffffffffffffff)));
  const std::string text = filter.to_text();
  EXPECT_EQ(text,
            "12340000000000000000000000000000/3/00000000000000ab=1:7:2 "
            "12340000000000000000000000000000/3/ffffffffffffffff=0:-1:0");
  auto again = PositionFilter::parse(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->to_text(), text);
  EXPECT_TRUE(again->is_replay(position(7, 2, 1)));
  EXPECT_FALSE(again->is_replay(position(7, 3, 1)));
}

TEST(PositionFilter, RefusesAnotherText) {
  for (const char* text : {"x", "1234", "12340000000000000000000000000000/3/00000000000000ab=1:7",
                           "12340000000000000000000000000000/3/00000000000000ab=1:7:2:9",
                           "1234000000000000000000000000000g/3/00000000000000ab=1:7:2",
                           "12340000000000000000000000000000/3/00000000000000ab=1:7:2  "}) {
    const auto parsed = PositionFilter::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kCorrupt);
  }
}

TEST(PositionFilter, ForgetsTheSourceThatWasLongestNotSeen) {
  PositionFilter filter(2);
  EXPECT_FALSE(filter.is_replay(position(7, 0, 0, 1)));
  EXPECT_FALSE(filter.is_replay(position(7, 0, 0, 2)));
  EXPECT_TRUE(filter.is_replay(position(7, 0, 0, 1)));
  EXPECT_FALSE(filter.is_replay(position(7, 0, 0, 3)));
  EXPECT_EQ(filter.forgotten(), 1);
  EXPECT_TRUE(filter.is_replay(position(7, 0, 0, 1)));
  EXPECT_FALSE(filter.is_replay(position(7, 0, 0, 2))) << "it was forgotten";
}

}  // namespace
}  // namespace millrace::formats
