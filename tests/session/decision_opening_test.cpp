#include "session/decision_opening.hpp"

#include "tests/state/checkpoint_fixture.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace millrace::session {
namespace {

using state::CommitMark;

/// Bears the mark that the test says.
class DeciderDouble final : public stream::Decider {
 public:
  std::string title() const override { return "Kafka cluster k"; }
  stream::DeciderNames names(const std::string& /*checkpoint_id*/) override { return names_; }
  Result<std::optional<std::string>> take_over(const stream::DeciderNames& names) override {
    taken_over_ = names;
    return mark_;
  }
  bool goes_on_without_mark() const override { return goes_on_; }
  Status start(Epoch /*first*/, stream::MarkOf /*mark_of*/) override { return {}; }
  Result<bool> commit(Epoch /*epoch*/) override { return true; }
  void give_up() override {}

  stream::DeciderNames names_{{"m-0", "m-1"}, "out", 0};
  stream::DeciderNames taken_over_;
  std::optional<std::string> mark_;
  bool goes_on_ = false;
};

class DecisionOpeningTest : public state::CheckpointTest {
 protected:
  /// Epoch 0 is committed, with a mark; epoch 1 is closed and prepared, not committed.
  void SetUp() override {
    begin();
    ASSERT_TRUE(checkpoint_->write_closed(offsets(0), prepared(0)));
    first_ = CommitMark{Generation(0), Epoch(0), checkpoint_->attempt()};
    ASSERT_TRUE(checkpoint_->write_commit({Epoch(0), checkpoint_->attempt(), first_}));
    ASSERT_TRUE(checkpoint_->write_closed(offsets(1), prepared(1)));
    second_ = CommitMark{Generation(0), Epoch(1), checkpoint_->attempt()};
    restart_ = reopen();
  }
  Result<state::RestartPoint> run(std::optional<CommitMark> mark) {
    if (mark) decider_.mark_ = state::to_text(*mark);
    opening_.emplace(*checkpoint_, decider_);
    return opening_->run(restart_);
  }
  std::string refusal(std::optional<CommitMark> mark) {
    const auto result = run(mark);
    if (result) return "accepted";
    EXPECT_EQ(result.error().code, ErrorCode::kConflict);
    const std::string& text = result.error().message;
    return text.substr(0, text.find(": whether"));
  }

  DeciderDouble decider_;
  CommitMark first_, second_;
  state::RestartPoint restart_;
  std::optional<DecisionOpening> opening_;
};

TEST_F(DecisionOpeningTest, CountsTheEpochThatTheMarkNames) {
  const auto point = run(second_);
  ASSERT_TRUE(point) << point.error().message;
  EXPECT_TRUE(point->open.empty());
  EXPECT_EQ(point->next, Epoch(2));
  EXPECT_EQ(point->committed->commit.mark, second_);
  EXPECT_EQ(opening_->newest(), second_);
  EXPECT_EQ(opening_->notice(),
            "epoch 1 was made visible before the stop: it counts, and does not run again");
}

TEST_F(DecisionOpeningTest, RunsAgainWhatTheMarkDoesNotName) {
  const auto point = run(first_);
  ASSERT_TRUE(point) << point.error().message;
  ASSERT_EQ(point->open.size(), 1U);
  EXPECT_EQ(point->open.front().offsets.epoch, Epoch(1));
  EXPECT_EQ(opening_->newest(), first_);
  EXPECT_EQ(opening_->notice(), "");
}

TEST_F(DecisionOpeningTest, NotesTheNamesBeforeTheyAreUsed) {
  ASSERT_TRUE(run(first_));
  decider_.names_ = {{"n-0"}, "elsewhere", 0};
  opening_.emplace(*checkpoint_, decider_);
  ASSERT_TRUE(opening_->run(restart_));
  EXPECT_EQ(checkpoint_->metadata().transactional_ids,
            (std::vector<std::string>{"m-0", "m-1", "n-0"}));
  EXPECT_EQ(checkpoint_->metadata().mark, (state::MarkPartition{"out", 0}));
  EXPECT_EQ(decider_.taken_over_.writers, (std::vector<std::string>{"m-0", "m-1", "n-0"}));
  EXPECT_EQ(decider_.taken_over_.mark_topic, "out");
}

TEST_F(DecisionOpeningTest, RefusesAMarkOfAnotherAttempt) {
  const CommitMark other{Generation(0), Epoch(1), "ffffffffffffffff"};
  EXPECT_EQ(refusal(other),
            "checkpoint chk/enrich: Kafka cluster k bears epoch 1 of generation 0, attempt "
            "ffffffffffffffff, but the newest commit's mark is epoch 0 of generation 0, attempt " +
                first_.attempt + ", and epoch 1 is open");
}

TEST_F(DecisionOpeningTest, RefusesAMarkThatIsAhead) {
  const CommitMark ahead{Generation(0), Epoch(2), second_.attempt};
  EXPECT_NE(refusal(ahead).find("bears epoch 2 of generation 0"), std::string::npos);
}

TEST_F(DecisionOpeningTest, RefusesAMarkOfAnotherGeneration) {
  const CommitMark other{Generation(3), Epoch(1), second_.attempt};
  EXPECT_NE(refusal(other).find("bears epoch 1 of generation 3"), std::string::npos);
}

TEST_F(DecisionOpeningTest, RefusesWordsThatAreNoMark) {
  decider_.mark_ = "hello";
  EXPECT_NE(refusal(std::nullopt).find("bears words that are no mark: 'hello'"), std::string::npos);
}

TEST_F(DecisionOpeningTest, RefusesAMarkThatIsGone) {
  EXPECT_NE(refusal(std::nullopt).find("bears none"), std::string::npos);
  decider_.goes_on_ = true;
  const auto point = run(std::nullopt);
  ASSERT_TRUE(point) << point.error().message;
  EXPECT_EQ(point->open.size(), 1U);
  EXPECT_NE(opening_->notice().find("has lost its mark"), std::string::npos);
}

TEST_F(DecisionOpeningTest, TakesAMarkOfWhatWasForkedAwayForNone) {
  state::CheckpointMetadata metadata = checkpoint_->metadata();
  metadata.generation = Generation(1);
  metadata.forks = {{Generation(1), Epoch(0)}};
  ASSERT_TRUE(checkpoint_->write_metadata(metadata));
  restart_.open.clear();  // moved to undone/ by the roll-back
  const auto point = run(second_);
  ASSERT_TRUE(point) << point.error().message;
  EXPECT_EQ(opening_->newest(), first_);
}

TEST(CommitMarkText, IsReadBack) {
  const CommitMark mark{Generation(2), Epoch(71), "00ff00ff00ff00ff"};
  EXPECT_EQ(state::to_text(mark), "2 71 00ff00ff00ff00ff");
  EXPECT_EQ(state::parse_mark("2 71 00ff00ff00ff00ff"), mark);
  for (const char* text : {"", "2", "2 71", "2 71 ", "a 71 x", "2 b x", "-1 2 x", "1 2 x y"})
    EXPECT_FALSE(state::parse_mark(text)) << text;
}

}  // namespace
}  // namespace millrace::session
