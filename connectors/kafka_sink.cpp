#include "connectors/kafka_sink.hpp"

#include "connectors/kafka_producer.hpp"
#include "connectors/kafka_record.hpp"
#include "connectors/kafka_tail.hpp"
#include "connectors/kafka_transaction_sink.hpp"
#include "connectors/kafka_writer.hpp"
#include "formats/csv_scanner.hpp"
#include "operators/resume_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <string>

namespace millrace::connectors {
namespace {

using stream::LatencySnapshot;
using stream::SinkEvents;
using stream::SinkWriter;

// Those of the planner are known by name here too, so that a slip is found.
constexpr std::array<std::string_view, 21> kOptions = {
    "bootstrap_servers", "topic",         "topic_column",     "key_column",   "headers_column",
    "partition_column",  "value_column",  "timestamp_column", "key",          "headers",
    "timestamp",         "create_topics", "partitions",       "format",       "payload_columns",
    "exactly_once",      "resume_settle", "on_lost_tail",     "on_lost_mark", "mark_topic",
    "transaction_prefix"};

std::vector<std::string_view> known_options() {
  std::vector<std::string_view> known(kOptions.begin(), kOptions.end());
  known.insert(known.end(), formats::CsvSyntax::kKeys.begin(), formats::CsvSyntax::kKeys.end());
  return known;
}

constexpr std::int64_t kPartitionsMax = 10'000;
// A broker works off what a dead process sent within milliseconds; docs/delivery.md measures it.
constexpr std::int64_t kSettleMs = 500;

// Everything the options say, checked.
struct Wanted {
  std::string topic;
  bool may_create = false;
  std::int32_t partitions = 1;
  bool keeps_partitions = true;  ///< unless the user chose a partitioner
  bool resumes = false;
  bool goes_on_without_tail = false;
  std::int64_t settle_ms = 0;
  bool decides = false;  ///< by transactions
  std::string transaction_prefix;
  std::string mark_topic;
  bool goes_on_without_mark = false;
  Options reader_options;  ///< for the client that reads the tail, or the mark
  KafkaSettings settings;
};

Status check_fits(const Options& options, std::string_view delivery,
                  std::initializer_list<const char*> names) {
  if (options.get_or("exactly_once", "none") == delivery) return {};
  for (const char* name : names) {
    if (!options.has(name)) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option {} is for exactly_once = '{}'", name, delivery));
  }
  return {};
}

/// Whether 'continue' is chosen.
Result<bool> read_fail_or_continue(const Options& options, std::string_view name) {
  const std::string choice = options.get_or(name, "fail");
  if (choice == "fail" || choice == "continue") return choice == "continue";
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{} = '{}' is not known; accepted: fail, continue", name, choice));
}

Status read_resume_options(const Options& options, Wanted& wanted) {
  wanted.resumes = options.get_or("exactly_once", "none") == "resume";
  MILLRACE_TRY(check_fits(options, "resume", {"resume_settle", "on_lost_tail"}));
  if (!wanted.resumes) return {};
  if (options.has("topic_column")) {
    return fail(ErrorCode::kNotSupported,
                "exactly_once = 'resume' is not built for a topic_column yet: what was written is "
                "looked for at the next start, in topics that are known then");
  }
  if (!wanted.keeps_partitions) {
    return fail(ErrorCode::kInvalidArgument,
                "exactly_once = 'resume' cannot be used with kafka.partitioner: a record that is "
                "made again must go to the same partition; records with a key go where Java's "
                "clients put them, the others to the partition of their source's number");
  }
  MILLRACE_ASSIGN(wanted.goes_on_without_tail, read_fail_or_continue(options, "on_lost_tail"));
  MILLRACE_ASSIGN(wanted.settle_ms, options.get_duration_ms("resume_settle", kSettleMs));
  wanted.reader_options = kafka_options_for(options, KafkaRole::kSource);
  return {};
}

// A transaction is begun by an epoch's first record: this is how long an epoch may take then.
constexpr const char* kTransactionTimeout = "transaction.timeout.ms";
constexpr const char* kTransactionTimeoutMs = "60000";

Status read_transaction_options(const Options& options, Wanted& wanted) {
  wanted.decides = options.get_or("exactly_once", "none") == "transaction";
  MILLRACE_TRY(check_fits(
      options, "transaction",
      {"on_lost_mark", "mark_topic", "transaction_prefix", "kafka.transaction.timeout.ms"}));
  if (!wanted.decides) return {};
  wanted.transaction_prefix = options.get_or("transaction_prefix", "millrace");
  wanted.mark_topic = options.get_or("mark_topic", wanted.topic);
  if (wanted.transaction_prefix.empty())
    return fail(ErrorCode::kInvalidArgument, "option transaction_prefix is empty");
  if (wanted.mark_topic.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "exactly_once = 'transaction' with topic_column alone needs the option mark_topic: "
                "a topic that is there for as long as the query, under whose name the newest "
                "epoch is noted (nothing is written to it)");
  }
  MILLRACE_ASSIGN(wanted.goes_on_without_mark, read_fail_or_continue(options, "on_lost_mark"));
  if (setting_of(wanted.settings, kTransactionTimeout).empty())
    wanted.settings.emplace_back(kTransactionTimeout, kTransactionTimeoutMs);
  wanted.reader_options = kafka_options_for(options, KafkaRole::kSource);
  return {};
}

Result<Wanted> read_options(const Options& options) {
  MILLRACE_TRY(options.check_known("kafka sink", known_options(), true));
  Wanted wanted;
  wanted.topic = options.get_or("topic", "");
  wanted.keeps_partitions = !options.has("kafka.partitioner");
  if (wanted.topic.empty() && !options.has("topic_column")) {
    return fail(ErrorCode::kInvalidArgument,
                "a kafka sink needs the option topic, or topic_column with a column's name");
  }
  MILLRACE_ASSIGN(wanted.may_create, options.get_bool("create_topics", false));
  MILLRACE_ASSIGN(const auto partitions, options.get_int("partitions", 1));
  if (partitions < 1 || partitions > kPartitionsMax) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("option partitions must be 1 to {}, not {}", kPartitionsMax, partitions));
  }
  wanted.partitions = static_cast<std::int32_t>(partitions);
  MILLRACE_ASSIGN(wanted.settings, kafka_settings(options, KafkaRole::kSink));
  MILLRACE_TRY(read_resume_options(options, wanted));
  MILLRACE_TRY(read_transaction_options(options, wanted));
  return wanted;
}

