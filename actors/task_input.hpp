#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "actors/planned_epoch.hpp"
#include "actors/waker.hpp"
#include "operators/operator.hpp"

#include <cstddef>
#include <optional>
#include <string>
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
    kWaiting,    ///< planned drive: rows are there that no epoch has been planned for
    kIdle,
  };

  Kind kind = Kind::kIdle;
  Port port{};  ///< kRows
  Batch rows;   ///< kRows
  /// kRows: what the time is to their expressions, when their epoch was planned.
  std::optional<WallTime> rows_time;
  Epoch epoch{};
  WallTime time{};
  std::vector<operators::SourceRange> ranges;  ///< kBarrier of a source: what the epoch read
  std::string memo;                            ///< the same: SourceReader::memo() at its end
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
  /// Reads an epoch of the planned drive, behind those before it; only sources act on it.
  virtual void run_epoch(const PlannedEpoch& epoch);
  /// What a source reads and where it stands; empty for a gate.
  [[nodiscard]] virtual JoinedPartition partition() const { return {}; }
};

}  // namespace millrace::actors
