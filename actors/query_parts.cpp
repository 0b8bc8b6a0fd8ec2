#include "actors/query_parts.hpp"

#include <algorithm>

namespace millrace::actors {

void QueryParts::connect(const PostEvent& post) {
  std::vector<Waker*> wakers;
  for (const std::unique_ptr<Task>& task : tasks) {
    task->connect(post);
    task->count_with(*counter);
    wakers.push_back(&task->waker());
  }
  relay->connect(post, std::move(wakers));
}

Task& QueryParts::add(std::unique_ptr<Task> task, const PostEvent& post) {
  task->connect(post);
  task->count_with(*counter);
  relay->add(task->waker());
  const std::lock_guard lock(*mutex);
  return *tasks.emplace_back(std::move(task));
}

void QueryParts::close() {
  relay->disconnect();
  planner.reset();
  channels.clear();
  tasks.clear();
  for (const std::unique_ptr<stream::Sink>& sink : sinks) sink->close();
  for (const std::unique_ptr<stream::Source>& source : sources) source->close();
  sinks.clear();
  sources.clear();
}

void QueryParts::tell_committed(const ClosedEpoch& closed) {
  const std::lock_guard lock(*source_mutex);
  for (std::size_t number = 0; number < sources.size(); ++number) {
    stream::Positions positions;
    for (const operators::SourceRange& range : closed.ranges)
      if (range.source == source_names[number]) positions[range.partition] = range.to;
    if (!positions.empty()) sources[number]->committed(positions);
  }
}

stream::OutputEnds QueryParts::acknowledged_ends() const {
  stream::OutputEnds all;
  for (const std::unique_ptr<stream::Sink>& sink : sinks) {
    // Two sinks may write to one topic: both must be covered.
    for (const auto& [topic, ends] : sink->acknowledged_ends())
      for (const auto& [partition, end] : ends) {
        const auto [known, is_new] = all[topic].emplace(partition, end);
        known->second = std::min(known->second, end);
      }
  }
  return all;
}

std::int64_t QueryParts::rows_total() const {
  const std::lock_guard lock(*mutex);
  std::int64_t total = 0;
  for (const std::unique_ptr<Task>& task : tasks) total += task->rows_total();
  return total;
}

}  // namespace millrace::actors
