#include "actors/commit_thread.hpp"

#include <pthread.h>

namespace millrace::actors {

CommitThread::CommitThread(std::unique_ptr<Committer> committer,
                           std::unique_ptr<EpochPlanner> planner, PostEvent post,
                           Committed committed)
    : committer_(std::move(committer)),
      planner_(std::move(planner)),
      post_(std::move(post)),
      committed_(std::move(committed)),
      thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "mr-commit");
}

CommitThread::CommitThread(std::unique_ptr<EpochPlanner> planner, PostEvent post)
    : planner_(std::move(planner)), post_(std::move(post)), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "mr-plan");
}

CommitThread::~CommitThread() { stop(); }

void CommitThread::submit(CommitJob job) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(job));
  }
  wanted_.notify_one();
}

void CommitThread::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void CommitThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const CommitJob job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::visit([this](const auto& one) { run(one); }, job);
    lock.lock();
  }
}

void CommitThread::run(const ClosedEpoch& closed) {
  Status result = committer_->commit(closed);
  if (result && committed_) committed_(closed);
  const bool is_committed = result.has_value();
  post_(EpochCommitted{closed.epoch, std::move(result)});
  if (!is_committed) return;
  if (Status tidied = committer_->tidy(closed.epoch); !tidied)
    post_(QueryFailed{std::move(tidied).error()});
}

void CommitThread::run(const PlanRequest& request) { post_(EpochPlanned{planner_->plan(request)}); }

}  // namespace millrace::actors
