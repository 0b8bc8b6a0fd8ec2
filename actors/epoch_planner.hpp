#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"

#include "actors/committer.hpp"
#include "actors/planned_epoch.hpp"
#include "stream/source.hpp"
#include "triggers/read_limit.hpp"
#include "triggers/trigger.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace millrace::actors {

/// One source as the planner starts with it. The source is a borrow.
struct PlannedSource {
  std::string name;
  stream::Source* source = nullptr;
  stream::Positions at;                  ///< where the next epoch begins, per partition with a task
  std::optional<stream::Positions> end;  ///< where the query ends by itself
};

/// Decides what the epochs of the planned drive read: asks the sources where they end, caps that,
/// and makes offsets/N durable before anything of N is read. Called on the commit thread, for it
/// waits for brokers and the disk. L-1, T-3, T-4, K-9, K-10.
class EpochPlanner {
 public:
  /// `replays`: there are epochs of the run before to read again, which a `once` query takes for
  /// its one epoch. Committer and clock are borrows.
  EpochPlanner(triggers::Trigger trigger, std::vector<PlannedSource> sources, bool replays,
               Committer& committer, const Clock& clock, LogFunction log);

  /// Held while sources are asked, for another thread may tell them something; a borrow. Before the
  /// first plan.
  void ask_under(std::mutex& mutex) { source_mutex_ = &mutex; }
  /// A source that is away for the moment counts as one with nothing new. kDataLoss when records
  /// that the query still needs are gone.
  [[nodiscard]] Result<Plan> plan(const PlanRequest& request);

 private:
  struct Planned {
    PlannedSource source;
    triggers::ReadLimiter limiter;
    bool is_fixed = false;  ///< its end is settled: no more questions
  };

  void join(const JoinedPartition& joined);
  Result<std::optional<stream::Positions>> ends_of(Planned& planned);
  Status plan_source(Planned& planned, PlannedEpoch& epoch, bool& has_rows, bool& is_complete);
  [[nodiscard]] stream::Positions capped(Planned& planned, const stream::Positions& ends);
  void note_away(const Planned& planned, const Error& error);

  const triggers::Trigger trigger_;
  std::vector<Planned> sources_;
  bool is_over_ = false;
  bool is_away_ = false;  ///< and it has been said
  Committer& committer_;
  std::mutex* source_mutex_ = nullptr;
  const Clock& clock_;
  const LogFunction log_;
};

}  // namespace millrace::actors
