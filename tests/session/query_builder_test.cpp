#include "session/query_builder.hpp"

#include "state/checkpoint.hpp"
#include "tests/support/lying_disk.hpp"
#include "tests/support/simulated_broker.hpp"
#include "tests/support/stateless_simulation.hpp"

#include <gtest/gtest.h>

namespace millrace::session {
namespace {

class QueryBuilderTest : public testing::Test {
 protected:
  QueryBuilderTest() {
    broker_.create_topic("clicks", 2);
    broker_.create_topic("enriched", 1);
    settings_.clock = &clock_;
    settings_.log = [](LogLevel, std::string_view) {};
    settings_.disk = &disk_;
    settings_.checkpoint_folder = "chk/enriched";
    settings_.plan_identity = "{}";
  }
  /// As far as before the first row.
  Result<BuiltQuery> build() {
    Result<BuiltQuery> built = open();
    if (built) EXPECT_TRUE(built->parts.committer->begin());
    return built;
  }
  Result<BuiltQuery> open() {
    ConnectorFactory connectors;
    connectors.make_source = [this](const stream::SourceSpec&) {
      return Result<std::unique_ptr<stream::Source>>(broker_.make_source("clicks"));
    };
    connectors.make_sink = [this](const stream::SinkSpec&) {
      return Result<std::unique_ptr<stream::Sink>>(broker_.make_sink("enriched"));
    };
    return build_query(support::simulated_plan(), connectors, settings_);
  }
  std::string built() {
    const auto query = build();
    return query ? query->summary : query.error().message;
  }

  SystemClock clock_;
  support::SimulatedBroker broker_;
  support::LyingDisk disk_{1};
  BuildSettings settings_;
};

TEST_F(QueryBuilderTest, ReadsAPartitionThatTheCheckpointDoesNotKnow) {
  EXPECT_EQ(built(), "2 partitions of clicks, from epoch 0");
  broker_.create_topic("clicks", 3);
  EXPECT_EQ(built(), "3 partitions of clicks, from epoch 0");
}

TEST_F(QueryBuilderTest, FixesNothingBeforeTheRuntimeBegins) {
  EXPECT_TRUE(open());
  EXPECT_FALSE(disk_.read_file("chk/enriched/sources/start"));
  EXPECT_TRUE(build());
  EXPECT_TRUE(disk_.read_file("chk/enriched/sources/start"));
}

TEST_F(QueryBuilderTest, KnowsWhichEpochIsDurableWhileOthersRunAgain) {
  EXPECT_EQ(build()->durable, Epoch(-1));
  {
    auto checkpoint =
        state::Checkpoint::open(disk_, clock_, {"chk/enriched", "{}", "{}", 7, {}}).value();
    ASSERT_TRUE(checkpoint->restart());
    for (const std::int64_t epoch : {0, 1, 2}) {
      state::OffsetsRecord offsets;
      offsets.epoch = Epoch(epoch);
      offsets.ranges["clicks"] = {{"clicks-0", {epoch, epoch + 1}}, {"clicks-1", {0, 0}}};
      state::PreparedRecord prepared;
      prepared.epoch = Epoch(epoch);
      prepared.attempt = checkpoint->attempt();
      ASSERT_TRUE(checkpoint->write_closed(offsets, prepared));
      if (epoch > 0) continue;
      ASSERT_TRUE(checkpoint->write_commit({Epoch(0), checkpoint->attempt(), std::nullopt}));
    }
  }

  EXPECT_EQ(build()->durable, Epoch(0));
}

// Epoch 0 is committed; behind epoch 1 the topic was made anew, and epoch 2 has its first record.
// I-9
TEST_F(QueryBuilderTest, RunsEpochsAgainAcrossATopicThatWasMadeAnew) {
  ASSERT_TRUE(build());
  {
    auto checkpoint =
        state::Checkpoint::open(disk_, clock_, {"chk/enriched", "{}", "{}", 7, {}}).value();
    ASSERT_TRUE(checkpoint->restart());
    const std::vector<state::OffsetRange> ranges = {{0, 2}, {2, 4}, {0, 1}};
    for (const std::int64_t epoch : {0, 1, 2}) {
      state::OffsetsRecord offsets;
      offsets.epoch = Epoch(epoch);
      offsets.ranges["clicks"] = {{"clicks-0", ranges[static_cast<std::size_t>(epoch)]},
                                  {"clicks-1", {0, 0}}};
      state::PreparedRecord prepared;
      prepared.epoch = Epoch(epoch);
      prepared.attempt = checkpoint->attempt();
      ASSERT_TRUE(checkpoint->write_closed(offsets, prepared));
      if (epoch > 0) continue;
      ASSERT_TRUE(checkpoint->write_commit({Epoch(0), checkpoint->attempt(), std::nullopt}));
    }
  }
  for (int number = 0; number < 5; ++number) broker_.produce("clicks", 0, {});

  auto query = build();
  ASSERT_TRUE(query) << query.error().message;
  std::vector<std::string> passed;
  std::int64_t rows_at_last = -1;
  query->parts.connect([&](const actors::CoordinatorEvent& event) {
    if (const auto* barrier = std::get_if<actors::TaskPassed>(&event)) {
      passed.push_back(std::to_string(barrier->epoch.value) + ": " +
                       std::to_string(barrier->ranges.at(0).from) + ".." +
                       std::to_string(barrier->ranges.at(0).to));
      rows_at_last = barrier->rows_total;
    }
  });
  while (query->parts.tasks.at(0)->step() == actors::StepOutcome::kMore) {
  }

  EXPECT_EQ(passed, (std::vector<std::string>{"1: 2..4", "2: 0..1"}));
  EXPECT_EQ(rows_at_last, 1) << "that of the new topic alone";
}

TEST_F(QueryBuilderTest, RefusesToGoOnWhereAPartitionOfTheCheckpointIsGone) {
  EXPECT_EQ(built(), "2 partitions of clicks, from epoch 0");
  broker_.create_topic("clicks", 1);
  EXPECT_EQ(built(),
            "source clicks: partition clicks-1 of the checkpoint is not there any more (was the "
            "topic created anew?), its records from offset 0 on are lost; to begin anew, choose "
            "another checkpoint_location");
}

}  // namespace
}  // namespace millrace::session
