#include "session/query_builder.hpp"

#include "millrace/assert.hpp"

#include "actors/source_input.hpp"
#include "operators/bad_record_log.hpp"
#include "session/decision_opening.hpp"
#include "session/late_tasks.hpp"
#include "session/resume_opening.hpp"
#include "session/task_builder.hpp"
#include "state/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

namespace millrace::session {

namespace {

/// Epochs that may be read and not committed where plans do not wait for the disk: fewer than a
/// sink can tell apart (connectors/epoch_ledger).
constexpr int kAsyncEpochsMax = 12;

/// "kafka (topic clicks)".
std::string description_of(const stream::TableDefinition& table) {
  for (const char* option : {"topic", "subscribe", "subscribe_pattern", "assign", "path"})
    if (const auto value = table.options.get(option))
      return fmt::format("{} ({} {})", table.connector, option, *value);
  return fmt::format("{} ({})", table.connector, table.name);
}

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
            settings.rows_max,
            triggers::is_planned(settings.trigger) ? actors::SourceDrive::kPlanned
                                                   : actors::SourceDrive::kOpen)) {}
  ~QueryBuilder() { built_.parts.close(); }

  Result<BuiltQuery> build();

 private:
  void set_trigger();
  Status open_connectors();
  [[nodiscard]] Status check_read_limit(const std::string& name,
                                        const stream::Source& source) const;
  Status open_checkpoint();
  Status resolve_positions();
  [[nodiscard]] Status check_none_is_gone(const std::string& source,
                                          const stream::Positions& positions,
                                          std::size_t number) const;
  Status find_decider();
  Status decide_open_epochs();
  Status start_decider();
  Status resume_sinks();
  Status build_tasks();
  [[nodiscard]] std::int64_t end_of(std::size_t chain,
                                    const stream::SourcePartition& partition) const;
  Status build_task(std::size_t chain, const stream::SourcePartition& partition);
  void build_planner();
  void keep_for_late_tasks();
  void describe_start();
  void summarize();
  void label_progress();

  Result<stream::Sink*> sink_for(const stream::SinkSpec& spec);
  [[nodiscard]] std::deque<actors::FixedRange> replay_of(const std::string& source,
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
  bool is_first_start_ = false;
  std::string checkpoint_id_;          ///< empty: nothing is kept
  std::vector<std::string> resuming_;  ///< sinks that resume
  stream::Decider* decider_ = nullptr;
  std::optional<DecisionOpening> decision_;  ///< with a decider
  Generation generation_;                    ///< of the checkpoint, which the committer owns then
  std::string attempt_;
  /// Source partitions, by chain, whose history ended since the newest commit.
  std::vector<std::pair<std::size_t, std::string>> new_histories_;
};

Result<BuiltQuery> QueryBuilder::build() {
  built_.parts.clock = settings_.clock;
  set_trigger();
  MILLRACE_TRY(open_connectors());
  MILLRACE_TRY(open_checkpoint());
  MILLRACE_TRY(find_decider());
  for (const std::unique_ptr<stream::Sink>& sink : built_.parts.sinks) MILLRACE_TRY(sink->prime());
  if (decision_) MILLRACE_TRY(decide_open_epochs());
  MILLRACE_TRY(resolve_positions());
  MILLRACE_TRY(resume_sinks());
  if (checkpoint_) MILLRACE_TRY(checkpoint_->adopt_plan());
  MILLRACE_TRY(build_tasks());
  for (const std::unique_ptr<stream::Source>& source : built_.parts.sources)
    MILLRACE_TRY(source->prime());
  describe_start();
  if (decision_) MILLRACE_TRY(start_decider());
  summarize();
  label_progress();
  keep_for_late_tasks();
  return std::exchange(built_, {});
}

void QueryBuilder::set_trigger() {
  if (triggers::is_planned(settings_.trigger)) {
    built_.parts.trigger = triggers::PlannedTrigger(settings_.trigger, settings_.clock->wall(),
                                                    settings_.clock->steady());
  } else {
    built_.parts.trigger = triggers::RealTimeTrigger(settings_.trigger.interval_ms);
    built_.parts.counter = std::make_unique<actors::RowCounter>(settings_.trigger.rows);
  }
}

