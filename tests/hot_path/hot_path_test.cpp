// Counted from the Kafka client's message to rd_kafka_produceva: poll, decode, filter, static join,
// encode, hand-over. What happens inside the client's own functions is excluded, by name.
// Everything else is real: reader, chain, writer, actors, checkpoints every 10 ms.

#include "millrace/expression.hpp"

#include "actors/actor_runtime.hpp"
#include "connectors/connector_registry.hpp"
#include "connectors/kafka_mock.hpp"
#include "operators/static_table.hpp"
#include "session/query_builder.hpp"
#include "state/posix_disk.hpp"
#include "stream/expression_binder.hpp"
#include "tests/hot_path/call_counter.hpp"
#include "tests/hot_path/kafka_calls.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <random>
#include <thread>

namespace millrace::hot_path {
namespace {

constexpr std::int64_t kRecords = 1'000'000;
constexpr std::int64_t kWarmUp = 10'000;

/// Enters the hot path when a poll begins, leaves it when the poll found nothing.
class WatchedReader final : public stream::SourceReader {
 public:
  explicit WatchedReader(std::unique_ptr<stream::SourceReader> inner) : inner_(std::move(inner)) {}
  [[nodiscard]] const SchemaRef& schema() const override { return inner_->schema(); }
  [[nodiscard]] std::int64_t position() const override { return inner_->position(); }
  void on_wake(std::function<void()> wake) override { inner_->on_wake(std::move(wake)); }
  [[nodiscard]] Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) override {
    enter_hot_path();
    auto outcome = inner_->poll(out, rows_max, limit);
    if (!outcome || *outcome != stream::PollOutcome::kRows) leave_hot_path();
    return outcome;
  }

 private:
  std::unique_ptr<stream::SourceReader> inner_;
};

class WatchedSource final : public stream::Source {
 public:
  explicit WatchedSource(std::unique_ptr<stream::Source> inner) : inner_(std::move(inner)) {}
  Result<std::vector<stream::SourcePartition>> partitions() override {
    return inner_->partitions();
  }
  Result<stream::Positions> start_positions() override { return inner_->start_positions(); }
  Result<stream::Positions> earliest_positions() override { return inner_->earliest_positions(); }
  Result<stream::Positions> end_positions() override { return inner_->end_positions(); }
  Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override {
    MILLRACE_ASSIGN(auto reader, inner_->open_reader(partition, position, columns));
    return std::make_unique<WatchedReader>(std::move(reader));
  }
  bool is_replayable() const override { return true; }
  Status prime() override { return {}; }  // nothing is ever fetched
  void close() override { inner_->close(); }
  stream::LatencySnapshot fetch_latency() const override { return inner_->fetch_latency(); }

