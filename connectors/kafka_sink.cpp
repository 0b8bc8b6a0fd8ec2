#include "connectors/kafka_sink.hpp"

#include "connectors/kafka_producer.hpp"
#include "connectors/kafka_record.hpp"
#include "connectors/kafka_writer.hpp"
#include "formats/csv_scanner.hpp"

#include <fmt/format.h>

#include <array>

namespace millrace::connectors {
namespace {

using stream::LatencySnapshot;
using stream::SinkEvents;
using stream::SinkWriter;

// Those of the planner are known by name here too, so that a slip is found.
constexpr std::array<std::string_view, 16> kOptions = {
    "bootstrap_servers", "topic",         "topic_column",     "key_column", "headers_column",
    "partition_column",  "value_column",  "timestamp_column", "key",        "headers",
    "timestamp",         "create_topics", "partitions",       "format",     "payload_columns",
    "exactly_once"};

std::vector<std::string_view> known_options() {
  std::vector<std::string_view> known(kOptions.begin(), kOptions.end());
  known.insert(known.end(), formats::CsvSyntax::kKeys.begin(), formats::CsvSyntax::kKeys.end());
  return known;
}

constexpr std::int64_t kPartitionsMax = 10'000;

// Everything the options say, checked.
struct Wanted {
  std::string topic;
  bool may_create = false;
  std::int32_t partitions = 1;
  bool keeps_partitions = true;  ///< unless the user chose a partitioner
  KafkaSettings settings;
};

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
  return wanted;
}

class KafkaSink final : public stream::Sink {
 public:
  KafkaSink(Wanted wanted, std::unique_ptr<KafkaProducer> producer)
      : wanted_(std::move(wanted)), producer_(std::move(producer)) {}

  void set_events(SinkEvents events) override { producer_->set_events(std::move(events)); }
  Result<std::unique_ptr<SinkWriter>> open_writer(SchemaRef schema) override {
    return KafkaWriter::open(*producer_, wanted_.topic, schema, wanted_.keeps_partitions);
  }
  Status prime() override {
    return producer_->prime(wanted_.topic, wanted_.may_create ? wanted_.partitions : 0);
  }
  Result<stream::OutputEnds> output_ends() override {
    stream::OutputEnds ends;
    if (wanted_.topic.empty()) return ends;
    MILLRACE_ASSIGN(ends[wanted_.topic], producer_->ends_of(wanted_.topic));
    return ends;
  }
  void seal(Epoch epoch) override { producer_->seal(epoch); }
  std::int64_t in_flight() const override { return producer_->in_flight(); }
  std::int64_t acknowledged() const override { return producer_->acknowledged(); }
  LatencySnapshot acknowledge_latency() const override { return producer_->acknowledge_latency(); }
  void close() override { producer_->close(); }

 private:
  const Wanted wanted_;
  std::unique_ptr<KafkaProducer> producer_;
};

}  // namespace

Result<stream::TableTraits> kafka_sink_traits(const stream::TableDefinition& table) {
  MILLRACE_TRY(read_options(table.options));
  return kafka_table_traits();
}

Result<std::unique_ptr<stream::Sink>> make_kafka_sink(const stream::SinkSpec& spec,
                                                      const ConnectorContext& context) {
  MILLRACE_ASSIGN(auto wanted, read_options(spec.table.options));
  MILLRACE_ASSIGN(auto producer, KafkaProducer::create(spec.table.name, wanted.settings, context));
  return std::make_unique<KafkaSink>(std::move(wanted), std::move(producer));
}

}  // namespace millrace::connectors
