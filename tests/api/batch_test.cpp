#include "millrace/batch.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace millrace {
namespace {

SchemaRef trades() {
  return make_schema({{"id", TypeKind::kInt64}, {"symbol", TypeKind::kString}});
}

void fill(Batch& batch, std::int64_t first_id, std::size_t rows) {
  batch.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    batch.column(0).values<std::int64_t>()[row] = first_id + static_cast<std::int64_t>(row);
    batch.column(1).values<std::string_view>()[row] =
        batch.arena().store("s" + std::to_string(row));
    batch.positions()[row] = 100 + static_cast<std::int64_t>(row);
  }
}

TEST(Batch, IsFalseOnceMovedFrom) {
  BatchPool pool(trades());
  Batch batch = pool.take();
  Batch other = std::move(batch);

  EXPECT_FALSE(static_cast<bool>(batch));  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(static_cast<bool>(other));
}

TEST(Batch, KeepsTheNamedRowsAndTheirPositions) {
  BatchPool pool(trades());
  Batch batch = pool.take();
  fill(batch, 10, 4);
  const std::vector<std::uint32_t> kept{1, 3};
  batch.gather(kept);

  ASSERT_EQ(batch.rows(), 2u);
  EXPECT_EQ(batch.column(0).value<std::int64_t>(1), 13);
  EXPECT_EQ(batch.column(1).text(0), "s1");
  EXPECT_EQ(batch.positions()[0], 101);
  EXPECT_EQ(batch.positions()[1], 103);
}

TEST(Batch, AdoptsRowsAndArenaSoThatSwappedTextsStay) {
  const Origin origin{"clicks", "topic clicks, partition 3", 3};
  BatchPool input_pool(trades());
  BatchPool output_pool(make_schema({{"symbol", TypeKind::kString}}));
  Batch output = output_pool.take();
  {
    Batch input = input_pool.take();
    fill(input, 1, 2);
    input.set_origin(&origin);
    input.set_ingest(SteadyTime(77));
    output.swap_column(0, input, 1);
    output.adopt(input);
  }
  Batch reused = input_pool.take();
  reused.arena().store("xxxxxxxxxxxxxxx");

  EXPECT_EQ(output.rows(), 2u);
  EXPECT_EQ(output.column(0).text(1), "s1");
  EXPECT_EQ(output.positions()[1], 101);
  EXPECT_EQ(output.origin(), &origin);
  EXPECT_EQ(output.ingest(), SteadyTime(77));
}

TEST(BatchPool, RecyclesABatchAsAnEmptyOne) {
  BatchPool pool(trades());
  {
    Batch batch = pool.take();
    fill(batch, 1, 5);
    batch.column(0).set_null(2);
    batch.set_ingest(SteadyTime(5));
  }
  Batch again = pool.take();

  EXPECT_EQ(pool.made(), 1u);
  EXPECT_EQ(again.rows(), 0u);
  EXPECT_EQ(again.column(0).size(), 0u);
  EXPECT_FALSE(again.column(0).may_have_nulls());
  EXPECT_TRUE(again.positions().empty());
  EXPECT_EQ(again.arena().used(), 0u);
  EXPECT_EQ(again.origin(), nullptr);
  EXPECT_EQ(again.ingest(), SteadyTime(0));
}

TEST(BatchPool, TakesBatchesBackFromSeveralThreads) {
  constexpr int kRounds = 2000;
  BatchPool pool(trades());
  for (int round = 0; round < kRounds / 100; ++round) {
    std::vector<Batch> left;
    std::vector<Batch> right;
    for (int i = 0; i < 50; ++i) {
      left.push_back(pool.take());
      right.push_back(pool.take());
    }
    std::thread other([&left] { left.clear(); });
    right.clear();
    other.join();
  }
  EXPECT_LE(pool.made(), 100u);
}

}  // namespace
}  // namespace millrace
