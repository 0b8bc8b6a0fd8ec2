#pragma once

#include "millrace/clock.hpp"

#include "actors/task.hpp"
#include "operators/stage_metrics.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace millrace::support {

/// What a task's operator waits for: the test gives answers, from any thread. Outlives the task.
struct Answers {
  void give() {
    given.fetch_add(1, std::memory_order_release);
    waker->wake();
  }

  std::shared_ptr<operators::OperatorWaker> waker;  ///< set when the task is made
  std::atomic<int> given{0};
  std::atomic<int> taken{0};
  std::atomic<int> rows_out{0};
  std::optional<Error> failure;  ///< what an answer comes to; before the first step
  SystemClock clock;
  operators::StageMetrics metrics;
};

/// Holds every batch until an answer for it is there, as an operator does that asks somebody else.
class WaitingOperator final : public operators::Operator {
 public:
  explicit WaitingOperator(Answers& answers) : answers_(answers) {}

  Status on_batch(Port /*port*/, Batch&& rows, operators::Emitter& /*out*/) override {
    held_.push_back(std::move(rows));
    return {};
  }
  Status on_wake(operators::Emitter& out) override {
    while (answers_.taken.load() < answers_.given.load(std::memory_order_acquire)) {
      if (answers_.failure) return fail(*answers_.failure);
      answers_.taken.fetch_add(1);
      if (held_.empty()) continue;
      Batch rows = std::move(held_.front());
      held_.pop_front();
      MILLRACE_TRY(out.emit(Port(0), std::move(rows)));
    }
    return {};
  }

 private:
  Answers& answers_;
  std::deque<Batch> held_;
};

class CountingOperator final : public operators::Operator {
 public:
  explicit CountingOperator(Answers& answers) : answers_(answers) {}

  Status on_batch(Port /*port*/, Batch&& rows, operators::Emitter& /*out*/) override {
    answers_.rows_out.fetch_add(static_cast<int>(rows.rows()));
    return {};
  }

 private:
  Answers& answers_;
};

/// An input that never has anything.
class EmptyInput final : public actors::TaskInput {
 public:
  Result<actors::InputEvent::Kind> next(actors::InputEvent& event) override {
    event.kind = actors::InputEvent::Kind::kIdle;
    return event.kind;
  }
};

/// A task whose rows wait for answers and are then counted.
inline std::unique_ptr<actors::Task> make_waiting_task(
    Answers& answers, std::unique_ptr<actors::TaskInput> input = std::make_unique<EmptyInput>(),
    std::vector<stream::SinkWriter*> writers = {}) {
  const auto make =
      [&answers](
          const stream::OperatorSpec& spec,
          const operators::ChainContext& context) -> Result<std::unique_ptr<operators::Operator>> {
    if (std::holds_alternative<stream::SinkSpec>(spec))
      return std::make_unique<CountingOperator>(answers);
    answers.waker = context.waker;
    return std::make_unique<WaitingOperator>(answers);
  };
  operators::ChainContext context;
  context.clock = &answers.clock;
  context.metrics = &answers.metrics;
  auto chain = operators::Chain::build({{stream::ProjectSpec{}, {1}}, {stream::SinkSpec{}, {}}},
                                       context, make);
  return std::make_unique<actors::Task>(TaskId(0), "waiting", std::move(input), std::move(*chain),
                                        std::move(writers), std::vector<actors::Channel*>{});
}

}  // namespace millrace::support
