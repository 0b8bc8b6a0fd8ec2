#include "connectors/kafka_source.hpp"

#include "connectors/kafka_client.hpp"
#include "connectors/kafka_group_offsets.hpp"
#include "connectors/kafka_offsets.hpp"
#include "connectors/kafka_reader.hpp"
#include "connectors/kafka_subscription.hpp"
#include "connectors/kafka_topics.hpp"
#include "formats/csv_scanner.hpp"
#include "triggers/read_limit.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace millrace::connectors {
namespace {

using stream::LatencyHistogram;
using stream::LatencySnapshot;
using stream::Positions;
using stream::SourcePartition;
using stream::SourceReader;

// Those of the format and of the planner are known by name here too, so that a slip is found.
constexpr std::array<std::string_view, 19> kOptions = {"bootstrap_servers",
                                                       "topic",
                                                       "subscribe",
                                                       "subscribe_pattern",
                                                       "assign",
                                                       "starting_offsets",
                                                       "starting_timestamp",
                                                       "starting_offsets_by_timestamp",
                                                       "starting_offsets_by_timestamp_strategy",
                                                       "ending_offsets",
                                                       "ending_timestamp",
                                                       "ending_offsets_by_timestamp",
                                                       "fail_on_data_loss",
                                                       "commit_offsets_to_group",
                                                       "drop_replays",
                                                       "include_headers",
                                                       "format",
                                                       "create_topics",
                                                       "partitions"};

std::vector<std::string_view> known_options() {
  std::vector<std::string_view> known(kOptions.begin(), kOptions.end());
  const auto& bad_records = stream::BadRecordPolicy::kKeys;
  known.insert(known.end(), bad_records.begin(), bad_records.end());
  const auto& limits = triggers::kReadLimitKeys;
  known.insert(known.end(), limits.begin(), limits.end());
  known.insert(known.end(), formats::CsvSyntax::kKeys.begin(), formats::CsvSyntax::kKeys.end());
  return known;
}

// They are for the topic of dead letters, the only one that a source writes to.
Status check_creation(const Options& options) {
  for (const char* name : {"create_topics", "partitions"}) {
    if (!options.has(name) || options.has("dead_letter_topic")) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option {} of a kafka source is for its dead_letter_topic, and none is "
                            "given",
                            name));
  }
  return {};
}

// What other engines take and what has no meaning here, with the reason.
struct Meaningless {
  std::string_view name;
  std::string_view reason;
};
constexpr std::string_view kNotSplit =
    "one task reads a partition, so that its order is kept, and takes records as they come";
constexpr std::string_view kNoGroup =
    "no consumer group is used: positions are kept in the checkpoint";
constexpr std::string_view kWaits =
    "brokers are waited for with back-off, see kafka.socket.* and "
    "kafka.reconnect.*";
constexpr std::array kMeaningless = {
    Meaningless{"min_partitions", kNotSplit},
    Meaningless{"max_records_per_partition", kNotSplit},
    Meaningless{"group_id_prefix", kNoGroup},
    Meaningless{"kafkaConsumer.pollTimeoutMs", kWaits},
    Meaningless{"fetchOffset.numRetries", kWaits},
    Meaningless{"fetchOffset.retryIntervalMs", kWaits},
};

Status check_meaning(const Options& options) {
  for (const auto& [name, reason] : kMeaningless) {
    if (!options.has(name)) continue;
    return fail(ErrorCode::kNotSupported,
                fmt::format("option {} does nothing for a kafka source: {}", name, reason));
  }
  return {};
}

// Everything the options say, checked.
struct Wanted {
  KafkaSubscription subscription;
  KafkaBound start;
  std::optional<KafkaBound> end;  ///< none: reads on until it is stopped
  stream::ReadLimit limit;
  bool skips_lost = false;
  bool drops_replays = false;
  std::string group;  ///< that is told how far the query has come; empty: none
  KafkaSettings settings;
};

Result<std::string> read_group(const Options& options) {
  const auto group = options.get("commit_offsets_to_group");
  if (!group) return std::string();
  if (!group->empty()) return *group;
  return fail(ErrorCode::kInvalidArgument,
              "option commit_offsets_to_group of a kafka source is the name of a consumer group, "
              "and it is empty");
}

