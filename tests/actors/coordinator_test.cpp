#include "actors/coordinator.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::actors {
namespace {

/// Writes down what the coordinator asks for, as short words.
class RecordingPort final : public CoordinatorPort {
 public:
  void close_epoch(const CloseEpoch& request) override {
    said.push_back("close " + std::to_string(request.epoch.value) +
                   (request.is_last ? " last" : ""));
  }
  void seal(Epoch epoch) override { said.push_back("seal " + std::to_string(epoch.value)); }
  void commit(ClosedEpoch closed) override {
    said.push_back("commit " + std::to_string(closed.epoch.value));
    commits.push_back(std::move(closed));
  }
  [[nodiscard]] std::int64_t rows_total() const override { return rows; }
  void ended(std::optional<Error> cause) override {
    said.push_back(cause ? "failed: " + cause->message : "ended");
  }
  std::vector<std::string> take() { return std::exchange(said, {}); }

  std::vector<std::string> said;
  std::vector<ClosedEpoch> commits;
  std::int64_t rows = 0;
};

using Words = std::vector<std::string>;

class CoordinatorTest : public ::testing::Test {
 protected:
  explicit CoordinatorTest(CoordinatorStart start = {2, 1, Epoch(0), {}})
      : coordinator_(std::move(start), triggers::RealTimeTrigger(1000), clock_, port_) {}

  void pass(int task, std::int64_t epoch, std::int64_t from, std::int64_t to,
            std::int64_t rows_total) {
    coordinator_.handle(TaskPassed{TaskId(task),
                                   Epoch(epoch),
                                   {{"clicks", "clicks-" + std::to_string(task), from, to}},
                                   rows_total});
  }
  void flush(std::int64_t epoch) { coordinator_.handle(SinkFlushed{0, Epoch(epoch)}); }
  void commit(std::int64_t epoch) { coordinator_.handle(EpochCommitted{Epoch(epoch), {}}); }
  void tick_after_ms(std::int64_t ms) {
    clock_.advance_us(ms * 1000);
    coordinator_.tick();
  }

  ManualClock clock_{WallTime(1'000'000)};
  RecordingPort port_;
  Coordinator coordinator_;
};

TEST_F(CoordinatorTest, SeesAnEpochThroughInOrder) {
  port_.rows = 3;
  tick_after_ms(999);
  EXPECT_EQ(port_.take(), Words{});
  tick_after_ms(1);
  EXPECT_EQ(port_.take(), Words{"close 0"});
  pass(1, 0, 10, 11, 1);
  EXPECT_EQ(port_.take(), Words{});
  pass(0, 0, 20, 22, 2);
  EXPECT_EQ(port_.take(), Words{"seal 0"});
  flush(0);
  EXPECT_EQ(port_.take(), Words{"commit 0"});
  ASSERT_EQ(port_.commits[0].ranges.size(), 2U);
  EXPECT_EQ(port_.commits[0].ranges[0].partition, "clicks-1");
  EXPECT_EQ(port_.commits[0].ranges[0].from, 10);
  EXPECT_EQ(port_.commits[0].ranges[1].to, 22);
  EXPECT_EQ(port_.commits[0].time, WallTime(2'000'000));
  commit(0);
  EXPECT_EQ(port_.take(), Words{});
}

TEST_F(CoordinatorTest, ClosesNoEpochThatSawNoRow) {
  for (int second = 0; second < 5; ++second) tick_after_ms(1000);
  EXPECT_EQ(port_.take(), Words{});
  EXPECT_EQ(coordinator_.open_epoch(), Epoch(0));
}

TEST_F(CoordinatorTest, CountsRowsBehindTheBarrierForTheNextEpoch) {
  port_.rows = 1;
  tick_after_ms(1000);
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 0, 0);
  flush(0);
  commit(0);
  port_.take();
  tick_after_ms(1000);
  EXPECT_EQ(port_.take(), Words{}) << "the one row was in epoch 0";
  port_.rows = 2;
  tick_after_ms(1000);
  EXPECT_EQ(port_.take(), Words{"close 1"});
}

TEST_F(CoordinatorTest, WaitsForATaskThatJoinsFromTheNextBarrierOn) {
  port_.rows = 2;
  tick_after_ms(1000);
  EXPECT_EQ(coordinator_.add_task(), Epoch(1)) << "its rows belong to the open epoch";
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 1, 1);
  EXPECT_EQ(port_.take(), (Words{"close 0", "seal 0"})) << "it does not know epoch 0";
  flush(0);
  commit(0);

  port_.rows = 3;
  tick_after_ms(1000);
  pass(0, 1, 1, 1, 1);
  pass(1, 1, 1, 1, 1);
  EXPECT_EQ(port_.take(), (Words{"commit 0", "close 1"}));
  pass(2, 1, 0, 1, 1);
  EXPECT_EQ(port_.take(), Words{"seal 1"});
  flush(1);
  EXPECT_EQ(port_.commits[1].ranges.size(), 3U);
}

TEST_F(CoordinatorTest, TakesNoTaskOnceItStops) {
  coordinator_.handle(StopRequested{});
  EXPECT_EQ(coordinator_.add_task(), std::nullopt);
}

TEST_F(CoordinatorTest, ClosesNoThirdEpochWhileTwoAreUncommitted) {
  for (int epoch = 0; epoch < 2; ++epoch) {
    port_.rows = epoch + 1;
    tick_after_ms(1000);
    pass(0, epoch, epoch, epoch + 1, epoch + 1);
    pass(1, epoch, 0, 0, 0);
  }
  port_.rows = 3;
  port_.take();
  tick_after_ms(1000);
  EXPECT_EQ(port_.take(), Words{});

  flush(0);
  commit(0);
  EXPECT_EQ(port_.take(), (Words{"commit 0", "close 2"}));
}

