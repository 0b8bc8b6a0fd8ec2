#pragma once

#include "millrace/clock.hpp"

#include "actors/events.hpp"
#include "actors/task_input.hpp"
#include "stream/sink.hpp"
#include "triggers/planned_trigger.hpp"
#include "triggers/real_time_trigger.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace millrace::actors {

/// When an epoch went through what, by the query's clock.
struct EpochTimes {
  WallTime begun_at{};
  /// Planned drive: its plan was asked for. Open drive: the epoch before it was closed.
  SteadyTime begun{};
  SteadyTime closed{};  ///< open drive: tasks were told to end it; planned: to read it
  SteadyTime run{};     ///< its first row could be read
  SteadyTime flushed{};
  SteadyTime handed{};                ///< to the commit thread
  std::int64_t latest_offset_ns = 0;  ///< planned drive: as Plan says
  std::int64_t wal_commit_ns = 0;     ///< the same
};

/// An epoch whose barriers have passed every task and whose records are all acknowledged: what the
/// commit thread makes durable.
struct ClosedEpoch {
  Epoch epoch;
  WallTime time{};
  bool is_planned = false;  ///< its offsets/N was on disk before it was read, and stays as it is
  std::vector<operators::SourceRange> ranges;
  /// How far output was acknowledged before any record of a later epoch was written.
  stream::OutputEnds outputs;
  std::map<std::string, operators::EpochCounts> counts;  ///< by source
  EpochTimes times;
  /// By source and partition, of readers that have one: what they must know to read on behind it.
  std::map<std::string, std::map<std::string, std::string>> memos;
};

/// What the coordinator asks of the runtime that hosts it. Called on the coordinator's thread.
class CoordinatorPort {
 public:
  virtual ~CoordinatorPort() = default;
  /// To every source task: end this epoch.
  virtual void close_epoch(const CloseEpoch& request) = 0;
  /// To the commit thread: what is the next epoch? EpochPlanned comes back. Planned drive only.
  virtual void plan(PlanRequest request) = 0;
  /// To every source task: read this epoch. Planned drive only.
  virtual void run_epoch(const PlannedEpoch& epoch) = 0;
  /// To every sink: no more records of this epoch will come.
  virtual void seal(Epoch epoch) = 0;
  /// To the commit thread, in epoch order; EpochCommitted comes back.
  virtual void commit(ClosedEpoch closed) = 0;
  /// How far the sinks' output is acknowledged (Sink::acknowledged_ends), of all together.
  [[nodiscard]] virtual stream::OutputEnds acknowledged_ends() const = 0;
  /// Rows that all source tasks have read since the start.
  [[nodiscard]] virtual std::int64_t rows_total() const = 0;
  /// Says something to the people who run the query.
  virtual void warn(std::string sentence) = 0;
  /// There was nothing to do for a while (kIdleNoticeMs), again and again while it lasts.
  virtual void idle() {}
  /// The query is over: drained and committed, or failed with a cause. Once.
  virtual void ended(std::optional<Error> cause) = 0;
};

/// Where the coordinator begins.
struct CoordinatorStart {
  std::size_t tasks = 0;  ///< numbered from 0
  std::size_t sinks = 0;
  Epoch next{};  ///< the first epoch that is neither committed nor replayed
  std::vector<CloseEpoch>
      replayed;  ///< closed before a crash, run again now; ascending, below next
  /// So many epochs at most are closed, or planned, and not committed.
  int closed_max = triggers::kClosedEpochsMax;
};

/// How often a query that has nothing to do says so, at most. L-6.
inline constexpr std::int64_t kIdleNoticeMs = 10'000;

/// When epochs begin and end: in the open drive, or in the planned one.
using EpochTrigger = std::variant<triggers::RealTimeTrigger, triggers::PlannedTrigger>;

