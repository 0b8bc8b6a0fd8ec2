#include "actors/source_input.hpp"

#include "tests/support/simulated_broker.hpp"

#include <gtest/gtest.h>

namespace millrace::actors {
namespace {

using Kind = InputEvent::Kind;

/// A partition of five records, read from position 1.
class SourceInputTest : public ::testing::Test {
 protected:
  SourceInputTest() {
    broker_.create_topic("clicks", 1);
    for (int number = 0; number < 5; ++number)
      broker_.produce("clicks", 0, {std::nullopt, "r" + std::to_string(number), 0});
  }
  std::unique_ptr<SourceInput> open(std::deque<FixedRange> replay, std::size_t rows_max = 2,
                                    std::int64_t end = stream::kNoLimit, std::int64_t position = 1,
                                    SourceDrive drive = SourceDrive::kOpen) {
    source_ = broker_.make_source("clicks");
    auto reader = source_->open_reader({"clicks-0", "clicks", 0}, position, {"value"});
    return std::make_unique<SourceInput>("clicks", stream::SourcePartition{"clicks-0", "clicks", 0},
                                         std::move(*reader), std::move(replay), rows_max, end,
                                         drive);
  }
  /// The rows of the next event as text, or "|<epoch> from..to" for a barrier, "" for none.
  std::string next(SourceInput& input) {
    const auto kind = input.next(event_);
    EXPECT_TRUE(kind.has_value());
    std::string text;
    if (*kind == Kind::kRows) {
      for (std::size_t row = 0; row < event_.rows.rows(); ++row)
        text += std::string(event_.rows.column(0).text(row)) + " ";
      event_.rows = Batch();
    }
    if (*kind == Kind::kExhausted) text = "exhausted";
    if (*kind == Kind::kWaiting) text = "waiting";
    if (*kind == Kind::kBarrier)
      text = "|" + std::to_string(event_.epoch.value) + " " +
             std::to_string(event_.ranges.at(0).from) + ".." +
             std::to_string(event_.ranges.at(0).to);
    return text;
  }

