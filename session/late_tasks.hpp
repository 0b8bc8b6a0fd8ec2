#pragma once

#include "millrace/log.hpp"

#include "session/task_builder.hpp"
#include "stream/source.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace millrace::session {

/// Builds tasks for source partitions that come while a query runs. Each is read from its first
/// record: whoever writes there may have begun at once. Blocks as sources do; one thread, and gone
/// before the query's parts are.
class LateTasks {
 public:
  /// `sources` in the order of the chains; borrows.
  LateTasks(std::unique_ptr<TaskBuilder> builder, std::vector<stream::Source*> sources,
            LogFunction log);

  /// Asks every source, and gives a task for each partition that is new.
  [[nodiscard]] Result<std::vector<BuiltTask>> look();
  /// How often to look; 0: never.
  [[nodiscard]] std::chrono::milliseconds interval() const;

 private:
  Status look_at(std::size_t chain, std::vector<BuiltTask>& built);

  const std::unique_ptr<TaskBuilder> builder_;
  const std::vector<stream::Source*> sources_;
  const LogFunction log_;
};

}  // namespace millrace::session
