#include "actors/worker_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

namespace millrace::actors {
namespace {

class WorkerQueueTest : public ::testing::TestWithParam<const WaitPolicy*> {
 protected:
  SystemClock clock_;
  WorkerQueue queue_{*GetParam(), clock_};
};

TEST_P(WorkerQueueTest, GivesJobsInTheOrderTheyCame) {
  std::array<int, 3> jobs{};
  for (int& job : jobs) queue_.push(&job);

  EXPECT_EQ(queue_.pop(), &jobs[0]);
  EXPECT_EQ(queue_.pop(), &jobs[1]);
  EXPECT_EQ(queue_.pop(), &jobs[2]);
  EXPECT_EQ(queue_.try_pop(), nullptr);
}

TEST_P(WorkerQueueTest, KeepsTheOrderWhileItGrows) {
  std::array<int, 100> jobs{};
  std::size_t popped = 0;
  for (std::size_t pushed = 0; pushed < jobs.size(); ++pushed) {
    queue_.push(&jobs[pushed]);
    if (pushed % 3 == 0) {
      EXPECT_EQ(queue_.pop(), &jobs[popped++]);
    }
  }

  while (popped < jobs.size()) EXPECT_EQ(queue_.pop(), &jobs[popped++]);
}

TEST_P(WorkerQueueTest, WakesItsThreadForEveryJob) {
  constexpr int kJobs = 200;
  int job = 0;
  std::atomic<int> popped{0};
  std::thread worker([&] {
    while (popped.load() < kJobs) {
      EXPECT_EQ(queue_.pop(), &job);
      popped.fetch_add(1);
    }
  });

  for (int pushed = 0; pushed < kJobs; ++pushed) {
    queue_.push(&job);
    while (popped.load() <= pushed) std::this_thread::yield();
  }
  worker.join();
}

TEST_P(WorkerQueueTest, LosesNoJobOfManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kJobs = 500;
  std::array<int, kThreads> jobs{};
  std::vector<std::thread> pushers;
  for (int& job : jobs)
    pushers.emplace_back([&] {
      for (int i = 0; i < kJobs; ++i) queue_.push(&job);
    });

  std::array<int, kThreads> seen{};
  for (int i = 0; i < kThreads * kJobs; ++i)
    ++seen[static_cast<std::size_t>(static_cast<int*>(queue_.pop()) - jobs.data())];
  for (std::thread& pusher : pushers) pusher.join();

  EXPECT_EQ(seen, (std::array<int, kThreads>{kJobs, kJobs, kJobs, kJobs}));
}

const ParkPolicy kPark;
const AdaptivePolicy kAdaptive;
const SpinPolicy kSpin;
INSTANTIATE_TEST_SUITE_P(UnderEveryWaitPolicy, WorkerQueueTest,
                         ::testing::Values(&kPark, &kAdaptive, &kSpin));

}  // namespace
}  // namespace millrace::actors