class KafkaSink final : public stream::Sink {
 public:
  KafkaSink(std::string name, Wanted wanted, std::unique_ptr<KafkaProducer> producer,
            const ConnectorContext& context)
      : name_(std::move(name)),
        wanted_(std::move(wanted)),
        context_(context),
        producer_(std::move(producer)) {}

  void set_events(SinkEvents events) override { producer_->set_events(std::move(events)); }
  Result<std::unique_ptr<SinkWriter>> open_writer(SchemaRef schema) override {
    return KafkaWriter::open(*producer_, wanted_.topic, schema, wanted_.keeps_partitions, resume_);
  }
  Status prime() override {
    return producer_->prime({{wanted_.topic, wanted_.may_create ? wanted_.partitions : 0}});
  }
  Result<stream::OutputEnds> output_ends() override {
    stream::OutputEnds ends;
    if (wanted_.topic.empty()) return ends;
    MILLRACE_ASSIGN(ends[wanted_.topic], producer_->ends_of(wanted_.topic));
    return ends;
  }
  Result<stream::Resumption> resume(const stream::ResumePoint& point) override;
  stream::OutputEnds acknowledged_ends() const override;
  void seal(Epoch epoch) override { producer_->seal(epoch); }
  std::int64_t in_flight() const override { return producer_->in_flight(); }
  std::int64_t acknowledged() const override { return producer_->acknowledged(); }
  LatencySnapshot acknowledge_latency() const override { return producer_->acknowledge_latency(); }
  void close() override { producer_->close(); }

 private:
  Result<operators::WrittenMarks> read_tail(const stream::ResumePoint& point) const;

  const std::string name_;
  const Wanted wanted_;
  const ConnectorContext context_;
  std::unique_ptr<KafkaProducer> producer_;
  std::shared_ptr<operators::ResumeLedger> resume_;  ///< null: delivers at least once
  std::map<std::int32_t, std::int64_t> from_;        ///< where the tail began, per partition
};