Result<Wanted> read_options(const Options& options) {
  Wanted wanted;
  MILLRACE_TRY(check_meaning(options));
  MILLRACE_TRY(options.check_known("kafka source", known_options(), true));
  MILLRACE_TRY(check_creation(options));
  MILLRACE_ASSIGN(wanted.subscription, KafkaSubscription::parse(options));
  MILLRACE_TRY(options.get_bool("include_headers", true));  // they can always be read
  MILLRACE_ASSIGN(wanted.start, read_kafka_start(options));
  MILLRACE_ASSIGN(wanted.end, read_kafka_end(options));
  MILLRACE_ASSIGN(wanted.limit, triggers::parse_read_limit(options));
  MILLRACE_ASSIGN(const bool fails, options.get_bool("fail_on_data_loss", true));
  wanted.skips_lost = !fails;
  MILLRACE_ASSIGN(wanted.drops_replays, options.get_bool("drop_replays", false));
  MILLRACE_ASSIGN(wanted.group, read_group(options));
  MILLRACE_ASSIGN(wanted.settings, kafka_settings(options, KafkaRole::kSource));
  return wanted;
}

// One topic's handle; the readers borrow it.
struct TopicDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};
using Topic = std::unique_ptr<rd_kafka_topic_t, TopicDeleter>;

std::string label_of(const SourcePartition& partition) {
  return fmt::format("topic {}, partition {}", partition.topic, partition.number);
}

class KafkaSource final : public stream::Source {
 public:
  KafkaSource(std::string name, Wanted wanted, std::unique_ptr<KafkaClient> client,
              std::unique_ptr<KafkaGroupOffsets> group, const ConnectorContext& context)
      : name_(std::move(name)),
        wanted_(std::move(wanted)),
        client_(std::move(client)),
        group_(std::move(group)),
        clock_(context.clock),
        log_(context.log) {}
  ~KafkaSource() override { close(); }

