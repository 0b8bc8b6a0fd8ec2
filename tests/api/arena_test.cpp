#include "millrace/arena.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace millrace {
namespace {

TEST(Arena, StoresBytesThatStayWhileItGrows) {
  Arena arena;
  const std::string_view first = arena.store("first");
  for (int i = 0; i < 1000; ++i) arena.store(std::string(1000, 'x'));

  EXPECT_EQ(first, "first");
  EXPECT_EQ(arena.used(), 5u + 1'000'000u);
}

TEST(Arena, GivesTheSameMemoryAgainAfterReset) {
  Arena arena;
  for (int i = 0; i < 100; ++i) arena.store(std::string(1000, 'x'));
  const std::size_t capacity = arena.capacity();

  arena.reset();
  EXPECT_EQ(arena.used(), 0u);
  for (int i = 0; i < 100; ++i) arena.store(std::string(1000, 'y'));

  EXPECT_EQ(arena.capacity(), capacity);
}

TEST(Arena, LeavesReadablePaddingBehindTheLastByteOfABlock) {
  Arena arena;
  char* bytes = arena.allocate(16 * 1024 - Arena::kPadding);
  EXPECT_EQ(arena.capacity(), 16u * 1024u);
  bytes[16 * 1024 - 1] = 'p';  // the sanitizers see it if this is not ours

  char* large = arena.allocate(1'000'000);
  large[1'000'000 + Arena::kPadding - 1] = 'p';
  EXPECT_EQ(arena.used(), 16 * 1024 - Arena::kPadding + 1'000'000);
}

TEST(Arena, TakesBackTheUnusedEndOfTheNewestAllocation) {
  Arena arena;
  char* text = arena.allocate(100);
  arena.shrink_last(text, 3);

  EXPECT_EQ(arena.used(), 3u);
  EXPECT_EQ(arena.allocate(1), text + 3);
}

TEST(Arena, KeepsPointersValidWhenSwapped) {
  Arena one;
  Arena other;
  const std::string_view text = one.store("kept");
  std::swap(one, other);

  EXPECT_EQ(text, "kept");
  EXPECT_EQ(other.used(), 4u);
  EXPECT_EQ(one.used(), 0u);
}

TEST(Arena, StoresNothingForAnEmptyText) {
  Arena arena;
  EXPECT_TRUE(arena.store("").empty());
  EXPECT_EQ(arena.capacity(), 0u);
}

}  // namespace
}  // namespace millrace
