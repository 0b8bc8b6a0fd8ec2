#include "session/restarting_query.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace millrace::session {
namespace {

/// A run that ends when the test says so. It blocks as a real one does, and never sleeps.
class RunDouble final : public RunningQuery {
 public:
  explicit RunDouble(std::string run_id) : run_id_(std::move(run_id)) {}

  void start() override { set(QueryState::kRunning, std::nullopt); }
  Status stop() override {
    set(QueryState::kStopped, std::nullopt);
    return {};
  }
  void abort() override { set(QueryState::kFailed, Error{ErrorCode::kCancelled, "aborted"}); }
  bool await(std::optional<std::chrono::milliseconds>) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_ended(); });
    return true;
  }
  std::optional<Error> failure() const override {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  QueryState state() const override {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  QueryProgress progress() const override {
    QueryProgress progress;
    progress.run_id = run_id_;
    return progress;
  }
  Result<Epoch> close_epoch() override { return Epoch(7); }
  QueryIds ids() const override { return {"id", run_id_}; }
  std::string summary() const override { return "from epoch 0"; }

  void fail_with(Error cause) { set(QueryState::kFailed, std::move(cause)); }

 private:
  bool has_ended() const { return state_ == QueryState::kStopped || state_ == QueryState::kFailed; }
  void set(QueryState state, std::optional<Error> cause) {
    const std::lock_guard lock(mutex_);
    if (has_ended()) return;
    state_ = state;
    failure_ = std::move(cause);
    changed_.notify_all();
  }

  const std::string run_id_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  QueryState state_ = QueryState::kStarting;
  std::optional<Error> failure_;
};

using Words = std::vector<std::string>;

class RestartingQueryTest : public testing::Test {
 protected:
  RestartingQueryTest() {
    settings_.name = "kept";
    settings_.restart = {true, 1'000, 60'000, 600'000};
    environment_.clock = &clock_;
    environment_.log = [this](LogLevel, std::string_view line) { say(std::string(line)); };
    environment_.cancelled = session_.get_token();
    environment_.started_again = [this](const QueryIds& ids) { say("again as " + ids.run_id); };
    environment_.ended = [this](const std::optional<Error>& cause) {
      say(cause ? "failed: " + cause->message : "ended");
    };
  }
  void open() {
    query_ = RestartingQuery::open(
                 settings_, environment_,
                 [this](const QueryEnvironment& of_run) { return launch(of_run); },
                 [this](std::int64_t ms, const std::stop_token& called_off) {
                   return wait(ms, called_off);
                 })
                 .value();
    query_->start();
  }
  Result<std::unique_ptr<RunningQuery>> launch(const QueryEnvironment& /*of_run*/) {
    const std::lock_guard lock(mutex_);
    if (!launch_errors_.empty()) {
      const Error error = launch_errors_.front();
      launch_errors_.pop_front();
      return fail(error);
    }
    auto run = std::make_unique<RunDouble>("run " + std::to_string(++runs_));
    run_ = run.get();
    changed_.notify_all();
    return run;
  }
  bool wait(std::int64_t /*ms*/, const std::stop_token& called_off) {
    std::unique_lock lock(mutex_);
    waits_ = true;
    changed_.notify_all();
    return changed_.wait(lock, called_off, [this] { return !holds_; });
  }
  /// The run of that number, once it runs behind the handle.
  RunDouble& run(int number) {
    while (query_->progress().run_id != "run " + std::to_string(number) ||
           query_->state() != QueryState::kRunning)
      std::this_thread::yield();
    const std::lock_guard lock(mutex_);
    return *run_;
  }
  void await_wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waits_; });
  }
  void say(std::string line) {
    const std::lock_guard lock(mutex_);
    said_.push_back(std::move(line));
  }
  Words said() {
    const std::lock_guard lock(mutex_);
    return said_;
  }
  static Error away() { return {ErrorCode::kUnavailable, "the broker is away"}; }

  ManualClock clock_;
  std::stop_source session_;
  QuerySettings settings_;
  QueryEnvironment environment_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Error> launch_errors_;
  Words said_;
  RunDouble* run_ = nullptr;
  int runs_ = 0;
  bool holds_ = false;  ///< a wait goes on until it is called off
  bool waits_ = false;
  std::unique_ptr<RunningQuery> query_;  ///< last: dies first
};

