#include "session/query_builder.hpp"

#include "millrace/assert.hpp"

#include "actors/source_input.hpp"
#include "operators/bad_record_log.hpp"
#include "session/late_tasks.hpp"
#include "session/task_builder.hpp"
#include "state/checkpoint.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace millrace::session {

namespace {

/// Builds one query; lives for one call of build_query.
class QueryBuilder {
 public:
  QueryBuilder(const stream::PhysicalPlan& plan, const ConnectorFactory& connectors,
               const BuildSettings& settings)
      : plan_(plan),
        connectors_(connectors),
        settings_(settings),
        tasks_(std::make_unique<TaskBuilder>(
            plan.chains, connectors, *settings.clock,
            std::make_shared<operators::BadRecordLog>(settings.log, *settings.clock),
            settings.rows_max)) {}
  ~QueryBuilder() { built_.parts.close(); }

  Result<BuiltQuery> build();

 private:
  Status open_connectors();
  Status open_checkpoint();
  Status resolve_positions();
  [[nodiscard]] Status check_none_is_gone(const std::string& source,
                                          const stream::Positions& positions,
                                          std::size_t number) const;
  Status build_tasks();
  [[nodiscard]] std::int64_t end_of(std::size_t chain,
                                    const stream::SourcePartition& partition) const;
  Status build_task(std::size_t chain, const stream::SourcePartition& partition);
  void keep_for_late_tasks();
  void describe_start();
  void summarize();

  Result<stream::Sink*> sink_for(const stream::SinkSpec& spec);
  [[nodiscard]] std::deque<actors::ReplayRange> replay_of(const std::string& source,
                                                          const stream::SourcePartition& partition,
                                                          std::int64_t position) const;

