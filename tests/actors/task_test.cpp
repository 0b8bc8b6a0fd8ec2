#include "actors/task.hpp"

#include "actors/inline_runtime.hpp"
#include "actors/source_input.hpp"
#include "tests/support/simulated_broker.hpp"
#include "tests/support/waiting_task.hpp"

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>

namespace millrace::actors {
namespace {

using support::Answers;
using support::make_waiting_task;

/// A sink's writer that has room when the test says so.
class RoomyWriter final : public stream::SinkWriter {
 public:
  bool is_ready() override { return has_room; }
  Status write(const Batch& /*rows*/, Epoch /*epoch*/) override { return {}; }

  bool has_room = false;
};

/// Three records in batches of one row.
class WaitingTaskTest : public testing::Test {
 protected:
  WaitingTaskTest() {
    broker_.create_topic("clicks", 1);
    for (int number = 0; number < 3; ++number) broker_.produce("clicks", 0, {"k", "v", 0});
  }
  std::unique_ptr<TaskInput> input() {
    auto reader = source_->open_reader({"clicks-0", "clicks", 0}, 0, {"value"});
    return std::make_unique<SourceInput>("clicks", stream::SourcePartition{"clicks-0", "clicks", 0},
                                         std::move(*reader), std::deque<FixedRange>{}, 1);
  }
  static void give_from_another_thread(Answers& answers) {
    std::thread([&] { answers.give(); }).join();
  }

  support::SimulatedBroker broker_;
  std::unique_ptr<stream::Source> source_ = broker_.make_source("clicks");
  Answers answers_;
};

TEST_F(WaitingTaskTest, IsRunByTheInlineRuntimeWhenAnAnswerComes) {
  ManualClock clock;
  QueryParts parts;
  parts.clock = &clock;
  parts.start = {1, 1, Epoch(0), {}};
  parts.committer = std::make_unique<Committer>();
  parts.tasks.push_back(make_waiting_task(answers_, input()));
  InlineRuntime runtime(std::move(parts), 1);

  runtime.run_until_idle();
  EXPECT_EQ(answers_.rows_out, 0);

  give_from_another_thread(answers_);
  give_from_another_thread(answers_);
  runtime.run_until_idle();
  EXPECT_EQ(answers_.rows_out, 2);

  give_from_another_thread(answers_);
  runtime.run_until_idle();
  EXPECT_EQ(answers_.rows_out, 3);
}

TEST_F(WaitingTaskTest, KeepsAnAnswerForALaterStepWhileItsOutputIsFull) {
  RoomyWriter writer;
  writer.has_room = true;
  const auto task = make_waiting_task(answers_, input(), {&writer});
  EXPECT_EQ(task->step(), StepOutcome::kIdle);
  writer.has_room = false;
  answers_.give();

  EXPECT_EQ(task->step(), StepOutcome::kBlocked);
  EXPECT_EQ(answers_.rows_out, 0);

  writer.has_room = true;
  EXPECT_EQ(task->step(), StepOutcome::kIdle);
  EXPECT_EQ(answers_.rows_out, 1);
}

TEST_F(WaitingTaskTest, EndsTheQueryWithTheCauseOfAnAnswer) {
  answers_.failure = Error{ErrorCode::kUnavailable, "the oracle is away"};
  const auto task = make_waiting_task(answers_, input());
  std::optional<Error> cause;
  task->connect([&](CoordinatorEvent event) { cause = std::get<QueryFailed>(event).cause; });
  answers_.give();

  EXPECT_EQ(task->step(), StepOutcome::kFailed);
  EXPECT_EQ(cause, Error({ErrorCode::kUnavailable, "the oracle is away"}));
}

TEST(OperatorWaker, MakesUpForWhatCameBeforeTheTask) {
  operators::OperatorWaker waker;
  waker.wake();
  int calls = 0;

  waker.connect([&] { ++calls; });

  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(waker.take());
  EXPECT_FALSE(waker.take());
}

TEST(OperatorWaker, CallsNobodyWhenTheTaskIsGone) {
  Answers answers;
  auto task = make_waiting_task(answers);
  int calls = 0;
  task->waker().connect([&] { ++calls; });
  task.reset();

  answers.give();

  EXPECT_EQ(calls, 0);
}

/// Steps a task on a thread of its own whenever its waker fires, as a runtime does.
class TaskThread {
 public:
  explicit TaskThread(Task& task)
      : thread_([this, &task] {
          while (!ended_.load()) {
            posted_.acquire();
            while (task.step() == StepOutcome::kMore) {
            }
          }
        }) {
    task.waker().connect([this] { posted_.release(); });
  }
  ~TaskThread() {
    ended_.store(true);
    posted_.release();
    thread_.join();
  }

 private:
  std::counting_semaphore<> posted_{0};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

// A lost wake-up leaves the last answer where it is: the test then hangs, and its limit ends it.
TEST(OperatorWaker, LosesNoWakeUpOfManyThreads) {
  Answers answers;
  const auto task = make_waiting_task(answers);
  TaskThread stepper(*task);
  const auto give_and_wait = [&] {
    for (int answer = 0; answer < 2'000; ++answer) {
      const int given = answers.given.load();
      answers.give();
      while (answers.taken.load() <= given) std::this_thread::yield();
    }
  };

  std::thread first(give_and_wait), second(give_and_wait), third(give_and_wait);
  first.join();
  second.join();
  third.join();

  EXPECT_EQ(answers.taken, 6'000);
}

TEST(OperatorWaker, MayBeCalledWhileTheTaskGoes) {
  for (int life = 0; life < 200; ++life) {
    Answers answers;
    auto task = make_waiting_task(answers);
    task->waker().connect([] {});
    std::thread giver([&] {
      for (int answer = 0; answer < 50; ++answer) answers.give();
    });
    task.reset();
    giver.join();
  }
}

}  // namespace
}  // namespace millrace::actors
