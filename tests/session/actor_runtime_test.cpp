#include "actors/actor_runtime.hpp"

#include "session/query_builder.hpp"
#include "tests/support/held_disk.hpp"
#include "tests/support/lying_disk.hpp"
#include "tests/support/simulated_broker.hpp"
#include "tests/support/stateless_simulation.hpp"
#include "tests/support/thread_list.hpp"
#include "tests/support/waiting_task.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace millrace::actors {
namespace {

/// A query over a simulated broker, hosted by real actors. A thread plays the broker's part and
/// acknowledges at once.
class ActorRuntimeTest : public ::testing::Test {
 protected:
  ActorRuntimeTest() {
    broker_.create_topic("clicks", 2);
    broker_.create_topic("enriched", 1);
    settings_.clock = &clock_;
    settings_.log = [](LogLevel, std::string_view) {};
    settings_.disk = &disk_;
    settings_.checkpoint_folder = "chk/enriched";
    settings_.plan_identity = "{}";
    settings_.trigger.interval_ms = 10;
    acknowledger_ = std::thread([this] {
      while (!done_.load())
        if (broker_.deliver(64) == 0) std::this_thread::yield();
    });
  }
  ~ActorRuntimeTest() override {
    runtime_.reset();
    done_.store(true);
    acknowledger_.join();
  }

  void start(RuntimeOptions options = {}) {
    session::ConnectorFactory connectors;
    connectors.make_source = [this](const stream::SourceSpec&) {
      return Result<std::unique_ptr<stream::Source>>(broker_.make_source("clicks"));
    };
    connectors.make_sink = [this](const stream::SinkSpec&) {
      return Result<std::unique_ptr<stream::Sink>>(broker_.make_sink("enriched"));
    };
    auto built = session::build_query(plan_, connectors, settings_);
    ASSERT_TRUE(built.has_value()) << built.error().message;
    metrics_ = std::move(built->metrics);
    RuntimeEvents events;
    events.committed = [this](const ClosedEpoch& closed) {
      const std::lock_guard lock(mutex_);
      committed_.push_back(closed);
      changed_.notify_all();
    };
    events.ended = [this](std::optional<Error> cause) {
      const std::lock_guard lock(mutex_);
      has_ended_ = true;
      cause_ = std::move(cause);
      changed_.notify_all();
    };
    runtime_ = std::make_unique<ActorRuntime>(std::move(built->parts), std::move(options),
                                              std::move(events));
    runtime_->start();
  }
  void produce(int count) {
    for (int number = 0; number < count; ++number)
      broker_.produce("clicks", number % 2, {std::nullopt, R"({"seq":1,"event_type":"view"})", 0});
  }
  /// Waits for the output to hold `count` records. A query that never gets there hangs the test,
  /// which the test runner's limit ends.
  void await_output(std::size_t count) {
    while (broker_.record_count("enriched") < count) std::this_thread::yield();
  }
  std::size_t committed_count() {
    const std::lock_guard lock(mutex_);
    return committed_.size();
  }
  void await_end() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_ended_; });
  }

  SystemClock clock_;
  support::SimulatedBroker broker_;
  support::LyingDisk platter_{1};
  support::HeldDisk disk_{platter_};
  stream::PhysicalPlan plan_ = support::simulated_plan();
  session::BuildSettings settings_;
  std::vector<std::unique_ptr<operators::StageMetrics>> metrics_;
  std::unique_ptr<ActorRuntime> runtime_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ClosedEpoch> committed_;
  bool has_ended_ = false;
  std::optional<Error> cause_;
  std::atomic<bool> done_{false};
  std::thread acknowledger_;
};

TEST_F(ActorRuntimeTest, MovesRowsCommitsAndStops) {
  start();
  produce(1000);
  await_output(1000);
  runtime_->post(StopRequested{});
  await_end();
  EXPECT_FALSE(cause_.has_value());
  ASSERT_FALSE(committed_.empty());
  std::int64_t rows = 0;
  for (const ClosedEpoch& closed : committed_)
    for (const operators::SourceRange& range : closed.ranges) rows += range.to - range.from;
  EXPECT_EQ(rows, 1000);
}

TEST_F(ActorRuntimeTest, MovesTheSameRowsUnderEveryWaitPolicyAndNumberOfThreads) {
  std::size_t expected = 0;
  for (const char* const name : {"park", "adaptive", "spin"}) {
    for (const std::size_t threads : {0, 1, 3}) {
      RuntimeOptions options;
      options.wait_policy = wait_policy_named(name);
      options.task_threads = threads;
      start(std::move(options));
      produce(200);
      await_output(expected += 200);
      runtime_->post(StopRequested{});
      await_end();
      EXPECT_FALSE(cause_.has_value()) << name << ", " << threads;
      runtime_.reset();
      has_ended_ = false;
    }
  }
  EXPECT_EQ(broker_.record_count("enriched"), 9u * 200);
}

