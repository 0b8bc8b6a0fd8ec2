#pragma once

#include "millrace/query.hpp"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace millrace::session {

/// The records of a query's newest epochs, over all its restarts. Thread-safe.
class ProgressHistory {
 public:
  explicit ProgressHistory(std::size_t count_max) : count_max_(count_max) {}

  void add(const QueryProgress& progress) {
    const std::lock_guard lock(mutex_);
    last_ = progress;
    if (count_max_ == 0) return;
    if (recent_.size() == count_max_) recent_.pop_front();
    recent_.push_back(progress);
  }
  [[nodiscard]] std::optional<QueryProgress> last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  /// Oldest first.
  [[nodiscard]] std::vector<QueryProgress> recent() const {
    const std::lock_guard lock(mutex_);
    return {recent_.begin(), recent_.end()};
  }

 private:
  const std::size_t count_max_;
  mutable std::mutex mutex_;
  std::optional<QueryProgress> last_;
  std::deque<QueryProgress> recent_;
};

}  // namespace millrace::session