  Result<std::vector<SourcePartition>> partitions() override;
  Result<Positions> start_positions() override;
  Result<std::optional<Positions>> ending_positions() override;
  Result<Positions> earliest_positions() override { return positions_at(KafkaPoint::kEarliest); }
  Result<Positions> end_positions() override;
  stream::ReadLimit read_limit() const override { return wanted_.limit; }
  Result<std::unique_ptr<SourceReader>> open_reader(
      const SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override;
  Result<Positions> surviving(Positions positions) override;
  std::vector<stream::NewPartition> new_partitions() override;
  std::chrono::milliseconds watch_interval() const override;
  std::optional<std::int64_t> lag() const override;
  Positions known_ends() const override;
  void committed(const Positions& positions) override;
  bool is_replayable() const override { return true; }
  Status prime() override;
  void close() override;
  LatencySnapshot fetch_latency() const override;

 private:
  // What readers borrow for as long as they live, and batches for longer: hence the source's.
  struct ReaderPlace {
    Origin origin;
    LatencyHistogram fetch_latency;
    std::atomic<bool> has_fetched{false};
    std::atomic<std::int64_t> reached{0};
    rd_kafka_topic_t* topic = nullptr;
  };

  Status list();
  Result<Positions> positions_at(std::int64_t wanted);
  Result<std::vector<KafkaRange>> uncommitted_ranges(
      const std::vector<SourcePartition>& partitions);
  rd_kafka_topic_t* topic(const std::string& name);
  [[nodiscard]] std::optional<std::int64_t> known_end(const ReaderPlace& place) const;
  ReaderPlace& add_place(const SourcePartition& partition);

  const std::string name_;
  const Wanted wanted_;
  std::unique_ptr<KafkaClient> client_;
  std::unique_ptr<KafkaGroupOffsets> group_;  ///< null: no group is told
  const Clock& clock_;
  const LogFunction log_;
  std::vector<SourcePartition> listed_;  ///< those there were at the start; empty: not asked yet
  std::set<std::string> known_;          ///< names of the partitions that were given out
  std::vector<SourcePartition> read_;    ///< those that have a reader; guarded by mutex_
  std::map<std::string, Topic> topics_;
  mutable std::mutex mutex_;  ///< guards the list, not what it holds: scraped while readers open
  std::vector<std::unique_ptr<ReaderPlace>> places_;
};

Result<std::vector<SourcePartition>> KafkaSource::partitions() {
  MILLRACE_TRY(list());
  for (const auto& partition : listed_) known_.insert(partition.name);
  return listed_;
}

// Asked once, so that all that a start wants to know is about the same partitions.
Status KafkaSource::list() {
  if (!listed_.empty()) return {};
  KafkaTopics topics(*client_);
  MILLRACE_TRY(topics.refresh());
  MILLRACE_ASSIGN(listed_, wanted_.subscription.partitions(topics));
  return {};
}

// A topic that is not there, for once, is no news: a broker that has just come back may learn of it
// yet. Its readers will tell.
std::vector<stream::NewPartition> KafkaSource::new_partitions() {
  constexpr std::chrono::seconds kWaitMax(1);
  KafkaTopics topics(*client_);
  if (!topics.refresh(kWaitMax)) return {};
  auto all = wanted_.subscription.partitions(topics);
  if (!all) return {};
  std::erase_if(*all, [this](const auto& one) { return known_.contains(one.name); });
  if (all->empty()) return {};
  const auto first = resolve_everywhere(*client_, *all, KafkaPoint::kEarliest, kWaitMax);
  if (!first) return {};  // asked again at the next look
  std::vector<stream::NewPartition> found;
  for (auto& partition : *all) {
    known_.insert(partition.name);
    found.push_back({partition, first->at(partition.name)});
  }
  return found;
}

std::chrono::milliseconds KafkaSource::watch_interval() const {
  // With an end, what is read is settled at the start.
  if (wanted_.end || !wanted_.subscription.may_grow()) return {};
  const auto text = setting_of(wanted_.settings, "topic.metadata.refresh.interval.ms");
  return std::chrono::milliseconds(std::max(std::atoll(text.c_str()), 0LL));
}

Result<Positions> KafkaSource::start_positions() {
  MILLRACE_TRY(list());
  return resolve_start(*client_, listed_, wanted_.start);
}

Result<std::optional<Positions>> KafkaSource::ending_positions() {
  if (!wanted_.end) return std::nullopt;
  MILLRACE_TRY(list());
  MILLRACE_ASSIGN(auto positions, resolve_end(*client_, listed_, *wanted_.end));
  return positions;
}

Result<Positions> KafkaSource::positions_at(std::int64_t wanted) {
  MILLRACE_TRY(list());
  return resolve_everywhere(*client_, listed_, wanted);
}

// Asked at every epoch of the planned drive, on its thread, while readers may open on another: a
// short wait, for a broker that is away is asked again.
Result<Positions> KafkaSource::end_positions() {
  constexpr std::chrono::seconds kWaitMax(2);
  std::vector<SourcePartition> partitions;
  {
    const std::lock_guard lock(mutex_);
    partitions = read_;
  }
  if (partitions.empty()) return positions_at(KafkaPoint::kLatest);
  return resolve_everywhere(*client_, partitions, KafkaPoint::kLatest, kWaitMax);
}

Result<Positions> KafkaSource::surviving(Positions positions) {
  MILLRACE_TRY(list());
  const auto& all = listed_;
  MILLRACE_ASSIGN(auto ranges, ranges_of(*client_, all));
  const auto is_past_end = [&](std::size_t i) {
    const auto found = positions.find(all[i].name);
    return found != positions.end() && found->second > ranges[i].end;
  };
  bool asks_again = false;
  for (std::size_t i = 0; i < all.size(); ++i) asks_again = asks_again || is_past_end(i);
  if (asks_again) {
    MILLRACE_ASSIGN(ranges, uncommitted_ranges(all));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = positions.find(all[i].name);
    if (found == positions.end() || ranges[i].takes(found->second)) continue;
    const auto label = label_of(all[i]);
    if (!wanted_.skips_lost) return fail(lost_records(label, found->second, ranges[i]));
    if (log_)
      log_(LogLevel::kWarning,
           described_loss(label, found->second, ranges[i]) + "; goes on from there");
    found->second = ranges[i].first;
  }
  return positions;
}

// Who reads committed records only is told of an end that lies before a transaction that is open: a
// position behind it need not be past the end of the partition.
Result<std::vector<KafkaRange>> KafkaSource::uncommitted_ranges(
    const std::vector<SourcePartition>& partitions) {
  KafkaClientSpec spec;
  spec.owner = "source " + name_;
  spec.settings = wanted_.settings;
  spec.settings.emplace_back("isolation.level", "read_uncommitted");
  MILLRACE_ASSIGN(const auto client, KafkaClient::create(std::move(spec)));
  return ranges_of(*client, partitions);
}

rd_kafka_topic_t* KafkaSource::topic(const std::string& name) {
  auto& handle = topics_[name];
  if (!handle) handle.reset(rd_kafka_topic_new(client_->handle(), name.c_str(), nullptr));
  return handle.get();
}

KafkaSource::ReaderPlace& KafkaSource::add_place(const SourcePartition& partition) {
  auto place = std::make_unique<ReaderPlace>();
  place->origin = {name_, label_of(partition), partition.number};
  place->topic = topic(partition.topic);
  const std::lock_guard lock(mutex_);
  read_.push_back(partition);
  return *places_.emplace_back(std::move(place));
}

Result<std::unique_ptr<SourceReader>> KafkaSource::open_reader(
    const SourcePartition& partition, std::int64_t position,
    const std::vector<std::string>& columns) {
  KafkaReaderSpec spec;
  std::vector<Field> fields;
  for (const auto& name : columns) {
    const auto column = kafka_column(name);
    if (!column) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("a Kafka record has no column {}; it has {}", name,
                              Schema(kafka_record_fields()).to_string()));
    }
    spec.columns.push_back(*column);
    fields.push_back(kafka_record_fields()[static_cast<std::size_t>(*column)]);
  }
  auto& place = add_place(partition);
  spec.client = client_.get();
  spec.topic = place.topic;
  spec.topic_name = partition.topic;
  spec.partition = partition.number;
  spec.position = position;
  spec.schema = make_schema(std::move(fields));
  spec.origin = &place.origin;
  spec.clock = &clock_;
  spec.fetch_latency = &place.fetch_latency;
  spec.has_fetched = &place.has_fetched;
  spec.reached = &place.reached;
  spec.skips_lost = wanted_.skips_lost;
  spec.drops_replays = wanted_.drops_replays;
  spec.log = log_;
  auto reader = std::make_unique<KafkaReader>(std::move(spec));
  MILLRACE_TRY(reader->start());
  return reader;
}