/// Cuts a query's input into epochs and sees each one through: plain C++, one thread at a time.
///
///   open --close--> closing --every task passed--> sealed --every sink flushed--> committing
///           planned --run--^                                              --durable--> committed
///
/// In the open drive rows of N+1 flow while N goes through this, and an epoch that saw no row is
/// not closed. In the planned drive N+1 is planned when every task has passed N, and runs while N
/// commits; an epoch with nothing to read is not planned. At most two epochs are closed, or
/// planned, and uncommitted (more where plans do not wait for the disk). Replayed epochs enter as
/// "closing": their source tasks know where they end. When there is nothing more to read for any
/// task, the query stops by itself.
class Coordinator {
 public:
  /// The clock and the port are borrows that outlive it.
  Coordinator(CoordinatorStart start, EpochTrigger trigger, const Clock& clock,
              CoordinatorPort& port);

  void handle(CoordinatorEvent event);
  /// Counts one more task, whose first rows belong to the open epoch, which this gives. Nothing
  /// when the query comes to its end: the task must not begin.
  [[nodiscard]] std::optional<Epoch> add_task(JoinedPartition joined);
  /// Looks whether the trigger ends or begins an epoch; call it at `next_tick` or more often.
  void tick();
  /// When tick has something to look at next; an event may bring it forward.
  [[nodiscard]] SteadyTime next_tick() const;
  [[nodiscard]] bool has_ended() const { return ended_; }
  /// The open epoch's number.
  [[nodiscard]] Epoch open_epoch() const { return next_; }

 private:
  struct Closing {
    ClosedEpoch closed;
    std::size_t tasks_waited = 0;
    std::size_t sinks_waited = 0;
    std::int64_t rows_total = 0;
    bool is_last = false;
    bool is_replay = false;
    bool is_committing = false;
  };

  void on(TaskPassed passed);
  void on(const TaskExhausted& exhausted);
  void on(const InputWaiting& waiting);
  void on(const RowsReached& reached);
  void on(EpochPlanned planned);
  void on(const SinkFlushed& flushed);
  void on(const EpochCommitted& committed);
  void on(const QueryFailed& failed);
  void on(CloseRequested request);
  void on(StopRequested request);

  void tick_open(const triggers::RealTimeTrigger& trigger);
  void tick_planned(const triggers::PlannedTrigger& trigger);
  void ask_for_plan();
  void end_when_planned_out();
  void note_pace(const Closing& closing);
  void answer_close_requests();
  void close(bool is_last);
  void begin_closing(const CloseEpoch& request, bool is_planned, SteadyTime begun);
  void note_idle();
  void commit_front();
  void finish(std::optional<Error> cause);
  [[nodiscard]] bool may_close() const;
  [[nodiscard]] bool is_barrier_under_way() const;
  [[nodiscard]] triggers::RunningEpoch running() const;
  [[nodiscard]] Closing& find(Epoch epoch);

  const CoordinatorStart start_;
  EpochTrigger trigger_;
  const Clock& clock_;
  CoordinatorPort& port_;
  std::size_t tasks_;            ///< an epoch waits for as many as there were when it was closed
  std::size_t exhausted_ = 0;    ///< of those
  std::deque<Closing> closing_;  ///< oldest first
  Epoch next_;                   ///< the open epoch
  SteadyTime epoch_start_;
  SteadyTime quiet_since_;          ///< nothing has come since, or that has been told then
  std::int64_t rows_at_close_ = 0;  ///< rows of every epoch up to the newest passed barrier
  std::vector<CloseRequested> close_requests_;
  // Of the planned drive.
  SteadyTime plan_due_;
  SteadyTime asked_;  ///< for the newest plan
  bool is_planning_ = false;
  bool is_input_waiting_ = false;  ///< rows came while a plan was under way
  bool is_behind_ = false;         ///< the newest epoch took longer than the trigger's interval
  std::vector<JoinedPartition> joined_;
  bool stopping_ = false;
  bool last_sent_ = false;
  bool is_full_ = false;  ///< open drive: the running epoch has the rows that it shall have
  bool ended_ = false;
};

}  // namespace millrace::actors
