// Counted from the Kafka client's message to rd_kafka_produceva: poll, decode, filter, static join,
// encode, hand-over. What happens inside the client's own functions is excluded, by name.
// Everything else is real: reader, chain, writer, actors, checkpoints every 10 ms.

#include "millrace/sql.hpp"

#include "actors/actor_runtime.hpp"
#include "connectors/connector_registry.hpp"
#include "connectors/kafka_mock.hpp"
#include "operators/static_table.hpp"
#include "session/query_builder.hpp"
#include "state/posix_disk.hpp"
#include "tests/hot_path/call_counter.hpp"
#include "tests/hot_path/kafka_calls.hpp"
#include "tests/session/launch_double.hpp"
#include "tests/support/forwarding_source.hpp"

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
class WatchedReader final : public support::ForwardingReader {
 public:
  using ForwardingReader::ForwardingReader;

  [[nodiscard]] Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) override {
    enter_hot_path();
    auto outcome = ForwardingReader::poll(out, rows_max, limit);
    if (!outcome || *outcome != stream::PollOutcome::kRows) leave_hot_path();
    return outcome;
  }
};

class WatchedSource final : public support::ForwardingSource {
 public:
  using ForwardingSource::ForwardingSource;

  [[nodiscard]] Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override {
    MILLRACE_ASSIGN(auto reader, ForwardingSource::open_reader(partition, position, columns));
    return std::make_unique<WatchedReader>(std::move(reader));
  }
  [[nodiscard]] Status prime() override { return {}; }  // nothing is ever fetched
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

// The README's job in small. Good records only come; that bad ones would be kept as they came must
// cost these nothing.
constexpr const char* kJob = R"(
CREATE TABLE clicks (seq bigint, user_id int, event_type text, price double precision, note text)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'clicks', format = 'json', starting_offsets = 'earliest',
        on_bad_record = 'dead_letter', dead_letter_topic = 'letters');
CREATE TABLE users (user_id int, country text) WITH (connector = 'file', path = 'users.csv', format = 'csv', header = 'true');
CREATE TABLE enriched () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'enriched', format = 'json');
INSERT INTO enriched
  SELECT c.*, u.country FROM clicks c JOIN users u ON c.user_id = u.user_id WHERE c.event_type <> 'purchase';
)";

/// What a session plans for the job, which is what would run.
Result<stream::PhysicalPlan> plan_on(const std::string& servers) {
  session::LaunchLog log;
  Session session;
  session::use_doubles(session, log);
  std::string job = kJob;
  for (std::size_t at = 0; (at = job.find("${SERVERS}", at)) != std::string::npos;)
    job.replace(at, 10, servers);
  MILLRACE_TRY(run_sql(session, job));
  return std::move(log.launches.at(0).plan);
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
    const LogFunction log = [](LogLevel, std::string_view) { note_log_line(); };
    const connectors::ConnectorContext context{clock_, log};
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
    settings.log = log;
    settings.disk = &disk_;
    settings.checkpoint_folder = folder_ / "enriched";
    settings.plan_identity = "{}";
    settings.trigger.interval_ms = 10;
    MILLRACE_ASSIGN(stream::PhysicalPlan plan, plan_on(servers));
    return session::build_query(std::move(plan), connectors, settings);
  }

  const SystemClock clock_;
  state::PosixDisk disk_;
  const std::filesystem::path folder_;
};

TEST_P(HotPath, AllocatesLocksLogsAndCallsTheSystemNotOncePerRecord) {
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
  EXPECT_EQ(seen.log_lines, 0);
  if (!counts_system_calls())
    GTEST_LOG_(WARNING) << "this kernel does not tell of system calls: they were not counted";
}

INSTANTIATE_TEST_SUITE_P(RowsPerBatch, HotPath, ::testing::Values(1, 1024));

TEST(CallCounter, NoticesAnAllocationALockALogLineAndASystemCall) {
  reset_counts();
  static std::mutex mutex;
  enter_hot_path();
  void* volatile memory = malloc(16);
  free(memory);
  mutex.lock();
  mutex.unlock();
  getppid();
  note_log_line();
  leave_hot_path();
  note_log_line();  // elsewhere words are free
  const CallCounts seen = counts();
  EXPECT_EQ(seen.allocations, 1);
  EXPECT_EQ(seen.frees, 1);
  EXPECT_EQ(seen.locks, 1);
  EXPECT_EQ(seen.log_lines, 1);
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