// The first fetch of a partition is over when its queue got its first message: a record, or word
// that there is none.
Status KafkaSource::prime() {
  for (const auto& place : places_)
    while (!place->has_fetched.load(std::memory_order_acquire))
      MILLRACE_TRY(client_->wait_a_moment());
  return {};
}

// What tools see of it is what is durable: never more.
void KafkaSource::committed(const Positions& positions) {
  if (!group_) return;
  KafkaGroupOffsets::Offsets offsets;
  {
    const std::lock_guard lock(mutex_);
    for (const SourcePartition& partition : read_)
      if (const auto found = positions.find(partition.name); found != positions.end())
        offsets[{partition.topic, partition.number}] = found->second;
  }
  group_->commit(offsets);
}

void KafkaSource::close() {
  group_.reset();
  topics_.clear();
  client_.reset();
}

// The client keeps the end that each answer of a broker tells.
std::optional<std::int64_t> KafkaSource::lag() const {
  const std::lock_guard lock(mutex_);
  if (!client_) return std::nullopt;
  std::int64_t lag = 0;
  for (const auto& place : places_) {
    const auto end = known_end(*place);
    if (!end) return std::nullopt;
    lag += std::max<std::int64_t>(*end - place->reached.load(std::memory_order_relaxed), 0);
  }
  return lag;
}

Positions KafkaSource::known_ends() const {
  const std::lock_guard lock(mutex_);
  Positions ends;
  if (!client_) return ends;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const auto end = known_end(*places_[i])) ends[read_[i].name] = *end;
  return ends;
}

std::optional<std::int64_t> KafkaSource::known_end(const ReaderPlace& place) const {
  std::int64_t first = 0;
  std::int64_t end = 0;
  const auto error = rd_kafka_get_watermark_offsets(
      client_->handle(), rd_kafka_topic_name(place.topic), place.origin.partition, &first, &end);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR || end < 0) return std::nullopt;
  return end;
}

LatencySnapshot KafkaSource::fetch_latency() const {
  const std::lock_guard lock(mutex_);
  LatencySnapshot all;
  for (const auto& place : places_) all.merge(place->fetch_latency.snapshot());
  return all;
}

}  // namespace

Result<stream::TableTraits> kafka_source_traits(const stream::TableDefinition& table) {
  MILLRACE_TRY(read_options(table.options));
  auto traits = kafka_table_traits();
  traits.sink_beside = kafka_options_for(table.options, KafkaRole::kSink);
  for (const char* name : {"create_topics", "partitions"})
    if (const auto value = table.options.get(name)) traits.sink_beside.set(name, *value);
  return traits;
}

Result<std::unique_ptr<stream::Source>> make_kafka_source(const stream::SourceSpec& spec,
                                                          const ConnectorContext& context) {
  MILLRACE_ASSIGN(auto wanted, read_options(spec.table.options));
  KafkaClientSpec client_spec;
  client_spec.owner = "source " + spec.table.name;
  client_spec.role = KafkaRole::kSource;
  client_spec.settings = wanted.settings;
  client_spec.log = context.log;
  client_spec.cancelled = context.cancelled;
  MILLRACE_ASSIGN(auto client, KafkaClient::create(std::move(client_spec)));
  std::unique_ptr<KafkaGroupOffsets> group;
  if (!wanted.group.empty()) {
    MILLRACE_ASSIGN(group, KafkaGroupOffsets::open("source " + spec.table.name, wanted.group,
                                                   wanted.settings, context));
  }
  return std::make_unique<KafkaSource>(spec.table.name, std::move(wanted), std::move(client),
                                       std::move(group), context);
}

}  // namespace millrace::connectors