Status QueryBuilder::open_connectors() {
  for (const stream::ChainSpec& chain : plan_.chains) {
    MILLRACE_ASSIGN(std::unique_ptr<stream::Source> source, connectors_.make_source(chain.source));
    built_.parts.sources.push_back(std::move(source));
    built_.parts.source_names.push_back(chain.source.table.name);
    MILLRACE_ASSIGN(std::vector<stream::SourcePartition> partitions,
                    built_.parts.sources.back()->partitions());
    partitions_.push_back(std::move(partitions));
    MILLRACE_TRY(check_read_limit(chain.source.table.name, *built_.parts.sources.back()));
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

Status QueryBuilder::check_read_limit(const std::string& name, const stream::Source& source) const {
  const stream::ReadLimit limit = source.read_limit();
  const bool has_limit = limit.offsets_max || limit.offsets_min;
  if (!has_limit || triggers::is_planned(settings_.trigger)) return {};
  return fail(ErrorCode::kInvalidArgument,
              "source " + name +
                  ": max_offsets_per_trigger and min_offsets_per_trigger size an epoch before it "
                  "is read, and those of trigger real_time end by time or rows; SET trigger = "
                  "'processing_time' (or 'available_now'), or leave the option out");
}

Result<stream::Sink*> QueryBuilder::sink_for(const stream::SinkSpec& spec) {
  if (stream::Sink* const known = tasks_->sink_of(spec.table.name)) return known;
  if (spec.delivery == "resume") resuming_.push_back(spec.table.name);
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
  checkpoint_id_ = checkpoint_->metadata().checkpoint_id;
  for (const std::string& notice : restart_.notices) settings_.log(LogLevel::kWarning, notice);
  return {};
}

Status QueryBuilder::find_decider() {
  for (const std::unique_ptr<stream::Sink>& sink : built_.parts.sinks) {
    stream::Decider* const decider = sink->decider();
    if (decider == nullptr || decider == decider_) continue;
    if (decider_ != nullptr) {
      return fail(ErrorCode::kInvalidArgument,
                  "one query has one decider, and this has two: " + decider_->title() + " and " +
                      decider->title() + "; make it two queries");
    }
    decider_ = decider;
  }
  if (decider_ == nullptr) return {};
  MILLRACE_ASSERT(checkpoint_);
  for (std::size_t chain = 0; chain < plan_.chains.size(); ++chain) {
    if (built_.parts.sources[chain]->is_replayable()) continue;
    return fail(ErrorCode::kInvalidArgument,
                "exactly_once = 'transaction' needs a source that can be read again, and " +
                    plan_.chains[chain].source.table.name + " cannot");
  }
  decision_.emplace(*checkpoint_, *decider_);
  return {};
}

// Before anything is run again: what is visible already is not.
Status QueryBuilder::decide_open_epochs() {
  MILLRACE_ASSIGN(restart_, decision_->run(std::move(restart_)));
  if (!decision_->notice().empty()) settings_.log(LogLevel::kWarning, decision_->notice());
  return {};
}

Status QueryBuilder::start_decider() {
  const state::CommitMark mark{generation_, Epoch(), attempt_};
  built_.parts.decider = decider_;
  built_.parts.committer->set_decider(*decider_, decision_->newest());
  return decider_->start(built_.durable.next(), [mark](Epoch epoch) {
    state::CommitMark of_epoch = mark;
    of_epoch.epoch = epoch;
    return state::to_text(of_epoch);
  });
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
    for (const std::unique_ptr<stream::Sink>& sink : built_.parts.sinks) {
      if (!checkpoint_) break;
      MILLRACE_ASSIGN(auto ends, sink->output_ends());
      start.outputs.merge(ends);
    }
    restart_.start = std::move(start);
  }
  is_first_start_ = is_new;
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
      stream::Positions before = positions;
      MILLRACE_ASSIGN(positions, built_.parts.sources[number]->surviving(std::move(positions)));
      for (const auto& [partition, position] : positions)
        if (const auto old = before.find(partition); old != before.end() && position < old->second)
          new_histories_.emplace_back(number, partition);
    }
    positions_.push_back(std::move(positions));
    MILLRACE_ASSIGN(auto ends, built_.parts.sources[number]->ending_positions());
    ends_.push_back(std::move(ends));
  }
  return {};
}

// Behind all that may refuse the start, before the first record is read.
Status QueryBuilder::resume_sinks() {
  if (resuming_.empty()) return {};
  MILLRACE_ASSERT(checkpoint_);
  ResumeOpening opening(*checkpoint_, restart_, is_first_start_);
  for (const std::string& name : resuming_) opening.add_sink(name, *tasks_->sink_of(name));
  for (std::size_t chain = 0; chain < plan_.chains.size(); ++chain) {
    if (!built_.parts.sources[chain]->is_replayable()) {
      return fail(ErrorCode::kInvalidArgument,
                  "exactly_once = 'resume' of table " + resuming_.front() +
                      " needs a source that can be read again, and " +
                      plan_.chains[chain].source.table.name + " cannot");
    }
    for (const stream::ChainNode& node : plan_.chains[chain].nodes)
      if (const auto* join = std::get_if<stream::StaticJoinSpec>(&node.spec)) {
        MILLRACE_ASSIGN(const auto table, connectors_.load_table(*join));
        opening.add_table(join->table.name, *table);
      }
  }
  for (const auto& [chain, partition] : new_histories_)
    opening.note_new_history(plan_.chains[chain].source.table.name, partition);
  MILLRACE_TRY(opening.run());
  tasks_->name_histories([histories = checkpoint_->metadata().histories](
                             const std::string& source, const std::string& partition) {
    return history_name(histories, source, partition);
  });
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
  if (checkpoint_) {
    generation_ = checkpoint_->metadata().generation;
    attempt_ = checkpoint_->attempt();
  }
  if (checkpoint_)
    built_.parts.committer = std::make_unique<actors::Committer>(std::move(checkpoint_),
                                                                 restart_.open, *settings_.clock);
  else
    built_.parts.committer = std::make_unique<actors::Committer>();
  if (is_first_start_) built_.parts.committer->set_start(*restart_.start);
  if (settings_.async_progress) {
    built_.parts.committer->write_plans_late();
  }
  built_.parts.plans_apart = triggers::is_planned(settings_.trigger);
  if (built_.parts.plans_apart) build_planner();
  return {};
}

