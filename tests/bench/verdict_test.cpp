#include "bench/latency/verdict.hpp"

#include <gtest/gtest.h>

namespace millrace::bench {
namespace {

TEST(Verdict, IsMetWhereTheSpreadCannotLiftTheRatioOverTheBar) {
  EXPECT_EQ(judge(1.02, 1.10, {0.95, 1.05}), Verdict::kMet);  // 1.02 / 0.95 = 1.07
}

TEST(Verdict, IsMissedWhereTheSpreadCannotBringTheRatioBelowTheBar) {
  EXPECT_EQ(judge(1.30, 1.10, {0.95, 1.05}), Verdict::kMissed);  // 1.30 / 1.05 = 1.24
}

TEST(Verdict, IsNotDecidableWhereTheBarLiesInsideTheSpread) {
  EXPECT_EQ(judge(1.08, 1.10, {0.95, 1.05}), Verdict::kNotDecidable);  // up to 1.14
  EXPECT_EQ(judge(1.13, 1.10, {0.95, 1.05}), Verdict::kNotDecidable);  // down to 1.08
  EXPECT_EQ(judge(0.95, 1.10, {0.50, 2.00}), Verdict::kNotDecidable);
}

TEST(Verdict, SaysItselfInWords) {
  EXPECT_EQ(to_string(Verdict::kMet), "met");
  EXPECT_EQ(to_string(Verdict::kNotDecidable), "not decidable here");
  EXPECT_EQ(to_string(Verdict::kMissed), "missed");
}

TEST(Spread, OfEqualRunsIsNone) {
  const Spread spread = spread_of({5, 5, 5}, {5, 5, 5});

  EXPECT_DOUBLE_EQ(spread.low, 1.0);
  EXPECT_DOUBLE_EQ(spread.high, 1.0);
}

TEST(Spread, OfOneRunAndOneAgainIsTheirRatioEitherWay) {
  const Spread spread = spread_of({100}, {125});

  EXPECT_DOUBLE_EQ(spread.low, 0.8);
  EXPECT_DOUBLE_EQ(spread.high, 1.25);
}

// Twenty deals of 1, 2, 3, 4, 5, 6: medians 2 and 5 (four each way), 3 and 4 (six each way).
// One deal of each end is left out.
TEST(Spread, IsTheMiddleNineTenthsOfAllDeals) {
  const Spread spread = spread_of({1, 3, 5}, {2, 4, 6});

  EXPECT_DOUBLE_EQ(spread.low, 0.4);
  EXPECT_DOUBLE_EQ(spread.high, 2.5);
}

TEST(Spread, OfManyRunsIsDrawnAndTheSameEveryTime) {
  const std::vector<double> runs = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109};
  const Spread first = spread_of(runs, runs);
  const Spread second = spread_of(runs, runs);

  EXPECT_DOUBLE_EQ(first.low, second.low);
  EXPECT_DOUBLE_EQ(first.high, second.high);
  EXPECT_GT(first.low, 0.95);
  EXPECT_LT(first.high, 1.05);
}

TEST(Median, IsTheMiddleOrBetweenTheTwoMiddleOnes) {
  EXPECT_DOUBLE_EQ(median_of({3, 1, 2}), 2.0);
  EXPECT_DOUBLE_EQ(median_of({4, 1, 2, 3}), 2.5);
}

}  // namespace
}  // namespace millrace::bench
