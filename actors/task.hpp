#pragma once

#include "actors/channel.hpp"
#include "actors/events.hpp"
#include "actors/row_counter.hpp"
#include "actors/task_input.hpp"
#include "actors/waker.hpp"
#include "operators/chain.hpp"
#include "stream/sink.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace millrace::actors {

/// How a step of a task ended.
enum class StepOutcome {
  kMore,     ///< stopped for fairness: step again soon
  kIdle,     ///< no input now: the waker is called when there may be
  kBlocked,  ///< an output is full: the waker is called when it has room
  kFailed,   ///< the cause has been posted; never step again
};

/// Events that one step may handle before it lets others have the thread.
inline constexpr int kStepEventsMax = 16;

/// One parallel piece of a query: an input (source partition or gate), a chain of operators, and
/// outputs (sink writers inside the chain, channels behind it). Plain C++: a runtime hosts it,
/// calls `step` when the waker fires, on one thread at a time, and nothing else.
///
/// Hot path: per batch a few virtual calls; no lock, no allocation, no log line, no system call.
class Task {
 public:
  /// `writers` are borrows of the sink writers that the chain holds and `channels` of those its
  /// outputs push to: a step takes no input while one of them is full.
  Task(TaskId id, std::string name, std::unique_ptr<TaskInput> input,
       std::unique_ptr<operators::Chain> chain, std::vector<stream::SinkWriter*> writers,
       std::vector<Channel*> channels);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  [[nodiscard]] TaskId id() const { return id_; }
  /// For threads, logs and explain: "clicks-3".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Waker& waker() { return waker_; }
  /// Where passed barriers and failures go. Before the first step.
  void connect(PostEvent post) { post_ = std::move(post); }
  /// Whom to tell of rows; a borrow that outlives the task. Before the first step.
  void count_with(RowCounter& counter) { counter_ = &counter; }

  /// Says with which epoch a task begins that joins a query that runs. Before the first step.
  void join(Epoch first) { chain_->join(first); }

  /// Handles what its input has, and results that operators wait for, until there is nothing, an
  /// output is full, or its turn is over.
  [[nodiscard]] StepOutcome step();
  /// Asks for the end of an epoch: on the task's thread, between steps.
  void close_epoch(const CloseEpoch& request) { input_->close_epoch(request); }
  /// Hands it an epoch of the planned drive to read: on the task's thread, between steps.
  void run_epoch(const PlannedEpoch& epoch) { input_->run_epoch(epoch); }
  /// The partition that its input reads and where it begins; before the first step.
  [[nodiscard]] JoinedPartition partition() const { return input_->partition(); }

  /// Rows taken from the input since the start; any thread.
  [[nodiscard]] std::int64_t rows_total() const {
    return rows_total_.load(std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] bool is_output_ready();
  [[nodiscard]] Status handle(InputEvent& event);
  [[nodiscard]] Status pass_barrier(InputEvent& event);
  StepOutcome fail_with(Error cause);

  const TaskId id_;
  const std::string name_;
  Waker waker_;  ///< outlives the input, whose reader may call it from another thread
  std::unique_ptr<TaskInput> input_;
  std::unique_ptr<operators::Chain> chain_;
  InputEvent event_;  ///< kept between steps so that nothing is allocated for it
  std::vector<stream::SinkWriter*> writers_;
  std::vector<Channel*> channels_;
  PostEvent post_;
  RowCounter* counter_ = nullptr;
  std::atomic<std::int64_t> rows_total_{0};
  operators::EpochCounts at_barrier_;  ///< since the start, at the newest barrier passed
  bool failed_ = false;
};

}  // namespace millrace::actors