  support::SimulatedBroker broker_;
  std::unique_ptr<stream::Source> source_;
  InputEvent event_;
};

TEST_F(SourceInputTest, CutsAnEpochWhereItStands) {
  const auto input = open({});
  EXPECT_EQ(next(*input), "r1 r2 ");
  input->close_epoch({Epoch(4), WallTime(9), false});
  EXPECT_EQ(next(*input), "|4 1..3");
  EXPECT_EQ(event_.time, WallTime(9));
  EXPECT_EQ(event_.ranges[0].partition, "clicks-0");
  EXPECT_EQ(next(*input), "r3 r4 ");
  EXPECT_EQ(next(*input), "");
}

PlannedEpoch planned(std::int64_t epoch, std::int64_t from, std::int64_t to) {
  return {Epoch(epoch),
          WallTime(epoch * 10),
          {{{"orders", "clicks-0", 0, 5}},
           {{"clicks", "clicks-1", 0, 9}},
           {{"clicks", "clicks-0", from, to}}}};
}

TEST_F(SourceInputTest, ReadsNothingThatIsNotPlanned) {
  const auto input = open({}, 2, stream::kNoLimit, 1, SourceDrive::kPlanned);
  EXPECT_EQ(next(*input), "waiting");
  EXPECT_EQ(next(*input), "") << "it has said so";
  input->run_epoch(planned(0, 1, 4));
  EXPECT_EQ(next(*input), "r1 r2 ");
  EXPECT_EQ(next(*input), "r3 ");
  EXPECT_EQ(next(*input), "|0 1..4");
  EXPECT_EQ(event_.time, WallTime(0));
  EXPECT_EQ(next(*input), "waiting");
  input->run_epoch(planned(1, 4, 5));
  input->run_epoch(planned(2, 5, 5));
  EXPECT_EQ(next(*input), "r4 ");
  EXPECT_EQ(next(*input), "|1 4..5");
  EXPECT_EQ(event_.time, WallTime(10));
  EXPECT_EQ(next(*input), "|2 5..5");
  EXPECT_EQ(input->partition().source, "clicks");
  EXPECT_EQ(input->partition().partition, "clicks-0");
  EXPECT_EQ(input->partition().first, 5);
}

TEST_F(SourceInputTest, GivesAnEmptyRangeToAnEpochThatDoesNotKnowIt) {
  const auto input = open({}, 2, stream::kNoLimit, 1, SourceDrive::kPlanned);
  input->run_epoch({Epoch(3), WallTime(30), {}});
  EXPECT_EQ(next(*input), "|3 1..1");
}

TEST_F(SourceInputTest, IsExhaustedOnceAtItsEndAndStillCutsEpochs) {
  const auto input = open({}, 2, 4);
  EXPECT_EQ(next(*input), "r1 r2 ");
  EXPECT_EQ(next(*input), "r3 ");
  EXPECT_EQ(next(*input), "exhausted");
  EXPECT_EQ(next(*input), "");
  input->close_epoch({Epoch(4), WallTime(9), false});
  EXPECT_EQ(next(*input), "|4 1..4");
  input->close_epoch({Epoch(5), WallTime(10), true});
  EXPECT_EQ(next(*input), "|5 4..4");
  EXPECT_EQ(next(*input), "");
}

TEST_F(SourceInputTest, ReplaysBehindItsEndToo) {
  // The end was another one before the restart: what was closed then is read again all the same.
  const auto input = open({{Epoch(7), WallTime(70), 1, 4}}, 8, 2);
  EXPECT_EQ(next(*input), "r1 r2 r3 ");
  EXPECT_EQ(next(*input), "|7 1..4");
  EXPECT_EQ(next(*input), "exhausted");
}

TEST_F(SourceInputTest, ReadsReplayedEpochsExactlyThenGoesOn) {
  const auto input = open({{Epoch(7), WallTime(70), 1, 2}, {Epoch(8), WallTime(80), 2, 4}});
  EXPECT_EQ(next(*input), "r1 ");
  EXPECT_EQ(next(*input), "|7 1..2");
  EXPECT_EQ(next(*input), "r2 r3 ");
  EXPECT_EQ(next(*input), "|8 2..4");
  EXPECT_EQ(next(*input), "r4 ");
  EXPECT_EQ(next(*input), "");
}

TEST_F(SourceInputTest, KeepsACloseRequestUntilTheReplayIsOver) {
  const auto input = open({{Epoch(7), WallTime(70), 1, 2}});
  input->close_epoch({Epoch(8), WallTime(80), false});
  EXPECT_EQ(next(*input), "r1 ");
  EXPECT_EQ(next(*input), "|7 1..2");
  EXPECT_EQ(next(*input), "|8 2..2");
  EXPECT_EQ(next(*input), "r2 r3 ");
}

TEST_F(SourceInputTest, GivesAReplayedEpochThatHadNothingOfThisPartition) {
  const auto input = open({{Epoch(7), WallTime(70), 1, 1}});
  EXPECT_EQ(next(*input), "|7 1..1");
  EXPECT_EQ(next(*input), "r1 r2 ");
}

TEST_F(SourceInputTest, ReadsNothingAfterTheLastBarrier) {
  const auto input = open({});
  input->close_epoch({Epoch(0), WallTime(0), true});
  EXPECT_EQ(next(*input), "|0 1..1");
  EXPECT_EQ(next(*input), "");
  broker_.produce("clicks", 0, {std::nullopt, "late", 0});
  EXPECT_EQ(next(*input), "");
}

// -- records that are gone --

// I-9
TEST_F(SourceInputTest, ClosesAnEpochThatHasRowsOfALostHistoryBeforeTheNextBegins) {
  const auto input = open({});
  EXPECT_EQ(next(*input), "r1 r2 ");
  broker_.recreate_topic("clicks");
  broker_.produce("clicks", 0, {std::nullopt, "n0", 0});
  EXPECT_EQ(next(*input), "");
  EXPECT_EQ(next(*input), "");

  input->close_epoch({Epoch(4), WallTime(9), false});

  EXPECT_EQ(next(*input), "|4 1..3");
  EXPECT_EQ(next(*input), "n0 ");
  input->close_epoch({Epoch(5), WallTime(9), false});
  EXPECT_EQ(next(*input), "|5 0..1");
}

TEST_F(SourceInputTest, BeginsTheNextHistoryAtOnceWhenTheEpochHasNoRows) {
  const auto input = open({});
  EXPECT_EQ(next(*input), "r1 r2 ");
  input->close_epoch({Epoch(4), WallTime(9), false});
  EXPECT_EQ(next(*input), "|4 1..3");
  broker_.recreate_topic("clicks");
  broker_.produce("clicks", 0, {std::nullopt, "n0", 0});

  EXPECT_EQ(next(*input), "n0 ");
  input->close_epoch({Epoch(5), WallTime(9), false});
  EXPECT_EQ(next(*input), "|5 0..1");
}

TEST_F(SourceInputTest, KeepsTheRangesOfReplayedEpochsWhoseRecordsAreGone) {
  const auto input = open({{Epoch(7), WallTime(70), 1, 2}, {Epoch(8), WallTime(80), 2, 4}}, 2,
                          stream::kNoLimit, /*position=*/3);
  EXPECT_EQ(next(*input), "|7 1..2");
  EXPECT_EQ(next(*input), "r3 ");
  EXPECT_EQ(next(*input), "|8 2..4");
  EXPECT_EQ(next(*input), "r4 ");
  input->close_epoch({Epoch(9), WallTime(90), false});
  EXPECT_EQ(next(*input), "|9 4..5");
}

TEST_F(SourceInputTest, ReadsNothingForReplayedEpochsOfALostHistory) {
  const auto input = open({{Epoch(7), WallTime(70), 1, 3}, {Epoch(8), WallTime(80), 3, 5}}, 1);
  EXPECT_EQ(next(*input), "r1 ");
  broker_.recreate_topic("clicks");
  for (int number = 0; number < 9; ++number)
    broker_.produce("clicks", 0, {std::nullopt, "n" + std::to_string(number), 0});
  EXPECT_EQ(next(*input), "|7 1..3");
  EXPECT_EQ(next(*input), "|8 3..5");
  EXPECT_EQ(next(*input), "n0 ");
  input->close_epoch({Epoch(9), WallTime(90), false});
  EXPECT_EQ(next(*input), "|9 0..1");
}

TEST_F(SourceInputTest, ReplaysTheNextHistoryWhereOneBeganBeforeTheCrash) {
  const auto input = open({{Epoch(7), WallTime(70), 0, 5, true}, {Epoch(8), WallTime(80), 0, 2}}, 2,
                          stream::kNoLimit, /*position=*/0);
  EXPECT_EQ(next(*input), "|7 0..5");
  EXPECT_EQ(next(*input), "r0 r1 ");
  EXPECT_EQ(next(*input), "|8 0..2");
  EXPECT_EQ(next(*input), "r2 r3 ");
}

TEST_F(SourceInputTest, WakesItsTaskWhenRecordsCome) {
  const auto input = open({}, 1024);
  Waker waker;
  int wakes = 0;
  waker.connect([&wakes] { ++wakes; });
  input->connect(waker);
  EXPECT_EQ(next(*input), "r1 r2 r3 r4 ");
  EXPECT_EQ(next(*input), "");
  broker_.produce("clicks", 0, {std::nullopt, "r5", 0});
  EXPECT_EQ(wakes, 1);
  EXPECT_EQ(next(*input), "r5 ");
}

}  // namespace
}  // namespace millrace::actors
