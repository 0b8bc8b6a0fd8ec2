#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace millrace::operators {

/// What one source partition contributed to an epoch: positions [from, to).
struct SourceRange {
  std::string source;
  std::string partition;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// The end of an epoch as an operator sees it.
struct EpochInfo {
  Epoch epoch;
  WallTime time;  ///< planned: the planned time, the same when run again; open: when it was closed
  std::span<const SourceRange> ranges;  ///< a borrow for the call
};

/// Takes an operator's output. `emit` runs what follows at once, as a plain call.
class Emitter {
 public:
  virtual Status emit(Port port, Batch&& rows) = 0;

 protected:
  ~Emitter() = default;
};

/// One step of a chain. It knows rows, time, state, timers, ports and the end of an epoch; never
/// threads, channels, barriers or brokers. Owned by its chain and called on the thread that steps
/// the task, one call at a time. A failure returned from any call stops the query with that cause.
class Operator {
 public:
  virtual ~Operator() = default;

  /// The epoch that the first rows belong to is another than ChainContext said: the chain joins a
  /// query that runs. Before any other call.
  virtual void on_join(Epoch /*first*/) {}
  /// Rows for an input port. The operator owns the batch and moves it (or others) on.
  [[nodiscard]] virtual Status on_batch(Port port, Batch&& rows, Emitter& out) = 0;
  /// A timer that this operator set is due.
  [[nodiscard]] virtual Status on_timer(EventTime due, Emitter& out);
  /// Results that arrive later (async calls) may be there: somebody called the chain's waker
  /// (ChainContext::waker), for this operator or another. Rows held back until then must be emitted
  /// or kept in state before their epoch ends: behind its barrier they count as done.
  [[nodiscard]] virtual Status on_wake(Emitter& out);
  /// All inputs have reached the end of this epoch; runs before the barrier goes on.
  [[nodiscard]] virtual Status on_epoch_end(const EpochInfo& info, Emitter& out);
};

}  // namespace millrace::operators
