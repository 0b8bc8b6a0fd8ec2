#include "actors/inline_runtime.hpp"
#include "session/query_builder.hpp"
#include "tests/support/lying_disk.hpp"
#include "tests/support/simulated_broker.hpp"
#include "tests/support/stateless_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace millrace::support {
namespace {

constexpr const char* kFolder = "chk/enriched";

/// A whole query on a clock that only the test moves, with a checkpoint every 10 ms.
class ShortEpochsTest : public testing::Test {
 protected:
  ShortEpochsTest() {
    broker_.create_topic("clicks", 2);
    broker_.create_topic("enriched", 1);
  }

  void start() {
    session::ConnectorFactory connectors;
    connectors.make_source = [this](const stream::SourceSpec&) {
      return Result<std::unique_ptr<stream::Source>>(broker_.make_source("clicks"));
    };
    connectors.make_sink = [this](const stream::SinkSpec&) {
      return Result<std::unique_ptr<stream::Sink>>(broker_.make_sink("enriched"));
    };
    session::BuildSettings settings;
    settings.clock = &clock_;
    settings.log = [](LogLevel, std::string_view) {};
    settings.disk = &disk_;
    settings.checkpoint_folder = kFolder;
    settings.plan_identity = "{}";
    settings.trigger.interval_ms = 10;
    auto built = session::build_query(simulated_plan(), connectors, settings);
    ASSERT_TRUE(built) << built.error().message;
    metrics_ = std::move(built->metrics);
    runtime_ = std::make_unique<actors::InlineRuntime>(std::move(built->parts), 1);
    settle();
  }

  /// A row comes in, and out again; 10 ms later the trigger looks at the clock.
  void run_epoch(std::int64_t number) {
    broker_.produce("clicks", static_cast<std::int32_t>(number % 2),
                    {std::nullopt, R"({"seq":1,"event_type":"view"})", 0});
    settle();
    clock_.advance_us(10'000);
    runtime_->tick();
    settle();
  }

  void settle() {
    do {
      runtime_->run_until_idle();
    } while (broker_.deliver(64) > 0);
  }

  ManualClock clock_{WallTime(1'700'000'000'000'000)};
  LyingDisk disk_{1};
  SimulatedBroker broker_;
  std::vector<std::unique_ptr<operators::StageMetrics>> metrics_;
  std::unique_ptr<actors::InlineRuntime> runtime_;
};

TEST_F(ShortEpochsTest, AnHourOfTenMillisecondsEachLeavesFewFiles) {
  start();
  std::int64_t most_files = 0;

  for (std::int64_t number = 0; number < 360'000; ++number) {
    run_epoch(number);
    if (number % 100 == 0) most_files = std::max(most_files, disk_.file_count(kFolder));
  }

  EXPECT_EQ(runtime_->failure(), std::nullopt);
  EXPECT_EQ(runtime_->committed_epochs().size(), 360'000u);
  EXPECT_EQ(broker_.record_count("enriched"), 360'000u);
  EXPECT_LT(std::max(most_files, disk_.file_count(kFolder)), 1000);
}

}  // namespace
}  // namespace millrace::support