TEST_F(RestartingQueryTest, StartsAgainBehindOneHandleWithLongerAndLongerWaits) {
  open();
  run(1).fail_with(away());
  run(2).fail_with({ErrorCode::kIo, "no space left on device"});
  run(3);
  ASSERT_TRUE(query_->stop());
  EXPECT_EQ(query_->state(), QueryState::kStopped);
  EXPECT_FALSE(query_->failure());
  EXPECT_EQ(query_->progress().run_id, "run 3");
  EXPECT_EQ(said(), (Words{"query kept failed and starts again in 1 s: the broker is away",
                           "again as run 2", "query kept runs again: from epoch 0",
                           "query kept failed and starts again in 2 s: no space left on device",
                           "again as run 3", "query kept runs again: from epoch 0", "ended"}));
}

TEST_F(RestartingQueryTest, AStartThatFailsIsTriedAgainToo) {
  open();
  launch_errors_ = {away(), away()};
  run(1).fail_with(away());
  run(2);
  ASSERT_TRUE(query_->stop());
  EXPECT_EQ(said().at(2), "query kept failed and starts again in 4 s: the broker is away");
}

TEST_F(RestartingQueryTest, StaysDownWhenTheFailureDoesNotPass) {
  open();
  run(1).fail_with({ErrorCode::kConflict, "another owner is at work"});
  EXPECT_TRUE(query_->await(std::nullopt));
  EXPECT_EQ(query_->state(), QueryState::kFailed);
  EXPECT_EQ(query_->failure()->message, "another owner is at work");
  EXPECT_FALSE(query_->stop());
  query_.reset();
  EXPECT_EQ(said(), (Words{"query kept is not started again: a failure of kind conflict does not "
                           "pass by itself",
                           "failed: another owner is at work"}));
}

TEST_F(RestartingQueryTest, StaysDownWhenTheNextStartIsRefused) {
  open();
  launch_errors_ = {{ErrorCode::kLocked, "the checkpoint is in use by process 7"}};
  run(1).fail_with(away());
  EXPECT_TRUE(query_->await(std::nullopt));
  EXPECT_EQ(query_->failure()->message, "the checkpoint is in use by process 7");
}

TEST_F(RestartingQueryTest, AStopWhileItWaitsEndsItWithTheCause) {
  holds_ = true;
  open();
  run(1).fail_with(away());
  await_wait();
  EXPECT_EQ(query_->state(), QueryState::kRestarting);
  EXPECT_FALSE(query_->failure());
  EXPECT_EQ(query_->progress().run_id, "run 1");
  EXPECT_EQ(query_->close_epoch().error().message,
            "query kept failed and waits for its next start");
  const Status stopped = query_->stop();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error(), away());
  EXPECT_EQ(query_->state(), QueryState::kFailed);
}

TEST_F(RestartingQueryTest, TheSessionsEndEndsAWait) {
  holds_ = true;
  open();
  run(1).fail_with(away());
  await_wait();
  session_.request_stop();
  EXPECT_TRUE(query_->await(std::nullopt));
  EXPECT_EQ(query_->failure(), away());
}

TEST_F(RestartingQueryTest, AnAbortIsNoFailureToStartAgainAfter) {
  open();
  query_->abort();
  EXPECT_EQ(query_->failure()->code, ErrorCode::kCancelled);
  EXPECT_EQ(runs_, 1);
}

TEST_F(RestartingQueryTest, TheFirstStartsErrorIsTheCallers) {
  launch_errors_ = {away()};
  const auto opened = RestartingQuery::open(
      settings_, environment_, [this](const QueryEnvironment& of_run) { return launch(of_run); });
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(), away());
  EXPECT_EQ(said(), Words{});
}

}  // namespace
}  // namespace millrace::session
