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
  void plan(PlanRequest request) override {
    said.push_back("plan " + std::to_string(request.epoch.value));
    for (const JoinedPartition& joined : request.joined)
      said.back() += " with " + joined.partition + " at " + std::to_string(joined.first);
  }
  void run_epoch(const PlannedEpoch& epoch) override {
    said.push_back("run " + std::to_string(epoch.epoch.value));
  }
  void warn(std::string sentence) override { said.push_back("warn: " + sentence); }
  void seal(Epoch epoch) override { said.push_back("seal " + std::to_string(epoch.value)); }
  void commit(ClosedEpoch closed) override {
    said.push_back("commit " + std::to_string(closed.epoch.value));
    commits.push_back(std::move(closed));
  }
  [[nodiscard]] stream::OutputEnds acknowledged_ends() const override { return ends; }
  [[nodiscard]] std::int64_t rows_total() const override { return rows; }
  void ended(std::optional<Error> cause) override {
    said.push_back(cause ? "failed: " + cause->message : "ended");
  }
  std::vector<std::string> take() { return std::exchange(said, {}); }

  std::vector<std::string> said;
  std::vector<ClosedEpoch> commits;
  std::int64_t rows = 0;
  stream::OutputEnds ends;
};

using Words = std::vector<std::string>;

class CoordinatorTest : public ::testing::Test {
 protected:
  explicit CoordinatorTest(CoordinatorStart start = {2, 1, Epoch(0), {}},
                           EpochTrigger trigger = triggers::RealTimeTrigger(1000))
      : coordinator_(std::move(start), trigger, clock_, port_) {}

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

TEST_F(CoordinatorTest, AddsUpWhatTheTasksCountedInEachEpoch) {
  const auto pass_with = [&](int task, std::int64_t epoch, operators::EpochCounts counts) {
    coordinator_.handle(
        TaskPassed{TaskId(task), Epoch(epoch), {{"clicks", "clicks-0", 0, 1}}, 9, counts});
  };
  port_.rows = 3;
  tick_after_ms(1000);
  pass_with(0, 0, {2, 1, {1}});
  pass_with(1, 0, {4, 3, {0, 1}});
  flush(0);
  ASSERT_EQ(port_.commits.size(), 1U);
  EXPECT_EQ(port_.commits[0].counts,
            (std::map<std::string, operators::EpochCounts>{{"clicks", {6, 4, {1, 1}}}}));
  EXPECT_EQ(port_.commits[0].times.begun_at, WallTime(1'000'000));
  EXPECT_EQ(port_.commits[0].times.flushed.value - port_.commits[0].times.begun.value,
            1'000'000'000);
}

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

TEST_F(CoordinatorTest, NotesWhatIsAcknowledgedBeforeAnyTaskPassesTheBarrier) {
  port_.rows = 1;
  port_.ends = {{"enriched", {{0, 7}}}};
  tick_after_ms(1000);
  port_.ends = {{"enriched", {{0, 9}}}};
  pass(0, 0, 0, 1, 1);
  pass(1, 0, 0, 0, 0);
  flush(0);
  EXPECT_EQ(port_.commits[0].outputs, (stream::OutputEnds{{"enriched", {{0, 7}}}}));
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
  EXPECT_EQ(coordinator_.add_task({"clicks", "clicks-2", 0}), Epoch(1))
      << "its rows belong to the open epoch";
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
  EXPECT_EQ(coordinator_.add_task({"clicks", "clicks-2", 0}), std::nullopt);
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
  EXPECT_TRUE(port_.commits[0].is_planned);
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

TEST_F(CoordinatorTest, ClosesAnEpochThatHasTheRowsItShallHave) {
  port_.rows = 5000;
  coordinator_.handle(RowsReached{});
  EXPECT_EQ(port_.take(), Words{"close 0"});
  coordinator_.handle(RowsReached{});  // the barrier is under way: of the next epoch
  EXPECT_EQ(port_.take(), Words{});
  pass(0, 0, 0, 2500, 2500);
  pass(1, 0, 0, 2500, 2500);
  flush(0);
  port_.rows = 10'000;
  commit(0);
  EXPECT_EQ(port_.take(), (Words{"seal 0", "commit 0", "close 1"}));
}

class PlannedCoordinatorTest : public CoordinatorTest {
 protected:
  explicit PlannedCoordinatorTest(
      triggers::Trigger trigger = {triggers::TriggerKind::kProcessingTime, 0},
      CoordinatorStart start = {2, 1, Epoch(0), {}})
      : CoordinatorTest(std::move(start),
                        triggers::PlannedTrigger(trigger, WallTime(1'000'000), SteadyTime(0))) {}

  /// The commit thread's answer: the epoch has rows.
  void plan(std::int64_t epoch, bool is_last = false) {
    coordinator_.handle(EpochPlanned{Plan{PlannedEpoch{Epoch(epoch), WallTime(5), {}}, is_last}});
  }
  void find_nothing(bool is_last = false) {
    coordinator_.handle(EpochPlanned{Plan{std::nullopt, is_last}});
  }
  void pass_all(std::int64_t epoch) {
    pass(0, epoch, epoch, epoch + 1, epoch + 1);
    pass(1, epoch, epoch, epoch + 1, epoch + 1);
  }
};

TEST_F(PlannedCoordinatorTest, L1PlansThenRunsThenCommits) {
  coordinator_.tick();
  EXPECT_EQ(port_.take(), Words{"plan 0"});
  plan(0);
  EXPECT_EQ(port_.take(), Words{"run 0"});
  pass_all(0);
  flush(0);
  EXPECT_EQ(port_.take(), (Words{"seal 0", "commit 0"}));
  EXPECT_TRUE(port_.commits[0].is_planned);
  EXPECT_EQ(port_.commits[0].time, WallTime(5)) << "the time of the plan";
}

TEST_F(PlannedCoordinatorTest, PlansTheNextEpochOnceRowsWaitAndEveryTaskHasPassed) {
  coordinator_.tick();
  plan(0);
  port_.take();
  pass(0, 0, 0, 1, 1);
  coordinator_.handle(InputWaiting{TaskId(0)});
  EXPECT_EQ(port_.take(), Words{}) << "the other task still reads epoch 0";
  pass(1, 0, 0, 1, 1);
  EXPECT_EQ(port_.take(), (Words{"seal 0", "plan 1"})) << "epoch 0 is not committed";
  plan(1);
  pass_all(1);
  coordinator_.handle(InputWaiting{TaskId(0)});
  EXPECT_EQ(port_.take(), (Words{"run 1", "seal 1"})) << "two are not committed";
  flush(0);
  commit(0);
  EXPECT_EQ(port_.take(), (Words{"commit 0", "plan 2"}));
}

TEST_F(PlannedCoordinatorTest, RemembersRowsThatComeWhileItPlans) {
  coordinator_.tick();
  coordinator_.handle(InputWaiting{TaskId(1)});
  EXPECT_EQ(port_.take(), Words{"plan 0"});
  find_nothing();
  coordinator_.tick();
  EXPECT_EQ(port_.take(), Words{"plan 0"}) << "at once, under the same number";
}

TEST_F(PlannedCoordinatorTest, T1LooksAgainAfterADelayWhenNothingIsThere) {
  coordinator_.tick();
  find_nothing();
  port_.take();
  tick_after_ms(99);
  EXPECT_EQ(port_.take(), Words{});
  EXPECT_EQ(coordinator_.next_tick(), SteadyTime(100 * 1'000'000));
  tick_after_ms(1);
  EXPECT_EQ(port_.take(), Words{"plan 0"});
}

TEST_F(PlannedCoordinatorTest, StopsWhenWhatIsPlannedIsCommitted) {
  coordinator_.tick();
  coordinator_.handle(StopRequested{});
  EXPECT_EQ(port_.take(), Words{"plan 0"});
  plan(0);
  pass_all(0);
  flush(0);
  EXPECT_EQ(port_.take(), (Words{"run 0", "seal 0", "commit 0"}));
  commit(0);
  EXPECT_EQ(port_.take(), Words{"ended"});
}

TEST_F(PlannedCoordinatorTest, StopsAtOnceWhenNothingIsPlanned) {
  coordinator_.handle(StopRequested{});
  EXPECT_EQ(port_.take(), Words{"ended"});
}

TEST_F(PlannedCoordinatorTest, AnswersACloseRequestWithTheNextPlan) {
  coordinator_.tick();
  find_nothing();
  port_.take();
  std::vector<std::int64_t> answers;
  coordinator_.handle(CloseRequested{[&](Epoch epoch) { answers.push_back(epoch.value); }});
  EXPECT_EQ(port_.take(), Words{"plan 0"}) << "without regard to the trigger";
  plan(0);
  EXPECT_EQ(answers, std::vector<std::int64_t>{0});
}

TEST_F(PlannedCoordinatorTest, FailsWhenNoPlanCanBeMade) {
  coordinator_.tick();
  coordinator_.handle(EpochPlanned{fail(ErrorCode::kDataLoss, "gone")});
  EXPECT_EQ(port_.take(), (Words{"plan 0", "failed: gone"}));
}

TEST_F(PlannedCoordinatorTest, TellsThePlannerOfATaskThatJoins) {
  coordinator_.tick();
  plan(0);
  EXPECT_EQ(coordinator_.add_task({"clicks", "clicks-2", 40}), Epoch(1));
  pass_all(0);
  port_.take();
  coordinator_.handle(InputWaiting{TaskId(2)});
  EXPECT_EQ(port_.take(), Words{"plan 1 with clicks-2 at 40"});
  plan(1);
  pass_all(1);
  EXPECT_EQ(port_.take(), Words{"run 1"}) << "the third task is waited for";
  pass(2, 1, 40, 41, 1);
  EXPECT_EQ(port_.take(), Words{"seal 1"});
}

class BoundedCoordinatorTest : public PlannedCoordinatorTest {
 protected:
  BoundedCoordinatorTest()
      : PlannedCoordinatorTest({triggers::TriggerKind::kAvailableNow, 0},
                               {2, 1, Epoch(9), {{Epoch(8), WallTime(80), false}}}) {}
};

TEST_F(BoundedCoordinatorTest, T4RunsEpochAfterEpochAndEnds) {
  coordinator_.tick();
  EXPECT_EQ(port_.take(), Words{}) << "the epoch of the run before is read first";
  pass_all(8);
  EXPECT_EQ(port_.take(), (Words{"seal 8", "plan 9"}));
  plan(9);
  flush(8);
  commit(8);
  pass_all(9);
  EXPECT_EQ(port_.take(), (Words{"run 9", "commit 8", "seal 9", "plan 10"}));
  plan(10, true);
  pass_all(10);
  flush(9);
  flush(10);
  commit(9);
  EXPECT_EQ(port_.take(), (Words{"run 10", "seal 10", "commit 9", "commit 10"}));
  commit(10);
  EXPECT_EQ(port_.take(), Words{"ended"});
}

class NoNewsCoordinatorTest : public PlannedCoordinatorTest {
 protected:
  NoNewsCoordinatorTest() : PlannedCoordinatorTest({triggers::TriggerKind::kOnce, 0}) {}
};

TEST_F(NoNewsCoordinatorTest, T3EndsWithoutAnEpochWhenNothingIsThere) {
  coordinator_.tick();
  find_nothing(true);
  EXPECT_EQ(port_.take(), (Words{"plan 0", "ended"}));
}

class IntervalCoordinatorTest : public PlannedCoordinatorTest {
 protected:
  IntervalCoordinatorTest()
      : PlannedCoordinatorTest({triggers::TriggerKind::kProcessingTime, 100}) {}

  void run(std::int64_t epoch) {
    plan(epoch);
    pass_all(epoch);
    flush(epoch);
  }
};

TEST_F(IntervalCoordinatorTest, T2PlansAtIntervalsWhateverComes) {
  coordinator_.tick();
  run(0);
  commit(0);
  port_.take();
  coordinator_.handle(InputWaiting{TaskId(0)});
  tick_after_ms(99);
  EXPECT_EQ(port_.take(), Words{});
  tick_after_ms(1);
  EXPECT_EQ(port_.take(), Words{"plan 1"});
}

TEST_F(IntervalCoordinatorTest, T2SaysOnceThatItFallsBehind) {
  coordinator_.tick();
  run(0);
  port_.take();
  clock_.advance_us(250'000);
  commit(0);
  EXPECT_EQ(
      port_.take(),
      (Words{"warn: epoch 0 took 250 ms, longer than the trigger's interval of 100 ms: epochs "
             "begin late",
             "plan 1"}));
  run(1);
  clock_.advance_us(150'000);
  commit(1);
  EXPECT_EQ(port_.take(), (Words{"run 1", "seal 1", "commit 1", "plan 2"}));
}

}  // namespace
}  // namespace millrace::actors
