#include "session/partition_watch.hpp"

#include <utility>

namespace millrace::session {

PartitionWatch::PartitionWatch(std::unique_ptr<LateTasks> tasks, std::function<void(BuiltTask)> add,
                               std::function<void(Error)> fail)
    : tasks_(std::move(tasks)), add_(std::move(add)), fail_(std::move(fail)) {
  if (tasks_->interval().count() == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stopped) { run(stopped); });
}

void PartitionWatch::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void PartitionWatch::run(const std::stop_token& stopped) {
  const auto is_never = [] { return false; };
  while (true) {
    {
      std::unique_lock lock(mutex_);
      woken_.wait_for(lock, stopped, tasks_->interval(), is_never);
    }
    if (stopped.stop_requested()) return;
    auto built = tasks_->look();
    if (!built) return fail_(built.error());
    for (BuiltTask& task : *built) add_(std::move(task));
  }
}

}  // namespace millrace::session
