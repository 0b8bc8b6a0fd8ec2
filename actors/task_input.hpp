#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "actors/waker.hpp"
#include "operators/operator.hpp"

#include <cstddef>
#include <vector>

namespace millrace::actors {

/// Tells source tasks to end an epoch where they stand.
struct CloseEpoch {
  Epoch epoch;
  WallTime time{};
  bool is_last = false;  ///< the query stops: read nothing after this barrier
};

/// One thing that a task must deal with, in order.
struct InputEvent {
  enum class Kind : std::uint8_t {
    kRows,
    kBarrier,
    kExhausted,  ///< there will be no more rows; once
    kIdle,
  };

  Kind kind = Kind::kIdle;
  Port port{};  ///< kRows
  Batch rows;   ///< kRows
  Epoch epoch{};
  WallTime time{};
  std::vector<operators::SourceRange> ranges;  ///< kBarrier of a source: what the epoch read
};

/// Where a task takes its rows from: a source partition or a gate. Owned and called by the task's
/// thread; never blocks.
class TaskInput {
 public:
  virtual ~TaskInput() = default;
  /// Says whom to wake when there may be input again; a borrow that outlives the input.
  virtual void connect(Waker& waker);
  /// The next event; kIdle when there is none now (a waker is called when there may be).
  [[nodiscard]] virtual Result<InputEvent::Kind> next(InputEvent& event) = 0;
  /// Ends an epoch; only sources act on it, gates see the barrier in their channels.
  virtual void close_epoch(const CloseEpoch& request);
};

}  // namespace millrace::actors