Result<stream::Resumption> KafkaSink::resume(const stream::ResumePoint& point) {
  MILLRACE_ASSIGN(const std::int32_t partitions, producer_->partitions_now(wanted_.topic));
  auto resume = std::make_shared<operators::ResumeLedger>();
  const auto id = formats::checkpoint_id_bytes(point.checkpoint_id);
  if (!id) return fail(ErrorCode::kInternal, "a checkpoint's id: " + point.checkpoint_id);
  resume->position.checkpoint = *id;
  resume->position.generation = static_cast<std::uint32_t>(point.generation.value);
  if (const auto from = point.from.find(wanted_.topic); from != point.from.end())
    from_ = from->second;
  // A partition that is not known to the newest commit has come since: all in it is behind that.
  for (std::int32_t number = 0; number < partitions; ++number) from_.try_emplace(number, 0);
  if (!point.is_first_start) {
    MILLRACE_ASSIGN(resume->tail, read_tail(point));
  }
  const auto known = point.partitions.find(wanted_.topic);
  resume->partitions = known == point.partitions.end() ? partitions : known->second;
  resume_ = std::move(resume);
  return stream::Resumption{!resume_->tail.empty(), {{wanted_.topic, partitions}}};
}

Result<operators::WrittenMarks> KafkaSink::read_tail(const stream::ResumePoint& point) const {
  KafkaClientSpec spec;
  spec.owner = "sink " + name_;
  MILLRACE_ASSIGN(spec.settings, kafka_settings(wanted_.reader_options, KafkaRole::kSource));
  spec.settings.emplace_back("isolation.level", "read_uncommitted");
  spec.log = context_.log;
  spec.cancelled = context_.cancelled;
  MILLRACE_ASSIGN(const auto client, KafkaClient::create(std::move(spec)));
  KafkaTailSpec tail;
  tail.topic = wanted_.topic;
  tail.from = from_;
  const auto known = point.from.find(wanted_.topic);
  for (auto& [number, from] : tail.from)
    if (known == point.from.end() || !known->second.contains(number)) from = kFromTheBeginning;
  tail.checkpoint = *formats::checkpoint_id_bytes(point.checkpoint_id);
  tail.generation = static_cast<std::uint32_t>(point.generation.value);
  tail.settle = std::chrono::milliseconds(wanted_.settle_ms);
  tail.goes_on_without = wanted_.goes_on_without_tail;
  return read_kafka_tail(*client, tail, context_.log);
}

stream::OutputEnds KafkaSink::acknowledged_ends() const {
  if (!resume_) return {};
  // Before everything that was written has come again, the old ends are the ones to begin at.
  std::map<std::int32_t, std::int64_t> ends = from_;
  if (resume_->behind.load() == 0) {
    const auto count = static_cast<std::int32_t>(from_.size());
    for (const auto& [partition, end] : producer_->acknowledged_ends(wanted_.topic, count))
      ends[partition] = std::max(ends[partition], end);
  }
  return {{wanted_.topic, std::move(ends)}};
}

}  // namespace

Result<stream::TableTraits> kafka_sink_traits(const stream::TableDefinition& table) {
  MILLRACE_TRY(read_options(table.options));
  return kafka_table_traits();
}

Result<std::unique_ptr<stream::Sink>> make_kafka_sink(const stream::SinkSpec& spec,
                                                      const ConnectorContext& context) {
  MILLRACE_ASSIGN(auto wanted, read_options(spec.table.options));
  if (wanted.decides) {
    return make_kafka_transaction_sink(
        {spec.table.name, wanted.topic, wanted.may_create ? wanted.partitions : 0,
         wanted.keeps_partitions},
        {wanted.settings, wanted.reader_options, wanted.transaction_prefix, wanted.mark_topic,
         wanted.goes_on_without_mark},
        context);
  }
  MILLRACE_ASSIGN(auto producer, KafkaProducer::create(spec.table.name, wanted.settings, context));
  return std::make_unique<KafkaSink>(spec.table.name, std::move(wanted), std::move(producer),
                                     context);
}

}  // namespace millrace::connectors