TEST_F(CoordinatorTest, CommitsOneEpochAtATimeInOrder) {
  for (int epoch = 0; epoch < 2; ++epoch) {
    port_.rows = epoch + 1;
    tick_after_ms(1000);
    pass(0, epoch, epoch, epoch + 1, epoch + 1);
    pass(1, epoch, 0, 0, 0);
    flush(epoch);
  }
  EXPECT_EQ(port_.take(), (Words{"close 0", "seal 0", "commit 0", "close 1", "seal 1"}));
  commit(0);
  EXPECT_EQ(port_.take(), (Words{"commit 1"}));
}

TEST_F(CoordinatorTest, StopsByClosingCommittingAndEnding) {
  port_.rows = 1;
  coordinator_.handle(StopRequested{});
  EXPECT_EQ(port_.take(), Words{"close 0 last"});
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 0, 0);
  flush(0);
  commit(0);
  EXPECT_EQ(port_.take(), (Words{"seal 0", "commit 0", "ended"}));
  EXPECT_TRUE(coordinator_.has_ended());
}

TEST_F(CoordinatorTest, StopsByItselfOnceEveryTaskHasReadAll) {
  port_.rows = 1;
  coordinator_.handle(TaskExhausted{TaskId(1)});
  EXPECT_EQ(port_.take(), Words{}) << "the other task reads on";
  coordinator_.handle(TaskExhausted{TaskId(0)});
  EXPECT_EQ(port_.take(), Words{"close 0 last"});
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 0, 0);
  flush(0);
  commit(0);
  EXPECT_EQ(port_.take(), (Words{"seal 0", "commit 0", "ended"}));
}

TEST_F(CoordinatorTest, LeavesNoEpochBehindWhenItStopsWithNothingRead) {
  coordinator_.handle(StopRequested{});
  pass(0, 0, 5, 5, 0);
  pass(1, 0, 7, 7, 0);
  flush(0);
  EXPECT_EQ(port_.take(), (Words{"close 0 last", "seal 0", "ended"}));
}

TEST_F(CoordinatorTest, AnswersACloseRequestWithTheEpochThatCoversTheRows) {
  std::vector<std::int64_t> answers;
  const CloseRequested request{[&answers](Epoch epoch) { answers.push_back(epoch.value); }};
  coordinator_.handle(request);
  EXPECT_EQ(answers, std::vector<std::int64_t>{-1}) << "nothing read, nothing closed";

  port_.rows = 1;
  coordinator_.handle(request);
  EXPECT_EQ(answers, (std::vector<std::int64_t>{-1, 0}));
  EXPECT_EQ(port_.take(), Words{"close 0"});

  port_.rows = 2;  // behind the barrier of task 0, before that of task 1 is known
  coordinator_.handle(request);
  EXPECT_EQ(answers.size(), 2U);
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 0, 0);
  EXPECT_EQ(answers, (std::vector<std::int64_t>{-1, 0, 1}));
  EXPECT_EQ(port_.take(), (Words{"seal 0", "close 1"}));
}

TEST_F(CoordinatorTest, EndsWithTheFirstCause) {
  coordinator_.handle(QueryFailed{{ErrorCode::kBadRecord, "first"}});
  coordinator_.handle(QueryFailed{{ErrorCode::kIo, "second"}});
  EXPECT_EQ(port_.take(), Words{"failed: first"});
}

TEST_F(CoordinatorTest, FailsWhenACommitFails) {
  port_.rows = 1;
  tick_after_ms(1000);
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 0, 0);
  flush(0);
  port_.take();
  coordinator_.handle(EpochCommitted{Epoch(0), fail(ErrorCode::kIo, "no space left on device")});
  EXPECT_EQ(port_.take(), Words{"failed: no space left on device"});
}

class ReplayingCoordinatorTest : public CoordinatorTest {
 protected:
  ReplayingCoordinatorTest()
      : CoordinatorTest(
            {2, 1, Epoch(9), {{Epoch(7), WallTime(70), false}, {Epoch(8), WallTime(80), false}}}) {}
};

TEST_F(ReplayingCoordinatorTest, CommitsReplayedEpochsBeforeItClosesANewOne) {
  EXPECT_EQ(coordinator_.open_epoch(), Epoch(9));
  port_.rows = 10;
  tick_after_ms(1000);
  EXPECT_EQ(port_.take(), Words{}) << "the sources end replayed epochs themselves";

  for (std::int64_t epoch : {7, 8}) {
    pass(0, epoch, 0, 1, epoch);
    pass(1, epoch, 0, 1, 0);
    flush(epoch);
  }
  EXPECT_EQ(port_.take(), (Words{"seal 7", "commit 7", "seal 8"}));
  EXPECT_TRUE(port_.commits[0].is_replay);
  EXPECT_EQ(port_.commits[0].time, WallTime(70));
  commit(7);
  EXPECT_EQ(port_.take(), (Words{"commit 8", "close 9"}));
}

TEST_F(ReplayingCoordinatorTest, StopsOnlyAfterTheReplayedEpochsAreCommitted) {
  coordinator_.handle(StopRequested{});
  EXPECT_EQ(port_.take(), Words{});
  for (std::int64_t epoch : {7, 8}) {
    pass(0, epoch, 0, 1, epoch);
    pass(1, epoch, 0, 1, 0);
    flush(epoch);
  }
  port_.take();
  commit(7);
  EXPECT_EQ(port_.take(), (Words{"commit 8", "close 9 last"}));
}

}  // namespace
}  // namespace millrace::actors
