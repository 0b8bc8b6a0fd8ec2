#include "stream/replay_filter.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

TEST(ReplayFilter, NumbersTheRecordsMadeFromOne) {
  ReplayFilter filter;
  EXPECT_EQ(filter.next(7), (OutputMark{7, 0}));
  EXPECT_EQ(filter.next(7), (OutputMark{7, 1}));
  EXPECT_EQ(filter.next(7), (OutputMark{7, 2}));
  EXPECT_EQ(filter.next(9), (OutputMark{9, 0}));
  EXPECT_FALSE(filter.may_follow(8));
  EXPECT_TRUE(filter.may_follow(9));
}

TEST(ReplayFilter, LeavesOutWhatEachOutputPartitionHas) {
  ReplayFilter filter({{0, {5, 1}}, {2, {3, 0}}});
  EXPECT_TRUE(filter.is_written(0, {5, 0}));
  EXPECT_TRUE(filter.is_written(0, {5, 1}));
  EXPECT_FALSE(filter.is_written(0, {5, 2}));
  EXPECT_TRUE(filter.is_written(2, {3, 0}));
  EXPECT_FALSE(filter.is_written(2, {4, 0}));
  EXPECT_FALSE(filter.is_written(1, {0, 0})) << "nothing of it is in partition 1";
}

TEST(ReplayFilter, HasPassedOnceTheNewestHasComeAgain) {
  ReplayFilter filter({{0, {5, 1}}, {2, {3, 0}}});
  EXPECT_FALSE(filter.has_passed());
  static_cast<void>(filter.next(5));
  EXPECT_FALSE(filter.has_passed());
  static_cast<void>(filter.next(5));
  EXPECT_TRUE(filter.has_passed());
  EXPECT_TRUE(ReplayFilter().has_passed()) << "nothing was written";
}

TEST(ReplayFilter, HasPassedWhenTheNewestIsGone) {
  ReplayFilter filter({{0, {5, 1}}});
  static_cast<void>(filter.next(6));
  EXPECT_TRUE(filter.has_passed());
}

}  // namespace
}  // namespace millrace::stream
