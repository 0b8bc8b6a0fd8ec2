#pragma once

#include <atomic>
#include <cstdint>

namespace millrace::actors {

/// Counts the rows of the open epoch over all tasks of a query, and says once per epoch that there
/// are as many as it shall have. Rows that tasks read between the request to close an epoch and its
/// barrier count for the next one: an epoch has at least that many rows, give or take what was
/// under way. Thread-safe; per batch one atomic addition.
class RowCounter {
 public:
  /// 0: never.
  explicit RowCounter(std::int64_t rows_max) : rows_max_(rows_max) {}

  /// Whether these rows are the ones that fill the epoch.
  [[nodiscard]] bool add(std::int64_t rows) {
    if (rows_max_ == 0) return false;
    if (rows_.fetch_add(rows, std::memory_order_relaxed) + rows < rows_max_) return false;
    return !has_told_.exchange(true, std::memory_order_relaxed);
  }
  /// The next epoch begins.
  void restart() {
    rows_.store(0, std::memory_order_relaxed);
    has_told_.store(false, std::memory_order_relaxed);
  }

 private:
  const std::int64_t rows_max_;
  std::atomic<std::int64_t> rows_{0};
  std::atomic<bool> has_told_{false};
};

}  // namespace millrace::actors
