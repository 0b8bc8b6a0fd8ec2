#include "operators/operator_waker.hpp"

#include <utility>

namespace millrace::operators {

void OperatorWaker::wake() {
  // Whoever finds it set may go: the one who set it has called the task or is about to.
  if (!is_wanted_.exchange(true, std::memory_order_acq_rel)) wake_task();
}

void OperatorWaker::wake_task() {
  const std::lock_guard lock(mutex_);
  if (wake_task_) wake_task_();
}

void OperatorWaker::connect(std::function<void()> wake_task) {
  const std::lock_guard lock(mutex_);
  wake_task_ = std::move(wake_task);
  if (is_wanted_.load(std::memory_order_acquire)) wake_task_();
}

void OperatorWaker::disconnect() {
  const std::lock_guard lock(mutex_);
  wake_task_ = nullptr;
}

}  // namespace millrace::operators
