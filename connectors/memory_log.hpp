#pragma once

#include "millrace/memory.hpp"

#include "stream/source.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::connectors {

/// Rows in columns that only grow: one partition of a memory source, or a memory table. Views of
/// its text live as long as the log. Thread-safe.
class MemoryLog {
 public:
  /// `name` is the table's, for messages.
  MemoryLog(std::string name, const std::vector<Field>& fields);

  /// Adds all rows or, when one does not fit, none.
  [[nodiscard]] Status add(const std::vector<Row>& rows);
  [[nodiscard]] std::int64_t size() const;
  /// Appends the rows [from, to) to columns of the same layout; `selection` says which columns.
  void copy(std::int64_t from, std::int64_t to, const std::vector<std::size_t>& selection,
            Batch& out);
  /// Appends every row to `columns`, text to `arena`.
  std::size_t copy_all(std::vector<Column>& columns, Arena& arena) const;

  /// Calls `wake` after each add, under the lock; gives the number to stop it with.
  std::size_t subscribe(std::function<void()> wake);
  void unsubscribe(std::size_t number);

 private:
  const std::string name_;
  const std::vector<Field> fields_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::vector<Column> columns_;
  std::deque<Row> kept_;                ///< what was added: the columns' text lies in it
  std::vector<std::uint32_t> numbers_;  ///< of rows being copied
  std::vector<std::function<void()>> wakes_;
};

}  // namespace millrace::connectors
