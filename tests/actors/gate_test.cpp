#include "actors/gate.hpp"

#include <gtest/gtest.h>

#include <thread>

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

TEST_F(GateTest, AlignsTheBarriersOfTwoSendersOnThreadsOfTheirOwn) {
  constexpr std::int64_t kEpochs = 2'000;
  BatchPool other_pool(pool_.schema());
  const auto send = [](Channel& channel, BatchPool& pool, std::int64_t rows_per_epoch) {
    for (std::int64_t epoch = 0; epoch < kEpochs; ++epoch) {
      for (std::int64_t row = 0; row < rows_per_epoch; ++row) {
        while (!channel.has_room()) std::this_thread::yield();
        Batch batch = pool.take();
        batch.resize(1);
        batch.column(0).values<std::int64_t>()[0] = epoch;
        channel.push(Element::of_rows(std::move(batch)));
      }
      while (!channel.has_room()) std::this_thread::yield();
      channel.push(Element::of_barrier(Epoch(epoch), WallTime(0)));
    }
  };
  std::thread one([&] { send(first_, pool_, 3); });
  std::thread other([&] { send(second_, other_pool, 1); });

  // Every row comes before its own epoch's barrier and behind the one before it.
  std::int64_t epoch = 0, rows = 0, astray = 0;
  while (epoch < kEpochs) {
    const std::int64_t value = next();
    if (value == -2) {
      std::this_thread::yield();
    } else if (value == -1) {
      if (element_.epoch != Epoch(epoch) || rows != 4) ++astray;
      ++epoch;
      rows = 0;
    } else {
      if (value != epoch) ++astray;
      ++rows;
      element_.rows = Batch();
    }
  }
  one.join();
  other.join();
  element_ = Element();
  EXPECT_EQ(astray, 0);
}

}  // namespace
}  // namespace millrace::actors
