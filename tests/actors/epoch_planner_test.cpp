#include "actors/epoch_planner.hpp"

#include "state/memory_disk.hpp"
#include "tests/support/forwarding_source.hpp"
#include "tests/support/simulated_broker.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace millrace::actors {
namespace {

using triggers::Trigger;
using triggers::TriggerKind;

/// A source that can be away, and whose epochs can be held to a limit.
class PlannableSource final : public support::ForwardingSource {
 public:
  using ForwardingSource::ForwardingSource;

  Result<stream::Positions> end_positions() override {
    ++questions;
    if (error) return fail(*error);
    return ForwardingSource::end_positions();
  }
  [[nodiscard]] stream::ReadLimit read_limit() const override { return limit; }

  std::optional<Error> error;
  stream::ReadLimit limit;
  int questions = 0;
};

class EpochPlannerTest : public ::testing::Test {
 protected:
  EpochPlannerTest() {
    broker_.create_topic("clicks", 2);
    source_ = std::make_unique<PlannableSource>(broker_.make_source("clicks"));
  }

  void produce(std::int32_t partition, int count) {
    for (int i = 0; i < count; ++i) broker_.produce("clicks", partition, {std::nullopt, "r", 0});
  }
  EpochPlanner planner(Trigger trigger, bool replays = false,
                       std::optional<stream::Positions> end = std::nullopt) {
    return {
        trigger, {{"clicks", source_.get(), {{"clicks-0", 0}, {"clicks-1", 0}}, std::move(end)}},
        replays, *committer_,
        clock_,  [this](LogLevel, std::string_view line) { log_ += line; }};
  }
  /// "0: 0..3 0..1" for an epoch, "-" for none, a "." behind the last.
  std::string plan(EpochPlanner& planner, std::vector<JoinedPartition> joined = {}) {
    const auto plan = planner.plan({next_, std::move(joined)});
    if (!plan) return plan.error().message;
    std::string text = "-";
    if (plan->epoch) {
      text = std::to_string(plan->epoch->epoch.value) + ":";
      for (const PlannedRange& planned : plan->epoch->ranges)
        text += " " + std::to_string(planned.range.from) + ".." + std::to_string(planned.range.to) +
                (planned.is_new_history ? " anew" : "");
      next_ = next_.next();
    }
    return text + (plan->is_last ? "." : "");
  }

