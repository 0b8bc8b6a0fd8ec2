#include "actors/commit_thread.hpp"

#include <pthread.h>

namespace millrace::actors {

CommitThread::CommitThread(std::unique_ptr<Committer> committer, PostEvent post,
                           Committed committed)
    : committer_(std::move(committer)),
      post_(std::move(post)),
      committed_(std::move(committed)),
      thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "mr-commit");
}

CommitThread::~CommitThread() { stop(); }

void CommitThread::submit(ClosedEpoch closed) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(closed));
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
    const ClosedEpoch closed = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Status result = committer_->commit(closed);
    if (result && committed_) committed_(closed);
    post_(EpochCommitted{closed.epoch, std::move(result)});
    lock.lock();
  }
}

}  // namespace millrace::actors