 private:
  std::unique_ptr<stream::Source> inner_;
};

/// Clicks with text of 0 to 64 kB (most of it short), nulls, missing fields and escapes.
std::vector<std::string> varied_clicks() {
  static const char* const kEvents[] = {"view", "click", "purchase"};
  static const char* const kPieces[] = {
      "plain text ",           "tab\\t",         "quote\\\" ",    "\\u00e9\\u20ac",
      "\xc3\xa9\xe2\x82\xac ", "back\\\\slash ", "\\ud83d\\ude00"};
  std::mt19937 random(7);
  std::vector<std::string> values;
  for (int number = 0; number < 4099; ++number) {
    // One in 64 may reach 64 kB: a million of those would be 32 GB.
    const std::size_t limit = random() % 64 == 0 ? 64 * 1024 : 300;
    const std::size_t length = random() % (limit + 1);
    std::string note;
    while (note.size() + 16 < length) note += kPieces[random() % 7];
    std::string value = "{\"seq\":" + std::to_string(number);
    if (random() % 10 != 0) value += ",\"user_id\":" + std::to_string(random() % 120);
    value += std::string(",\"event_type\":\"") + kEvents[random() % 3] + "\"";
    value += random() % 8 == 0 ? ",\"price\":null"
                               : ",\"price\":" + std::to_string(random() % 1000) + ".25";
    value += random() % 8 == 0 ? "" : ",\"note\":\"" + note + "\"";
    values.push_back(value + "}");
  }
  return values;
}

const std::vector<Field>& record_fields() {
  static const std::vector<Field> fields = {
      {"value", TypeKind::kBytes},
      {"key", TypeKind::kBytes},
      {"timestamp", TypeKind::kTimestamp},
      {"headers", DataType::array(DataType::structure(
                      {{"key", TypeKind::kString}, {"value", TypeKind::kBytes}}))}};
  return fields;
}

stream::PhysicalPlan plan_on(const std::string& servers) {
  const std::vector<Field> fields = {{"seq", TypeKind::kInt64},
                                     {"user_id", TypeKind::kInt32},
                                     {"event_type", TypeKind::kString},
                                     {"price", TypeKind::kDouble},
                                     {"note", TypeKind::kString}};
  std::vector<Field> decoded = fields;
  decoded.insert(decoded.end(), record_fields().begin() + 1, record_fields().end());
  std::vector<stream::InputField> inputs;
  for (const Field& field : decoded) inputs.push_back({"c", field.name, field.type, false});
  const auto bind = [&inputs](const Expr& expression) {
    return *stream::bind(expression, inputs, stream::FunctionRegistry::builtin());
  };

  stream::ChainSpec chain;
  chain.source.table = {"clicks",
                        "kafka",
                        fields,
                        {{"bootstrap_servers", servers},
                         {"topic", "clicks"},
                         {"format", "json"},
                         {"starting_offsets", "earliest"}}};
  for (const Field& field : record_fields()) chain.source.record_columns.push_back(field.name);
  chain.source.schema = make_schema(record_fields());

  stream::DecodeSpec decode;
  decode.format = "json";
  decode.fields = fields;
  decode.passed_columns = {1, 2, 3};
  decode.output = make_schema(decoded);

  stream::StaticJoinSpec join;
  join.table.name = "users";
  join.table_schema = {{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}};
  join.stream_keys = {bind(col("user_id"))};
  join.table_keys = {0};
  join.stream_columns = {0, 1, 2, 3, 4, 5, 6, 7};
  join.table_columns = {1};
  decoded.push_back({"country", TypeKind::kString});
  join.output = make_schema(decoded);

  stream::EncodeSpec encode;
  encode.format = "json";
  encode.value_columns = {0, 1, 2, 3, 4, 8};
  encode.value_names = {"seq", "user_id", "event_type", "price", "note", "country"};
  encode.key_column = 5;
  encode.timestamp_column = 6;
  encode.headers_column = 7;
  encode.output =
      make_schema({record_fields()[0], record_fields()[1], record_fields()[3], record_fields()[2]});

  stream::SinkSpec sink;
  sink.table = {"enriched",
                "kafka",
                {},
                {{"bootstrap_servers", servers}, {"topic", "enriched"}, {"format", "json"}}};
  sink.delivery = "none";
  sink.schema = encode.output;

  chain.nodes.push_back({std::move(decode), {1}});
  chain.nodes.push_back({stream::FilterSpec{bind(col("event_type") != lit("purchase"))}, {2}});
  chain.nodes.push_back({std::move(join), {3}});
  chain.nodes.push_back({std::move(encode), {4}});
  chain.nodes.push_back({std::move(sink), {}});
  // Good records only come; that bad ones would be kept as they came must cost these nothing.
  stream::DeadLetterSpec letters;
  letters.value_column = 0;
  letters.key_column = 1;
  letters.timestamp_column = 2;
  letters.headers_column = 3;
  letters.sink.table = {
      "letters", "kafka", {}, {{"bootstrap_servers", servers}, {"topic", "letters"}}};
  letters.sink.schema =
      make_schema({record_fields()[0], record_fields()[1], record_fields()[3], record_fields()[2]});
  chain.bad_records.policy.on_decode = stream::OnBadRecord::kDeadLetter;
  chain.bad_records.policy.on_row = stream::OnBadRecord::kDeadLetter;
  chain.bad_records.dead_letter = std::move(letters);

  stream::PhysicalPlan plan;
  plan.name = "enriched";
  plan.chains.push_back(std::move(chain));
  return plan;
}

Result<std::shared_ptr<const operators::StaticTable>> users_table() {
  formats::TableRows rows(
      make_schema({{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}}));
  for (std::int32_t user = 0; user < 100; ++user) {
    rows.columns[0].append(user);
    rows.columns[1].append(rows.arena.store(user % 2 == 0 ? "DE" : "a longer country name"));
    ++rows.rows;
  }
  return operators::StaticTable::build(std::move(rows), {0});
}

class HotPath : public ::testing::TestWithParam<std::int64_t> {
 protected:
  HotPath() : folder_(std::filesystem::temp_directory_path() / "millrace-hot-path") {
    std::filesystem::remove_all(folder_);
  }
  ~HotPath() override { std::filesystem::remove_all(folder_); }

