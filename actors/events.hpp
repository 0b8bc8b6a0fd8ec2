#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include "actors/planned_epoch.hpp"
#include "operators/epoch_counts.hpp"
#include "operators/operator.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace millrace::actors {

/// A task has passed the barrier of an epoch.
struct TaskPassed {
  TaskId task;
  Epoch epoch;
  std::vector<operators::SourceRange> ranges;  ///< what a source task read in it
  std::int64_t rows_total = 0;      ///< rows the task had read since its start, at that barrier
  operators::EpochCounts counts{};  ///< of the epoch alone
  std::string memo;                 ///< of a source task's reader at that barrier; may be empty
};

/// A source task has read all that its query reads of its partition: there will be no more rows.
struct TaskExhausted {
  TaskId task;
};

/// Planned drive: a source task has rows that no epoch has been planned for. Once per epoch.
struct InputWaiting {
  TaskId task;
};

/// Open drive: the tasks have read as many rows as an epoch shall have (RowCount).
struct RowsReached {};

/// The commit thread's answer to a PlanRequest.
struct EpochPlanned {
  Result<Plan> plan;
};

/// A sink has every record of an epoch acknowledged.
struct SinkFlushed {
  std::size_t sink = 0;
  Epoch epoch;
};

/// The commit thread is done with an epoch.
struct EpochCommitted {
  Epoch epoch;
  Status result;
};

/// A task, a sink or an actor can go on no more.
struct QueryFailed {
  Error cause;
};

/// Somebody wants the open epoch to end now. `answer` is called on the coordinator's thread with
/// the epoch whose commit covers every row read so far; an epoch that saw no row is not closed.
struct CloseRequested {
  std::function<void(Epoch)> answer;
};

/// The query shall drain, commit and end.
struct StopRequested {};

using CoordinatorEvent =
    std::variant<TaskPassed, TaskExhausted, InputWaiting, RowsReached, EpochPlanned, SinkFlushed,
                 EpochCommitted, QueryFailed, CloseRequested, StopRequested>;

/// Hands an event to the coordinator, from any thread; never blocks, never runs the coordinator.
using PostEvent = std::function<void(CoordinatorEvent)>;

}  // namespace millrace::actors
