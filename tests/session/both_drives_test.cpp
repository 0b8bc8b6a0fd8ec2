#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::test {
namespace {

using std::chrono::milliseconds;

/// One job, whatever trigger: even ids, doubled.
class BothDrivesTest : public testing::TestWithParam<const char*> {
 protected:
  Result<Query> start(TestBed& bed, std::string_view trigger) {
    return bed.session()
        .read_stream(orders)
        .where(col("id") % lit(2) == lit(0))
        .select({(col("id") * lit(2)).as("twice")})
        .write_stream()
        .to(doubled)
        .option("trigger", trigger)
        .start();
  }
  void add(std::int64_t id, std::int32_t partition = 0) {
    ASSERT_TRUE(orders.add({Value::int64(id)}, partition));
  }
  std::vector<std::int64_t> out() {
    std::vector<std::int64_t> values;
    for (const Row& row : doubled.rows()) values.push_back(std::get<std::int64_t>(row[0].data));
    return values;
  }
  using Values = std::vector<std::int64_t>;

  MemorySource orders{"orders", {{"id", TypeKind::kInt64}}, 2};
  MemorySink doubled{"doubled"};
};

TEST_P(BothDrivesTest, GivesTheSameAnswer) {
  TestBed bed;
  add(1);
  add(2);
  add(4);
  const auto query = start(bed, GetParam());
  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(out(), (Values{4, 8}));
}

INSTANTIATE_TEST_SUITE_P(Triggers, BothDrivesTest,
                         testing::Values("real_time 10 ms", "real_time 1 minute or 2 rows",
                                         "processing_time", "processing_time 1 minute",
                                         "available_now", "once"));

class PlannedDriveTest : public BothDrivesTest {};

TEST_F(PlannedDriveTest, GoesBackAndForthBetweenTheDrives) {
  TestBed bed;
  std::int64_t next = 0;
  Values expected;
  for (const char* trigger :
       {"real_time 10 ms", "processing_time", "available_now", "real_time 1 minute", "once",
        "processing_time 1 second", "real_time 5 seconds or 1 rows", "available_now"}) {
    const auto query = start(bed, trigger);
    ASSERT_TRUE(query) << query.error().message;
    ASSERT_TRUE(bed.run());
    ASSERT_TRUE(bed.advance(milliseconds(1000)));
    if (query->status() == QueryState::kRunning) ASSERT_TRUE(query->stop());
    next += 2;
    add(next, static_cast<std::int32_t>(next % 4 / 2));
    // What came while it was down, or ended by itself, is the next one's.
    expected.push_back(next * 2);
  }
  const auto last = start(bed, "available_now");
  ASSERT_TRUE(last) << last.error().message;
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(out(), expected);
}

TEST_F(PlannedDriveTest, T4EndsByItself) {
  TestBed bed;
  add(2);
  const auto query = start(bed, "available_now");
  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(query->status(), QueryState::kStopped);
  EXPECT_FALSE(query->exception());
  EXPECT_EQ(query->progress().epoch, Epoch(0));
  add(4);
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(out(), Values{4}) << "what came later is the next start's";
}

TEST_F(PlannedDriveTest, EndsAtOnceWhenThereIsNothing) {
  for (const char* trigger : {"available_now", "once"}) {
    TestBed bed;
    const auto query = start(bed, trigger);
    ASSERT_TRUE(query) << query.error().message;
    ASSERT_TRUE(bed.run());
    EXPECT_EQ(query->status(), QueryState::kStopped);
    EXPECT_EQ(query->progress().rows_in, 0);
  }
}

TEST_F(PlannedDriveTest, T2KeepsToTheGridOfTheWallClock) {
  TestBed bed({{}, 1024, 1, WallTime(1'000'000'030'000)});
  const auto query = start(bed, "processing_time 100 ms");
  ASSERT_TRUE(query) << query.error().message;
  add(2);
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(out(), Values{4}) << "the first epoch begins at once";
  add(4);
  ASSERT_TRUE(bed.advance(milliseconds(69)));
  EXPECT_EQ(out(), Values{4});
  ASSERT_TRUE(bed.advance(milliseconds(1)));
  EXPECT_EQ(out(), (Values{4, 8}));
}

TEST_F(PlannedDriveTest, TellsExpressionsTheTimeOfThePlan) {
  TestBed bed({{}, 1, 1, WallTime(7'000'000)});
  const auto query = bed.session()
                         .read_stream(orders)
                         .select({call("unix_timestamp", {}).as("at")})
                         .write_stream()
                         .to(doubled)
                         .option("trigger", "processing_time 10 seconds")
                         .start();
  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(bed.run());
  add(2);
  add(4);
  ASSERT_TRUE(bed.advance(milliseconds(13'000)));
  EXPECT_EQ(out(), (Values{20, 20}));
}

TEST_F(PlannedDriveTest, ReadsThePlannedEpochAgainAfterACrash) {
  TestBed bed;
  const auto query = start(bed, "processing_time");
  ASSERT_TRUE(query) << query.error().message;
  for (std::int64_t id = 2; id < 12; id += 2) {
    add(id);
    ASSERT_TRUE(bed.run());
    ASSERT_TRUE(bed.restart());
  }
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(out(), (Values{4, 8, 12, 16, 20})) << "every epoch was committed before the crash";
}

TEST_F(PlannedDriveTest, CommitsOnRequestBeforeTheIntervalIsOver) {
  TestBed bed;
  const auto query = start(bed, "processing_time 1 hour");
  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(bed.run());
  add(2);
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(out(), Values{});
  ASSERT_TRUE(bed.close_epoch());
  EXPECT_EQ(out(), Values{4});
  EXPECT_EQ(query->progress().epoch, Epoch(0));
}

TEST_F(PlannedDriveTest, EndsAnOpenEpochAfterTheRowsItShallHave) {
  TestBed bed({{}, 1});
  const auto query = start(bed, "real_time 1 hour or 3 rows");
  ASSERT_TRUE(query) << query.error().message;
  add(2);
  add(4);
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(query->progress().epoch, std::nullopt);
  add(6);
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(query->progress().epoch, Epoch(0));
  EXPECT_EQ(out(), (Values{4, 8, 12}));
}

}  // namespace
}  // namespace millrace::test