  Result<session::BuiltQuery> build(const std::string& servers) {
    const connectors::ConnectorContext context{clock_, {}};
    session::ConnectorFactory connectors;
    connectors.make_source =
        [&](const stream::SourceSpec& spec) -> Result<std::unique_ptr<stream::Source>> {
      MILLRACE_ASSIGN(auto source, connectors::make_source(spec, context));
      return std::make_unique<WatchedSource>(std::move(source));
    };
    connectors.make_sink = [&](const stream::SinkSpec& spec) {
      return connectors::make_sink(spec, context);
    };
    connectors.load_table = [](const stream::StaticJoinSpec&) { return users_table(); };
    session::BuildSettings settings;
    settings.clock = &clock_;
    settings.log = [](LogLevel, std::string_view) {};
    settings.disk = &disk_;
    settings.checkpoint_folder = folder_ / "enriched";
    settings.plan_identity = "{}";
    settings.trigger.interval_ms = 10;
    return session::build_query(plan_on(servers), connectors, settings);
  }

  const SystemClock clock_;
  state::PosixDisk disk_;
  const std::filesystem::path folder_;
};

TEST_P(HotPath, AllocatesLocksAndCallsTheSystemNotOncePerRecord) {
  auto mock = connectors::KafkaMock::start();
  ASSERT_TRUE(mock.has_value()) << mock.error().message;
  for (const char* topic : {"clicks", "enriched", "letters"})
    ASSERT_TRUE((*mock)->create_topic(topic, 1).has_value());
  begin_feed({varied_clicks(), kRecords, GetParam()});
  at_record(kWarmUp, [] { reset_counts(); });

  auto built = build((*mock)->bootstrap_servers());
  ASSERT_TRUE(built.has_value()) << built.error().message;
  const auto metrics = std::move(built->metrics);
  std::mutex mutex;
  std::condition_variable changed;
  bool has_ended = false;
  std::optional<Error> failure;
  int epochs = 0;
  actors::RuntimeEvents events;
  events.committed = [&](const actors::ClosedEpoch&) { ++epochs; };
  events.ended = [&](std::optional<Error> cause) {
    const std::lock_guard lock(mutex);
    failure = std::move(cause);
    has_ended = true;
    changed.notify_all();
  };
  actors::ActorRuntime runtime(std::move(built->parts), {}, std::move(events));
  runtime.start();
  while (records_given() < kRecords && !failure) std::this_thread::yield();
  const CallCounts seen = counts();
  runtime.post(actors::StopRequested{});
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return has_ended; });
  }
  runtime.shut_down();
  end_feed();

  EXPECT_FALSE(failure.has_value()) << failure->message;
  EXPECT_EQ(records_given(), kRecords);
  EXPECT_GT(records_produced(), kRecords / 3) << "two of three events are kept, most users known";
  EXPECT_GT(epochs, 5) << "checkpoints ran meanwhile";
  EXPECT_EQ(seen.allocations, 0);
  EXPECT_EQ(seen.frees, 0);
  EXPECT_EQ(seen.locks, 0);
  EXPECT_EQ(seen.system_calls, 0);
  if (!counts_system_calls())
    GTEST_LOG_(WARNING) << "this kernel does not tell of system calls: they were not counted";
}

INSTANTIATE_TEST_SUITE_P(RowsPerBatch, HotPath, ::testing::Values(1, 1024));

TEST(CallCounter, NoticesAnAllocationALockAndASystemCall) {
  reset_counts();
  static std::mutex mutex;
  enter_hot_path();
  void* volatile memory = malloc(16);
  free(memory);
  mutex.lock();
  mutex.unlock();
  getppid();
  leave_hot_path();
  const CallCounts seen = counts();
  EXPECT_EQ(seen.allocations, 1);
  EXPECT_EQ(seen.frees, 1);
  EXPECT_EQ(seen.locks, 1);
  if (counts_system_calls()) {
    EXPECT_EQ(seen.system_calls, 1);
  }
}

TEST(CallCounter, LeavesOutWhatHappensInsideTheClient) {
  reset_counts();
  enter_hot_path();
  {
    const ClientCall inside;
    void* volatile memory = malloc(16);
    free(memory);
  }
  leave_hot_path();
  EXPECT_EQ(counts().allocations, 0);
}

}  // namespace
}  // namespace millrace::hot_path
