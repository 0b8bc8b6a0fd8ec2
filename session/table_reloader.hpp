#pragma once

#include "millrace/error.hpp"
#include "millrace/log.hpp"

#include "operators/table_versions.hpp"
#include "stream/plan/physical_plan.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace millrace::session {

/// Looks again and again whether the files of a query's static tables have changed, and reads those
/// anew that have. A file that cannot be read leaves the old version in place, with a line in the
/// log; it is tried again when it changes once more. Owns a thread while it runs; no task waits for
/// it.
class TableReloader {
 public:
  /// How a table is looked at and read.
  struct Access {
    std::function<Result<std::string>(const stream::TableDefinition&)> stamp;
    std::function<Result<std::shared_ptr<const operators::StaticTable>>(
        const stream::StaticJoinSpec&)>
        load;
  };

  TableReloader(Access access, LogFunction log);
  /// Stops the thread.
  ~TableReloader();

  /// Adds a table whose option `reload` says how often it is looked at. Before `start`.
  void add(const stream::StaticJoinSpec& spec, std::shared_ptr<operators::TableVersions> versions,
           std::string stamp, std::int64_t interval_ms);
  [[nodiscard]] bool is_empty() const { return tables_.empty(); }
  /// Begins to look, on a thread of its own.
  void start();
  /// Looks at every table now, on the calling thread; for tests, and for the thread.
  void look();

 private:
  struct Table {
    stream::StaticJoinSpec spec;
    std::shared_ptr<operators::TableVersions> versions;
    std::string stamp;  ///< of what was read last, or could not be read
    std::int64_t interval_ms = 0;
    std::int64_t waited_ms = 0;
  };
  void run();
  void look_at(Table& table);

  const Access access_;
  const LogFunction log_;
  std::vector<Table> tables_;
  std::mutex mutex_;  ///< guards is_stopping_
  std::condition_variable stopped_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace millrace::session