void QueryBuilder::build_planner() {
  std::vector<actors::PlannedSource> sources;
  for (std::size_t chain = 0; chain < plan_.chains.size(); ++chain) {
    actors::PlannedSource source{
        plan_.chains[chain].source.table.name, built_.parts.sources[chain].get(), {}, ends_[chain]};
    for (const stream::SourcePartition& partition : partitions_[chain]) {
      const auto replay = replay_of(source.name, partition, positions_[chain].at(partition.name));
      source.at[partition.name] =
          replay.empty() ? positions_[chain].at(partition.name) : replay.back().to;
    }
    sources.push_back(std::move(source));
  }
  built_.parts.planner = std::make_unique<actors::EpochPlanner>(
      settings_.trigger, std::move(sources), !restart_.open.empty(), *built_.parts.committer,
      *settings_.clock, settings_.log);
  built_.parts.planner->ask_under(*built_.parts.source_mutex);
}

std::int64_t QueryBuilder::end_of(std::size_t chain,
                                  const stream::SourcePartition& partition) const {
  if (!ends_[chain] || triggers::is_planned(settings_.trigger)) return stream::kNoLimit;
  const auto found = ends_[chain]->find(partition.name);
  MILLRACE_ASSERT(found != ends_[chain]->end());
  return found->second;
}

Status QueryBuilder::build_task(std::size_t chain, const stream::SourcePartition& partition) {
  const auto found = positions_[chain].find(partition.name);
  MILLRACE_ASSERT(found != positions_[chain].end());
  const std::string& source = plan_.chains[chain].source.table.name;
  std::deque<actors::FixedRange> replay = replay_of(source, partition, found->second);
  if (!replay.empty()) built_.parts.sources[chain]->expect_replay(partition, replay.back().to);
  TaskStart start{found->second, std::move(replay), {}, end_of(chain, partition), {}};
  if (restart_.committed) {
    const auto& memos = restart_.committed->prepared.reader_memos;
    if (const auto of_source = memos.find(source); of_source != memos.end())
      if (const auto memo = of_source->second.find(partition.name); memo != of_source->second.end())
        start.memo = memo->second;
  }
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

std::deque<actors::FixedRange> QueryBuilder::replay_of(const std::string& source,
                                                       const stream::SourcePartition& partition,
                                                       std::int64_t position) const {
  std::deque<actors::FixedRange> replay;
  state::OffsetRange range{position, position};
  for (const state::OpenEpoch& open : restart_.open) {
    // A partition that the epoch did not know gives nothing to it.
    range.from = range.to;
    if (const auto ranges = open.offsets.ranges.find(source); ranges != open.offsets.ranges.end())
      if (const auto found = ranges->second.find(partition.name); found != ranges->second.end())
        range = found->second;
    replay.push_back({open.offsets.epoch, open.offsets.time, range.from, range.to});
    replay.back().is_planned = open.offsets.drive == state::Drive::kPlanned;
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
  if (settings_.async_progress) start.closed_max = kAsyncEpochsMax;
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

// Ids in the form that others have: 8-4-4-4-12 digits.
void QueryBuilder::label_progress() {
  std::mt19937_64 random(~settings_.seed);  // not the numbers that checkpoint ids are
  const auto drawn = [&random] {
    const std::uint64_t high = random();
    return fmt::format("{:016x}{:016x}", high, random());
  };
  const auto dashed = [](const std::string& digits) {
    return digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-" + digits.substr(12, 4) + "-" +
           digits.substr(16, 4) + "-" + digits.substr(20);
  };
  ProgressLabels& labels = built_.labels;
  labels.query = plan_.name;
  labels.run_id = dashed(drawn());
  labels.id = checkpoint_id_.empty() ? labels.run_id : dashed(checkpoint_id_);
  std::set<std::string> sinks;
  for (const stream::ChainSpec& chain : plan_.chains) {
    const stream::TableDefinition& table = chain.source.table;
    labels.sources.emplace_back(table.name, description_of(table));
    for (const stream::ChainNode& node : chain.nodes)
      if (const auto* sink = std::get_if<stream::SinkSpec>(&node.spec))
        if (sinks.insert(sink->table.name).second)
          labels.sink += (labels.sink.empty() ? "" : ", ") + description_of(sink->table);
  }
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
