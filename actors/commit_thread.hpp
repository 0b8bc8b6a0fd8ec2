#pragma once

#include "actors/committer.hpp"
#include "actors/epoch_planner.hpp"
#include "actors/events.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>

namespace millrace::actors {

/// What the commit thread is asked to do.
using CommitJob = std::variant<ClosedEpoch, PlanRequest>;

/// A thread of a query that may wait for a disk, and for a broker's answer to where a source ends:
/// one that commits, and in the planned drive one that plans, so that an epoch does not wait for
/// the commit of the one before. Does its jobs in order: for a closed epoch it posts an
/// EpochCommitted, after it told `committed` of a success; for a plan, an EpochPlanned. `submit`
/// never blocks on the disk: it may be called by the coordinator.
class CommitThread {
 public:
  using Committed = std::function<void(const ClosedEpoch&)>;

  /// `planner`, which borrows the committer, is null in the open drive. `committed` may be empty;
  /// the next job waits for it.
  CommitThread(std::unique_ptr<Committer> committer, std::unique_ptr<EpochPlanner> planner,
               PostEvent post, Committed committed);
  /// One that only plans.
  CommitThread(std::unique_ptr<EpochPlanner> planner, PostEvent post);
  ~CommitThread();
  CommitThread(const CommitThread&) = delete;
  CommitThread& operator=(const CommitThread&) = delete;

  void submit(CommitJob job);
  /// Ends after the job that is under way, if any; what waits behind it is dropped. Idempotent.
  void stop();

 private:
  void run();
  void run(const ClosedEpoch& closed);
  void run(const PlanRequest& request);

  std::unique_ptr<Committer> committer_;
  std::unique_ptr<EpochPlanner> planner_;
  PostEvent post_;
  Committed committed_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::deque<CommitJob> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace millrace::actors
