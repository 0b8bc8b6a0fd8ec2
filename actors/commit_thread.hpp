#pragma once

#include "actors/committer.hpp"
#include "actors/events.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace millrace::actors {

/// The one thread of a query that may wait for a disk. Takes closed epochs in order and posts an
/// EpochCommitted for each, after it told `committed` of a success. `submit` never blocks on the
/// disk: it may be called by the coordinator.
class CommitThread {
 public:
  using Committed = std::function<void(const ClosedEpoch&)>;

  /// `committed` may be empty; the next commit waits for it.
  CommitThread(std::unique_ptr<Committer> committer, PostEvent post, Committed committed);
  ~CommitThread();
  CommitThread(const CommitThread&) = delete;
  CommitThread& operator=(const CommitThread&) = delete;

  void submit(ClosedEpoch closed);
  /// Ends after the commit that is under way, if any; what waits behind it is dropped. Idempotent.
  void stop();

 private:
  void run();

  std::unique_ptr<Committer> committer_;
  PostEvent post_;
  Committed committed_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::deque<ClosedEpoch> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace millrace::actors
