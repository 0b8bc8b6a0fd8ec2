#include "session/table_reloader.hpp"

#include <algorithm>
#include <chrono>

namespace millrace::session {

TableReloader::TableReloader(Access access, LogFunction log)
    : access_(std::move(access)), log_(std::move(log)) {}

TableReloader::~TableReloader() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    stopped_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void TableReloader::add(const stream::StaticJoinSpec& spec,
                        std::shared_ptr<operators::TableVersions> versions, std::string stamp,
                        std::int64_t interval_ms) {
  tables_.push_back({spec, std::move(versions), std::move(stamp), interval_ms, 0});
}

void TableReloader::start() {
  thread_ = std::thread([this] { run(); });
}

void TableReloader::run() {
  const auto shortest = std::ranges::min_element(tables_, {}, &Table::interval_ms)->interval_ms;
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, std::chrono::milliseconds(shortest),
                            [this] { return is_stopping_; })) {
    lock.unlock();
    for (Table& table : tables_) {
      table.waited_ms += shortest;
      if (table.waited_ms < table.interval_ms) continue;
      table.waited_ms = 0;
      look_at(table);
    }
    lock.lock();
  }
}

void TableReloader::look() {
  for (Table& table : tables_) look_at(table);
}

// The stamp is taken before the file is read: one that changes meanwhile is read again.
void TableReloader::look_at(Table& table) {
  const std::string& name = table.spec.table.name;
  const auto stamp = access_.stamp(table.spec.table);
  const std::string now = stamp ? *stamp : stamp.error().message;
  if (now == table.stamp) return;
  table.stamp = now;
  auto loaded = stamp ? access_.load(table.spec)
                      : Result<std::shared_ptr<const operators::StaticTable>>(fail(stamp.error()));
  if (!loaded) {
    log_(LogLevel::kWarning, loaded.error().message + "; the table is kept as it was");
    return;
  }
  const std::size_t rows = (*loaded)->rows();
  table.versions->replace(std::move(*loaded));
  log_(LogLevel::kInfo, "table " + name + " was read anew: " + std::to_string(rows) +
                            " rows, from the next epoch on");
}

}  // namespace millrace::session