  const stream::PhysicalPlan& plan_;
  const ConnectorFactory& connectors_;
  const BuildSettings& settings_;
  BuiltQuery built_;
  std::vector<std::vector<stream::SourcePartition>> partitions_;  ///< per chain
  std::vector<stream::Positions> positions_;                      ///< per chain: where to read on
  std::vector<std::optional<stream::Positions>> ends_;            ///< per chain; none: no end
  std::unique_ptr<TaskBuilder> tasks_;
  std::unique_ptr<state::Checkpoint> checkpoint_;
  state::RestartPoint restart_;
};

Result<BuiltQuery> QueryBuilder::build() {
  built_.parts.clock = settings_.clock;
  built_.parts.trigger = triggers::RealTimeTrigger(settings_.trigger.interval_ms);
  MILLRACE_TRY(open_connectors());
  MILLRACE_TRY(open_checkpoint());
  for (const std::unique_ptr<stream::Sink>& sink : built_.parts.sinks) MILLRACE_TRY(sink->prime());
  // Last of what may be refused: a start that comes to nothing must not fix what `latest` means.
  MILLRACE_TRY(resolve_positions());
  MILLRACE_TRY(build_tasks());
  for (const std::unique_ptr<stream::Source>& source : built_.parts.sources)
    MILLRACE_TRY(source->prime());
  describe_start();
  summarize();
  keep_for_late_tasks();
  return std::exchange(built_, {});
}

Status QueryBuilder::open_connectors() {
  for (const stream::ChainSpec& chain : plan_.chains) {
    MILLRACE_ASSIGN(std::unique_ptr<stream::Source> source, connectors_.make_source(chain.source));
    built_.parts.sources.push_back(std::move(source));
    built_.parts.source_names.push_back(chain.source.table.name);
    MILLRACE_ASSIGN(std::vector<stream::SourcePartition> partitions,
                    built_.parts.sources.back()->partitions());
    partitions_.push_back(std::move(partitions));
    if (chain.bad_records.dead_letter) {
      MILLRACE_TRY(sink_for(chain.bad_records.dead_letter->sink));
      built_.parts.dead_letter_sinks.insert(built_.parts.sinks.size() - 1);
    }
    for (const stream::ChainNode& node : chain.nodes) {
      if (const auto* spec = std::get_if<stream::SinkSpec>(&node.spec))
        MILLRACE_TRY(sink_for(*spec));
      // Read once per query: the tasks get the same table.
      if (const auto* spec = std::get_if<stream::StaticJoinSpec>(&node.spec))
        MILLRACE_TRY(connectors_.load_table(*spec));
    }
  }
  return {};
}

Result<stream::Sink*> QueryBuilder::sink_for(const stream::SinkSpec& spec) {
  if (stream::Sink* const known = tasks_->sink_of(spec.table.name)) return known;
  MILLRACE_ASSIGN(std::unique_ptr<stream::Sink> sink, connectors_.make_sink(spec));
  sink->set_events(actors::EventRelay::events_of(built_.parts.relay, built_.parts.sinks.size()));
  stream::Sink* const borrowed = sink.get();
  built_.parts.sinks.push_back(std::move(sink));
  tasks_->add_sink(spec.table.name, *borrowed);
  return borrowed;
}

Status QueryBuilder::open_checkpoint() {
  if (settings_.checkpoint_folder.empty()) return {};
  state::CheckpointOptions options;
  options.folder = settings_.checkpoint_folder;
  options.plan_identity = settings_.plan_identity;
  options.plan_details = settings_.plan_details;
  options.seed = settings_.seed;
  MILLRACE_ASSIGN(checkpoint_,
                  state::Checkpoint::open(*settings_.disk, *settings_.clock, std::move(options)));
  MILLRACE_ASSIGN(restart_, checkpoint_->restart());
  for (const std::string& notice : restart_.notices) settings_.log(LogLevel::kWarning, notice);
  return {};
}

Status QueryBuilder::resolve_positions() {
  const bool is_new = !restart_.start;
  state::StartRecord start;
  for (std::size_t number = 0; number < plan_.chains.size(); ++number) {
    if (!is_new) continue;
    MILLRACE_ASSIGN(stream::Positions resolved, built_.parts.sources[number]->start_positions());
    start.sources[plan_.chains[number].source.table.name] = std::move(resolved);
  }
  if (is_new) {
    // Durable before anything is read: `latest` must not be resolved anew after an early crash.
    if (checkpoint_) {
      for (const std::unique_ptr<stream::Sink>& sink : built_.parts.sinks) {
        MILLRACE_ASSIGN(auto ends, sink->output_ends());
        start.outputs.merge(ends);
      }
      MILLRACE_TRY(checkpoint_->write_start(start));
    }
    restart_.start = std::move(start);
  }
  std::map<std::string, stream::Positions> known = restart_.positions();
  for (std::size_t number = 0; number < plan_.chains.size(); ++number) {
    stream::Positions& positions = known[plan_.chains[number].source.table.name];
    MILLRACE_TRY(check_none_is_gone(plan_.chains[number].source.table.name, positions, number));
    const bool has_new_ones = std::any_of(
        partitions_[number].begin(), partitions_[number].end(),
        [&](const stream::SourcePartition& one) { return !positions.contains(one.name); });
    if (has_new_ones) {
      MILLRACE_ASSIGN(const stream::Positions earliest,
                      built_.parts.sources[number]->earliest_positions());
      positions.insert(earliest.begin(), earliest.end());
    }
    if (!is_new) {
      MILLRACE_ASSIGN(positions, built_.parts.sources[number]->surviving(std::move(positions)));
    }
    positions_.push_back(std::move(positions));
    MILLRACE_ASSIGN(auto ends, built_.parts.sources[number]->ending_positions());
    ends_.push_back(std::move(ends));
  }
  return {};
}

// Kafka never takes a partition away: the topic was deleted and created anew.
Status QueryBuilder::check_none_is_gone(const std::string& source,
                                        const stream::Positions& positions,
                                        std::size_t number) const {
  for (const auto& [name, position] : positions) {
    const bool is_there = std::any_of(
        partitions_[number].begin(), partitions_[number].end(),
        [&, &known = name](const stream::SourcePartition& one) { return one.name == known; });
    if (is_there) continue;
    return fail(ErrorCode::kDataLoss,
                "source " + source + ": partition " + name +
                    " of the checkpoint is not there any more (was the topic created anew?), its "
                    "records from offset " +
                    std::to_string(position) +
                    " on are lost; to begin anew, choose another checkpoint_location");
  }
  return {};
}

Status QueryBuilder::build_tasks() {
  for (std::size_t chain = 0; chain < plan_.chains.size(); ++chain)
    for (const stream::SourcePartition& partition : partitions_[chain])
      MILLRACE_TRY(build_task(chain, partition));
  if (checkpoint_)
    built_.parts.committer = std::make_unique<actors::Committer>(std::move(checkpoint_),
                                                                 restart_.open, *settings_.clock);
  else
    built_.parts.committer = std::make_unique<actors::Committer>();
  return {};
}

std::int64_t QueryBuilder::end_of(std::size_t chain,
                                  const stream::SourcePartition& partition) const {
  if (!ends_[chain]) return stream::kNoLimit;
  const auto found = ends_[chain]->find(partition.name);
  MILLRACE_ASSERT(found != ends_[chain]->end());
  return found->second;
}

Status QueryBuilder::build_task(std::size_t chain, const stream::SourcePartition& partition) {
  const auto found = positions_[chain].find(partition.name);
  MILLRACE_ASSERT(found != positions_[chain].end());
  const std::string& source = plan_.chains[chain].source.table.name;
  std::deque<actors::ReplayRange> replay = replay_of(source, partition, found->second);
  if (!replay.empty()) built_.parts.sources[chain]->expect_replay(partition, replay.back().to);
  TaskStart start{found->second, std::move(replay), {}, end_of(chain, partition)};
  start.first_epoch = restart_.open.empty() ? restart_.next : restart_.open.front().offsets.epoch;
  MILLRACE_ASSIGN(BuiltTask task,
                  tasks_->build(chain, *built_.parts.sources[chain], partition, std::move(start)));
  built_.metrics.push_back(std::move(task.metrics));
  built_.parts.tasks.push_back(std::move(task.task));
  return {};
}

void QueryBuilder::keep_for_late_tasks() {
  std::vector<stream::Source*> sources;
  for (const auto& source : built_.parts.sources) sources.push_back(source.get());
  built_.late_tasks =
      std::make_unique<LateTasks>(std::move(tasks_), std::move(sources), settings_.log);
}

std::deque<actors::ReplayRange> QueryBuilder::replay_of(const std::string& source,
                                                        const stream::SourcePartition& partition,
                                                        std::int64_t position) const {
  std::deque<actors::ReplayRange> replay;
  state::OffsetRange range{position, position};
  for (const state::OpenEpoch& open : restart_.open) {
    // A partition that the epoch did not know gives nothing to it.
    range.from = range.to;
    if (const auto ranges = open.offsets.ranges.find(source); ranges != open.offsets.ranges.end())
      if (const auto found = ranges->second.find(partition.name); found != ranges->second.end())
        range = found->second;
    replay.push_back({open.offsets.epoch, open.offsets.time, range.from, range.to});
  }
  for (std::size_t later = replay.size(); later-- > 1;) {
    replay[later - 1].is_gone = replay[later].is_gone || replay[later].from < replay[later - 1].to;
  }
  return replay;
}

void QueryBuilder::describe_start() {
  actors::CoordinatorStart& start = built_.parts.start;
  start.tasks = built_.parts.tasks.size();
  start.sinks = built_.parts.sinks.size();
  start.next = restart_.next;
  for (const state::OpenEpoch& open : restart_.open)
    start.replayed.push_back({open.offsets.epoch, open.offsets.time, false});
  built_.durable =
      (restart_.open.empty() ? restart_.next : restart_.open.front().offsets.epoch).previous();
}

void QueryBuilder::summarize() {
  for (std::size_t chain = 0; chain < plan_.chains.size(); ++chain) {
    const std::size_t count = partitions_[chain].size();
    built_.summary += std::to_string(count) + (count == 1 ? " partition of " : " partitions of ") +
                      plan_.chains[chain].source.table.name + ", ";
  }
  built_.summary += "from epoch " + std::to_string(restart_.next.value);
}

}  // namespace

BuiltQuery::BuiltQuery() = default;
BuiltQuery::BuiltQuery(BuiltQuery&& other) noexcept = default;
BuiltQuery& BuiltQuery::operator=(BuiltQuery&& other) noexcept = default;
BuiltQuery::~BuiltQuery() = default;

Result<BuiltQuery> build_query(const stream::PhysicalPlan& plan, const ConnectorFactory& connectors,
                               const BuildSettings& settings) {
  return QueryBuilder(plan, connectors, settings).build();
}

}  // namespace millrace::session
