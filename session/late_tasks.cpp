#include "session/late_tasks.hpp"

#include <algorithm>
#include <utility>

namespace millrace::session {

LateTasks::LateTasks(std::unique_ptr<TaskBuilder> builder, std::vector<stream::Source*> sources,
                     LogFunction log)
    : builder_(std::move(builder)), sources_(std::move(sources)), log_(std::move(log)) {}

Result<std::vector<BuiltTask>> LateTasks::look() {
  std::vector<BuiltTask> built;
  for (std::size_t chain = 0; chain < sources_.size(); ++chain) {
    if (sources_[chain]->watch_interval().count() == 0) continue;  // watches nothing
    MILLRACE_TRY(look_at(chain, built));
  }
  return built;
}

Status LateTasks::look_at(std::size_t chain, std::vector<BuiltTask>& built) {
  for (const auto& [partition, first] : sources_[chain]->new_partitions()) {
    MILLRACE_ASSIGN(BuiltTask task, builder_->build(chain, *sources_[chain], partition,
                                                    {first, {}, {}, stream::kNoLimit, {}}));
    built.push_back(std::move(task));
    log_(LogLevel::kInfo, "source " + builder_->source_name(chain) + ": partition " +
                              partition.name + " is new, and is read from its first record, " +
                              std::to_string(first));
  }
  return {};
}

std::chrono::milliseconds LateTasks::interval() const {
  std::chrono::milliseconds shortest{};
  for (const stream::Source* source : sources_) {
    const auto interval = source->watch_interval();
    if (interval.count() == 0) continue;
    shortest = shortest.count() == 0 ? interval : std::min(shortest, interval);
  }
  return shortest;
}

}  // namespace millrace::session
