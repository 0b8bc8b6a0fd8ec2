#include "connectors/memory_log.hpp"

#include "millrace/assert.hpp"

#include "connectors/row_check.hpp"
#include "stream/arena_text.hpp"

#include <numeric>

namespace millrace::connectors {

MemoryLog::MemoryLog(std::string name, const std::vector<Field>& fields)
    : name_(std::move(name)), fields_(fields) {
  for (const Field& field : fields_) columns_.emplace_back(field.type);
}

Status MemoryLog::add(const std::vector<Row>& rows) {
  for (const Row& row : rows) MILLRACE_TRY(check_row(row, name_, fields_));
  const std::lock_guard lock(mutex_);
  for (const Row& row : rows) {
    const Row& kept = kept_.emplace_back(row);
    for (std::size_t column = 0; column < columns_.size(); ++column)
      append_value(columns_[column], kept[column]);
  }
  for (const std::function<void()>& wake : wakes_)
    if (wake) wake();
  return {};
}

std::int64_t MemoryLog::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(kept_.size());
}

void MemoryLog::copy(std::int64_t from, std::int64_t to, const std::vector<std::size_t>& selection,
                     Batch& out) {
  const std::lock_guard lock(mutex_);
  MILLRACE_ASSERT(0 <= from && from <= to && to <= static_cast<std::int64_t>(kept_.size()));
  numbers_.resize(static_cast<std::size_t>(to - from));
  std::iota(numbers_.begin(), numbers_.end(), static_cast<std::uint32_t>(from));
  for (std::size_t target = 0; target < selection.size(); ++target)
    out.column(target).gather_from(columns_[selection[target]], numbers_);
  out.set_rows(numbers_.size());
}

std::size_t MemoryLog::copy_all(std::vector<Column>& columns, Arena& arena) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    columns[column].copy_from(columns_[column]);
    stream::own_text(columns[column], arena);
  }
  return kept_.size();
}

std::size_t MemoryLog::subscribe(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wakes_.push_back(std::move(wake));
  return wakes_.size() - 1;
}

void MemoryLog::unsubscribe(std::size_t number) {
  const std::lock_guard lock(mutex_);
  wakes_[number] = nullptr;
}

}  // namespace millrace::connectors