  support::SimulatedBroker broker_;
  std::unique_ptr<PlannableSource> source_;
  ManualClock clock_{WallTime(7'000'000)};
  std::optional<Committer> committer_{std::in_place};
  Epoch next_{0};
  std::string log_;
};

TEST_F(EpochPlannerTest, TakesWhatIsThere) {
  EpochPlanner planner = this->planner({TriggerKind::kProcessingTime, 0});
  EXPECT_EQ(plan(planner), "-");
  produce(0, 3);
  EXPECT_EQ(plan(planner), "0: 0..3 0..0");
  EXPECT_EQ(plan(planner), "-") << "an epoch with nothing to read is none";
  produce(1, 1);
  produce(0, 1);
  EXPECT_EQ(plan(planner), "1: 3..4 0..1");
}

TEST_F(EpochPlannerTest, CapsAnEpoch) {
  source_->limit.offsets_max = 4;
  EpochPlanner planner = this->planner({TriggerKind::kProcessingTime, 0});
  produce(0, 6);
  produce(1, 2);
  EXPECT_EQ(plan(planner), "0: 0..3 0..1");
  EXPECT_EQ(plan(planner), "1: 3..6 1..2");
}

TEST_F(EpochPlannerTest, T4ReadsWhatWasThereAtTheStartAndEnds) {
  source_->limit.offsets_max = 4;
  source_->limit.offsets_min = 3;
  EpochPlanner planner = this->planner({TriggerKind::kAvailableNow, 0});
  produce(0, 9);
  EXPECT_EQ(plan(planner), "0: 0..4 0..0");
  produce(0, 100);
  EXPECT_EQ(plan(planner), "1: 4..8 0..0");
  EXPECT_EQ(plan(planner), "2: 8..9 0..0.") << "the minimum holds nothing back here";
  EXPECT_EQ(plan(planner), "-.");
  EXPECT_EQ(source_->questions, 1);
}

TEST_F(EpochPlannerTest, T3TakesAllAtOnceWhateverTheLimit) {
  source_->limit.offsets_max = 4;
  EpochPlanner planner = this->planner({TriggerKind::kOnce, 0});
  produce(0, 9);
  EXPECT_EQ(plan(planner), "0: 0..9 0..0.");
  produce(0, 1);
  EXPECT_EQ(plan(planner), "-.");
}

TEST_F(EpochPlannerTest, T3EndsWithoutAnEpochWhenThereIsNothing) {
  EpochPlanner planner = this->planner({TriggerKind::kOnce, 0});
  EXPECT_EQ(plan(planner), "-.");
}

TEST_F(EpochPlannerTest, T3ReadsOnlyTheEpochOfTheRunBeforeWhenThereIsOne) {
  EpochPlanner planner = this->planner({TriggerKind::kOnce, 0}, true);
  produce(0, 9);
  EXPECT_EQ(plan(planner), "-.");
}

TEST_F(EpochPlannerTest, EndsAtTheEndingPositions) {
  EpochPlanner planner = this->planner({TriggerKind::kProcessingTime, 0}, false,
                                       stream::Positions{{"clicks-0", 5}, {"clicks-1", 0}});
  produce(0, 3);
  produce(1, 3);
  EXPECT_EQ(plan(planner), "0: 0..3 0..0") << "the rest is waited for";
  produce(0, 3);
  EXPECT_EQ(plan(planner), "1: 3..5 0..0.");
}

TEST_F(EpochPlannerTest, WaitsForASourceThatIsAway) {
  EpochPlanner planner = this->planner({TriggerKind::kAvailableNow, 0});
  produce(0, 2);
  source_->error = Error{ErrorCode::kUnavailable, "no broker answers"};
  EXPECT_EQ(plan(planner), "-");
  EXPECT_EQ(plan(planner), "-");
  EXPECT_EQ(log_, "source clicks: no epoch can be planned while it is away: no broker answers");
  source_->error.reset();
  EXPECT_EQ(plan(planner), "0: 0..2 0..0.");
  source_->error = Error{ErrorCode::kDataLoss, "gone"};
}

TEST_F(EpochPlannerTest, FailsWithASourceThatFails) {
  EpochPlanner planner = this->planner({TriggerKind::kProcessingTime, 0});
  source_->error = Error{ErrorCode::kInvalidArgument, "no such topic"};
  EXPECT_EQ(plan(planner), "no such topic");
}

TEST_F(EpochPlannerTest, ReadsAPartitionThatJoins) {
  EpochPlanner planner = this->planner({TriggerKind::kProcessingTime, 0});
  broker_.create_topic("clicks", 3);
  produce(2, 4);
  EXPECT_EQ(plan(planner), "-") << "no task reads it yet";
  EXPECT_EQ(plan(planner, {{"clicks", "clicks-2", 1}}), "0: 0..0 0..0 1..4");
}

TEST_F(EpochPlannerTest, WritesThePlanBeforeItIsRead) {
  state::MemoryDisk disk;
  state::CheckpointOptions options;
  options.folder = "chk/q";
  auto checkpoint = state::Checkpoint::open(disk, clock_, options);
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  ASSERT_TRUE((*checkpoint)->restart());
  state::StartRecord start;
  start.sources["clicks"] = {{"clicks-0", 0}, {"clicks-1", 0}};
  ASSERT_TRUE((*checkpoint)->write_start(start));
  committer_.emplace(std::move(*checkpoint), std::vector<state::OpenEpoch>{}, clock_);
  {
    EpochPlanner planner = this->planner({TriggerKind::kProcessingTime, 0});
    produce(1, 2);
    EXPECT_EQ(plan(planner), "0: 0..0 0..2");
  }
  committer_.emplace();
  auto reopened = state::Checkpoint::open(disk, clock_, options);
  ASSERT_TRUE(reopened) << reopened.error().message;
  const auto restart = (*reopened)->restart();
  ASSERT_TRUE(restart) << restart.error().message;
  ASSERT_EQ(restart->open.size(), 1U);
  const state::OffsetsRecord& record = restart->open[0].offsets;
  EXPECT_EQ(record.drive, state::Drive::kPlanned);
  EXPECT_EQ(record.time, WallTime(7'000'000));
  EXPECT_EQ(record.ranges.at("clicks").at("clicks-1").to, 2);
  EXPECT_EQ(record.ranges.at("clicks").at("clicks-0").to, 0);
}

}  // namespace
}  // namespace millrace::actors