// Threads that have dealt with a query live on when it ends: one that waits for them hangs the
// test.
TEST_F(ActorRuntimeTest, EndsOnAnotherThreadThanItWasMadeAndShutDownOn) {
  start();
  std::atomic<bool> is_down{false};
  std::atomic<bool> has_ended{false};
  std::thread shuts_down([&] {
    runtime_->shut_down();
    is_down.store(true);
    while (!has_ended.load()) std::this_thread::yield();
  });
  while (!is_down.load()) std::this_thread::yield();
  std::thread([&] { runtime_.reset(); }).join();
  has_ended.store(true);
  shuts_down.join();
}

TEST_F(ActorRuntimeTest, NamesAndPinsItsWorkers) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  unsigned core = 0;
  while (!CPU_ISSET(core, &allowed)) ++core;
  RuntimeOptions options;
  options.task_threads = 2;
  options.thread_name = "a long name of ours";
  options.cores = {static_cast<int>(core)};

  start(std::move(options));
  produce(2);
  await_output(2);  // both workers have run

  const auto threads = support::threads_named("a long name o");
  EXPECT_EQ(threads.size(), 2u);
  for (const support::ThreadOnCores& thread : threads) {
    EXPECT_TRUE(thread.name == "a long name o-0" || thread.name == "a long name o-1")
        << thread.name;
    EXPECT_EQ(thread.cores, std::vector<unsigned>{core});
  }
}

TEST_F(ActorRuntimeTest, KeepsRowsFlowingWhileACommitWaitsForTheDisk) {
  start();
  produce(10);
  await_output(10);
  disk_.hold();
  produce(10);
  disk_.await_waiting();  // an epoch's commit hangs in a write from here on
  const std::size_t committed_before = committed_count();

  produce(5000);
  await_output(5020);
  EXPECT_EQ(committed_count(), committed_before);
  disk_.release();
  runtime_->post(StopRequested{});
  await_end();
  EXPECT_FALSE(cause_.has_value());
}

// Each round is an epoch or two of the planned drive; a plan that waited for the disk would hang.
TEST_F(ActorRuntimeTest, ReadsEpochAfterEpochWhileTheDiskIsHeldWhenProgressIsAsynchronous) {
  settings_.trigger = {triggers::TriggerKind::kProcessingTime, 0};
  settings_.async_progress = true;
  start();
  disk_.hold();
  for (std::size_t round = 1; round <= 5; ++round) {
    produce(2);
    await_output(2 * round);
  }
  EXPECT_EQ(committed_count(), 0U) << "nothing is called durable before it is";
  disk_.release();
  runtime_->post(StopRequested{});
  await_end();
  EXPECT_FALSE(cause_.has_value());
  std::int64_t rows = 0;
  for (const ClosedEpoch& closed : committed_)
    for (const operators::SourceRange& range : closed.ranges) rows += range.to - range.from;
  EXPECT_EQ(rows, 10) << "a stop waits for the disk";
}

TEST_F(ActorRuntimeTest, EndsWithTheCauseOfABadRecord) {
  plan_.chains.front().bad_records = {};
  start();
  broker_.produce("clicks", 1, {std::nullopt, "{\"seq\":", 0});
  await_end();
  ASSERT_TRUE(cause_.has_value());
  EXPECT_EQ(cause_->code, ErrorCode::kBadRecord);
  EXPECT_NE(cause_->message.find("topic clicks, partition 1, offset 0"), std::string::npos)
      << cause_->message;
}

TEST_F(ActorRuntimeTest, EndsWithTheCauseWhenTheDiskIsFull) {
  start();
  platter_.fill_at(0);
  produce(1);
  await_end();
  ASSERT_TRUE(cause_.has_value());
  EXPECT_TRUE(state::is_disk_full(*cause_)) << cause_->message;
}

TEST_F(ActorRuntimeTest, ShutsDownAtAnyMomentWithoutACommit) {
  for (int life = 0; life < 20; ++life) {
    start();
    produce(50);
    if (life % 2 == 0) await_output(1);
    runtime_.reset();
    std::mt19937_64 random(static_cast<std::uint64_t>(life));
    broker_.drop_client(random);
  }
  start();
  await_output(20 * 50);
}

TEST(ActorRuntimeWake, RunsATaskWhoseOperatorWaitsForAnswers) {
  SystemClock clock;
  support::Answers answers;
  QueryParts parts;
  parts.clock = &clock;
  parts.start = {1, 1, Epoch(0), {}};
  parts.committer = std::make_unique<Committer>();
  parts.tasks.push_back(support::make_waiting_task(answers));
  ActorRuntime runtime(std::move(parts), {}, {});
  runtime.start();

  // One at a time: a lost wake-up hangs the test, which the test runner's limit ends.
  for (int answer = 0; answer < 1000; ++answer) {
    answers.give();
    while (answers.taken.load() <= answer) std::this_thread::yield();
  }

  runtime.shut_down();
  answers.give();
  EXPECT_EQ(answers.taken, 1000);
}

}  // namespace
}  // namespace millrace::actors
