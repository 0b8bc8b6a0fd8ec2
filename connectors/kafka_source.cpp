#include "connectors/kafka_source.hpp"

#include "connectors/kafka_client.hpp"
#include "connectors/kafka_offsets.hpp"
#include "connectors/kafka_reader.hpp"
#include "connectors/kafka_topics.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace millrace::connectors {
namespace {

using stream::LatencyHistogram;
using stream::LatencySnapshot;
using stream::Positions;
using stream::SourcePartition;
using stream::SourceReader;

// Those of the format and of the planner are known by name here too, so that a slip is found.
constexpr std::array<std::string_view, 6> kOptions = {
    "bootstrap_servers", "topic", "subscribe", "starting_offsets", "format", "on_bad_record"};

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    auto name = text.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

Result<std::vector<std::string>> topics_of(const Options& options) {
  for (const char* later : {"assign", "subscribe_pattern"}) {
    if (options.has(later)) {
      return fail(ErrorCode::kNotSupported,
                  fmt::format("option {} is not supported yet; use topic or subscribe", later));
    }
  }
  if (options.has("topic") && options.has("subscribe")) {
    return fail(ErrorCode::kInvalidArgument,
                "a kafka source takes the option topic or subscribe, not both");
  }
  auto names = options.has("topic") ? std::vector{options.get_or("topic", "")}
                                    : split_names(options.get_or("subscribe", ""));
  if (names.empty() || names.front().empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "a kafka source needs the option topic, or subscribe with a list of topics");
  }
  return names;
}

// Everything the options say, checked.
struct Wanted {
  std::vector<std::string> topics;
  KafkaStart start;
  KafkaSettings settings;
};

Result<Wanted> read_options(const Options& options) {
  MILLRACE_ASSIGN(auto topics, topics_of(options));
  MILLRACE_TRY(options.check_known("kafka source", kOptions, true));
  MILLRACE_TRY(options.get_bool("include_headers", true));  // they can always be read
  MILLRACE_ASSIGN(auto start, parse_kafka_start(options.get_or("starting_offsets", "latest")));
  MILLRACE_ASSIGN(auto settings, kafka_settings(options, KafkaRole::kSource));
  return Wanted{std::move(topics), std::move(start), std::move(settings)};
}

// One topic's handle; the readers borrow it.
struct TopicDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};
using Topic = std::unique_ptr<rd_kafka_topic_t, TopicDeleter>;

class KafkaSource final : public stream::Source {
 public:
  KafkaSource(std::string name, Wanted wanted, std::unique_ptr<KafkaClient> client,
              const Clock& clock)
      : name_(std::move(name)),
        wanted_(std::move(wanted)),
        client_(std::move(client)),
        clock_(clock) {}
  ~KafkaSource() override { close(); }

  Result<std::vector<SourcePartition>> partitions() override;
  Result<Positions> start_positions() override;
  Result<Positions> earliest_positions() override { return positions_at(KafkaStart::kEarliest); }
  Result<Positions> end_positions() override { return positions_at(KafkaStart::kLatest); }
  Result<std::unique_ptr<SourceReader>> open_reader(
      const SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override;
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
  };

  Result<Positions> positions_at(std::int64_t wanted);
  rd_kafka_topic_t* topic(const std::string& name);
  ReaderPlace& add_place(const SourcePartition& partition);

  const std::string name_;
  const Wanted wanted_;
  std::unique_ptr<KafkaClient> client_;
  const Clock& clock_;
  std::map<std::string, Topic> topics_;
  mutable std::mutex mutex_;  ///< guards the list, not what it holds: scraped while readers open
  std::vector<std::unique_ptr<ReaderPlace>> places_;
};

Result<std::vector<SourcePartition>> KafkaSource::partitions() {
  KafkaTopics topics(*client_);
  MILLRACE_TRY(topics.refresh());
  std::vector<SourcePartition> result;
  for (const auto& topic : wanted_.topics) {
    MILLRACE_ASSIGN(const auto count, topics.partitions_of(topic));
    for (std::int32_t number = 0; number < count; ++number) {
      result.push_back({fmt::format("{}-{}", topic, number), topic, number});
    }
  }
  return result;
}

Result<Positions> KafkaSource::start_positions() {
  MILLRACE_ASSIGN(const auto all, partitions());
  MILLRACE_ASSIGN(const auto wanted, wanted_offsets(wanted_.start, all));
  MILLRACE_TRY(check_offsets(*client_, all, wanted));
  return resolve_offsets(*client_, all, wanted);
}

Result<Positions> KafkaSource::positions_at(std::int64_t wanted) {
  MILLRACE_ASSIGN(const auto all, partitions());
  return resolve_offsets(*client_, all, std::vector<std::int64_t>(all.size(), wanted));
}

rd_kafka_topic_t* KafkaSource::topic(const std::string& name) {
  auto& handle = topics_[name];
  if (!handle) handle.reset(rd_kafka_topic_new(client_->handle(), name.c_str(), nullptr));
  return handle.get();
}

KafkaSource::ReaderPlace& KafkaSource::add_place(const SourcePartition& partition) {
  auto place = std::make_unique<ReaderPlace>();
  place->origin = {name_, fmt::format("topic {}, partition {}", partition.topic, partition.number),
                   partition.number};
  const std::lock_guard lock(mutex_);
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
  spec.topic = topic(partition.topic);
  spec.topic_name = partition.topic;
  spec.partition = partition.number;
  spec.position = position;
  spec.schema = make_schema(std::move(fields));
  spec.origin = &place.origin;
  spec.clock = &clock_;
  spec.fetch_latency = &place.fetch_latency;
  spec.has_fetched = &place.has_fetched;
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

void KafkaSource::close() {
  topics_.clear();
  client_.reset();
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
  return kafka_table_traits();
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
  return std::make_unique<KafkaSource>(spec.table.name, std::move(wanted), std::move(client),
                                       context.clock);
}

}  // namespace millrace::connectors
