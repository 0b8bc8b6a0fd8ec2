#include "actors/gate.hpp"

#include <gtest/gtest.h>

namespace millrace::actors {
namespace {

/// One-column batches whose single value says which row it is.
class GateTest : public ::testing::Test {
 protected:
  void push_row(Channel& channel, std::int64_t value) {
    Batch batch = pool_.take();
    batch.resize(1);
    batch.column(0).values<std::int64_t>()[0] = value;
    channel.push(Element::of_rows(std::move(batch)));
  }
  static void push_barrier(Channel& channel, std::int64_t epoch) {
    channel.push(Element::of_barrier(Epoch(epoch), WallTime(7)));
  }
  /// The value of the next row; -1 for an aligned barrier, -2 for nothing.
  std::int64_t next() {
    switch (gate_.next(element_, edge_)) {
      case GateOutcome::kRows:
        return element_.rows.column(0).value<std::int64_t>(0);
      case GateOutcome::kBarrier:
        return -1;
      case GateOutcome::kIdle:
        break;
    }
    return -2;
  }

  BatchPool pool_{make_schema({{"value", TypeKind::kInt64}})};
  Channel first_;
  Channel second_;
  Element element_;
  std::size_t edge_ = 0;
  Gate gate_{{&first_, &second_}};
};

TEST_F(GateTest, AsksItsEdgesInTurn) {
  push_row(first_, 1);
  push_row(first_, 2);
  push_row(second_, 10);

  EXPECT_EQ(next(), 1);
  EXPECT_EQ(edge_, 0U);
  EXPECT_EQ(next(), 10);
  EXPECT_EQ(edge_, 1U);
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), -2);
}

TEST_F(GateTest, HoldsAnEdgeUntilEveryOtherShowedTheBarrier) {
  push_barrier(first_, 5);
  push_row(first_, 100);  // belongs to epoch 6
  push_row(second_, 1);

  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), -2);
  EXPECT_EQ(gate_.held(), 1U);

  push_row(second_, 2);
  push_barrier(second_, 5);
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), -1);
  EXPECT_EQ(element_.epoch, Epoch(5));
  EXPECT_EQ(gate_.held(), 0U);
  EXPECT_EQ(next(), 100);
}

TEST_F(GateTest, GivesEachBarrierOnce) {
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    push_barrier(first_, epoch);
    push_barrier(second_, epoch);
  }
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(next(), -1);
    EXPECT_EQ(element_.epoch, Epoch(epoch));
  }
  EXPECT_EQ(next(), -2);
}

TEST_F(GateTest, HasNoWatermarkUntilEveryEdgeShowedOne) {
  first_.push(Element::of_watermark(EventTime(50)));
  EXPECT_EQ(next(), -2);
  EXPECT_EQ(gate_.watermark(), EventTime(INT64_MIN));

  second_.push(Element::of_watermark(EventTime(30)));
  EXPECT_EQ(next(), -2);
  EXPECT_EQ(gate_.watermark(), EventTime(30));
}

TEST_F(GateTest, NeverMovesAWatermarkBack) {
  first_.push(Element::of_watermark(EventTime(50)));
  second_.push(Element::of_watermark(EventTime(40)));
  second_.push(Element::of_watermark(EventTime(20)));
  EXPECT_EQ(next(), -2);
  EXPECT_EQ(gate_.watermark(), EventTime(40));
}

using GateDeathTest = GateTest;

TEST_F(GateDeathTest, DiesWhenTwoEdgesDisagreeAboutTheEpoch) {
  push_barrier(first_, 5);
  push_barrier(second_, 6);
  EXPECT_DEATH((void)next(), "barrier.epoch == aligning_");
}

}  // namespace
}  // namespace millrace::actors
