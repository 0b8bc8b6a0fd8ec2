// The main job as a user runs it: the `millrace` binary in a process of its own, on a real broker;
// killed, left without broker, given bad records. The output is audited record by record.

#include "connectors/kafka_mock.hpp"
#include "connectors/kafka_probe.hpp"
#include "formats/json_document.hpp"
#include "tests/support/engine_process.hpp"
#include "tests/support/kafka_broker.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace millrace::support {
namespace {

using connectors::KafkaProbe;
using connectors::KafkaProbeRecord;

constexpr int kPartitions = 4;

// The issue's job, but for names: tests share a broker.
constexpr const char* kJob = R"(
CREATE TABLE clicks (ts bigint, seq bigint, user_id int, event_type text, price double precision, qty int, symbol text, note text)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json', starting_offsets = 'latest');
CREATE TABLE users (user_id int, country text, tier int) WITH (connector = 'file', path = 'users.csv', format = 'csv', header = 'true');
CREATE TABLE enriched () WITH (connector = 'kafka', bootstrap_servers = '${SINK_SERVERS}', topic = '${ENRICHED}', format = 'json');
SET checkpoint_location = 'chk/enrich';
SET trigger = 'real_time ${EPOCH}';
SET stop_timeout = '${STOP_TIMEOUT}';
INSERT INTO enriched
  SELECT c.*, u.country, u.tier FROM clicks c JOIN users u ON c.user_id = u.user_id WHERE c.event_type <> 'purchase';
)";

/// A folder with the job and its table, two topics, and a client beside the engine.
class JobTest : public KafkaBrokerTest {
 protected:
  void SetUp() override {
    KafkaBrokerTest::SetUp();
    if (!broker().is_available()) return;
    probe_ = KafkaProbe::open(broker().bootstrap_servers()).value();
    clicks_ = broker().unique_topic("clicks");
    enriched_ = broker().unique_topic("enriched");
    for (const std::string& topic : {clicks_, enriched_})
      ASSERT_TRUE(probe_->create_topic(topic, kPartitions).has_value());
    std::string name = (std::filesystem::temp_directory_path() / "millrace-job.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(folder_ / "job.sql") << kJob;
    std::ofstream users(folder_ / "users.csv");
    users << "user_id,country,tier\n1,DE,3\n2,FR,1\n3,\"Côte d'Ivoire\",2\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<EngineProcess> start(const std::map<std::string, std::string>& environment = {},
                                       const std::string& stop_timeout = "30 seconds") {
    return std::make_unique<EngineProcess>(
        std::vector<std::string>{
            "run", "job.sql", "--set", "SERVERS=" + broker().bootstrap_servers(), "--set",
            "SINK_SERVERS=" +
                (sink_servers_.empty() ? broker().bootstrap_servers() : sink_servers_),
            "--set", "CLICKS=" + clicks_, "--set", "ENRICHED=" + enriched_, "--set", "EPOCH=20 ms",
            "--set", "STOP_TIMEOUT=" + stop_timeout},
        folder_, environment);
  }
  static std::string click(std::int64_t seq, int user, const std::string& event) {
    return R"({"ts":1,"seq":)" + std::to_string(seq) + R"(,"user_id":)" + std::to_string(user) +
           R"(,"event_type":")" + event + R"(","price":1.5,"qty":2,"symbol":"A","note":"n"})";
  }
  void write(KafkaProbeRecord record) { ASSERT_TRUE(probe_->write(clicks_, record).has_value()); }
  /// Waits until the output satisfies `is_enough`, at most a minute; gives it.
  template <typename Predicate>
  std::vector<KafkaProbeRecord> await_output_until(Predicate is_enough) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      std::vector<KafkaProbeRecord> seen = probe_->read_all(enriched_).value();
      if (is_enough(seen) || std::chrono::steady_clock::now() > limit) return seen;
    }
  }
  std::vector<KafkaProbeRecord> await_output(std::size_t count) {
    return await_output_until([count](const auto& seen) { return seen.size() >= count; });
  }

  std::unique_ptr<KafkaProbe> probe_;
  std::string clicks_;
  std::string enriched_;
  std::string sink_servers_;  ///< empty: those of the broker
  std::filesystem::path folder_;
};

TEST_F(JobTest, EnrichesFiltersAndPassesKeyHeadersAndTimestampOn) {
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write({"k1",
         click(9007199254740993, 3, "view"),
         {{"trace", "abc"}, {"trace", std::nullopt}},
         0,
         -1,
         1'700'000'000'123});
  write({"k2", click(2, 1, "purchase"), {}, 0, -1, 5});
  write({"k3", click(3, 77, "view"), {}, 0, -1, 5});  // no such user
  write({std::nullopt, click(4, 2, "click"), {}, 0, -1, 6});
  ASSERT_TRUE(probe_->flush().has_value());
  const std::vector<KafkaProbeRecord> out = await_output(2);
  engine->signal(SIGTERM);
  EXPECT_EQ(engine->wait(), 0) << engine->said();

  ASSERT_EQ(out.size(), 2U);
  const auto& first = out[0].key ? out[0] : out[1];
  const auto& second = out[0].key ? out[1] : out[0];
  EXPECT_EQ(first.value,
            R"({"ts":1,"seq":9007199254740993,"user_id":3,"event_type":"view","price":1.5,"qty":2,)"
            R"("symbol":"A","note":"n","country":"Côte d'Ivoire","tier":2})");
  EXPECT_EQ(first.key, "k1");
  EXPECT_EQ(first.timestamp_ms, 1'700'000'000'123);
  EXPECT_EQ(first.headers,
            (std::vector<KafkaProbeRecord::Header>{{"trace", "abc"}, {"trace", std::nullopt}}));
  EXPECT_EQ(second.value,
            R"({"ts":1,"seq":4,"user_id":2,"event_type":"click","price":1.5,"qty":2,"symbol":"A",)"
            R"("note":"n","country":"FR","tier":1})");
  EXPECT_EQ(second.key, std::nullopt);
  EXPECT_EQ(second.timestamp_ms, 6);
}

/// Writes clicks at a steady rate from a thread of its own, all of them kept by the job.
class SteadyClicks {
 public:
  SteadyClicks(std::string servers, std::string topic, int rate)
      : thread_([this, servers = std::move(servers), topic = std::move(topic), rate] {
          const auto probe = KafkaProbe::open(servers).value();
          const auto begin = std::chrono::steady_clock::now();
          while (!stopping_.load()) {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
            while (written_ < static_cast<std::int64_t>(passed.count() * rate)) {
              const std::int64_t seq = written_++;
              KafkaProbeRecord record;
              record.partition = static_cast<std::int32_t>(seq % kPartitions);
              record.key = "k" + std::to_string(seq % 13);
              record.value = R"({"seq":)" + std::to_string(seq) + R"(,"user_id":)" +
                             std::to_string(seq % 3 + 1) + R"(,"event_type":"view"})";
              if (!probe->write(topic, record)) ok_ = false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
          }
          if (!probe->flush()) ok_ = false;
        }) {}
  ~SteadyClicks() { (void)stop(); }

  /// How many were written, all of them acknowledged; -1 when one was not.
  std::int64_t stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
    return ok_ ? written_ : -1;
  }

 private:
  std::atomic<bool> stopping_{false};
  std::int64_t written_ = 0;
  bool ok_ = true;
  std::thread thread_;
};

class CrashTest : public JobTest {
 protected:
  /// Runs to the end of what was written and stops; then every record must be there, and per
  /// (source partition, output partition) the first appearances in order.
  void finish_and_audit(std::int64_t written) {
    ASSERT_GT(written, 0);
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::set<std::int64_t> seen;
    const auto out = await_output_until([&](const std::vector<KafkaProbeRecord>& records) {
      seen.clear();
      for (const KafkaProbeRecord& record : records) seen.insert(seq_of(record));
      return static_cast<std::int64_t>(seen.size()) >= written;
    });
    ASSERT_EQ(static_cast<std::int64_t>(seen.size()), written) << "records are lost";
    engine->signal(SIGTERM);
    EXPECT_EQ(engine->wait(), 0) << engine->said();
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), written - 1);
    audit_order(out);
  }
  static void audit_order(const std::vector<KafkaProbeRecord>& out) {
    std::set<std::int64_t> seen;
    std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t> newest;
    for (const KafkaProbeRecord& record : out) {
      const std::int64_t seq = seq_of(record);
      if (!seen.insert(seq).second) continue;  // a replay
      auto& before = newest.try_emplace({seq % kPartitions, record.partition}, -1).first->second;
      EXPECT_GT(seq, before) << "out of order in output partition " << record.partition;
      before = seq;
    }
  }
  static std::int64_t seq_of(const KafkaProbeRecord& record) {
    return formats::JsonValue::parse(record.value.value()).value().get_integer("seq").value();
  }
};

TEST_F(CrashTest, LosesNothingWhenKilledAtTwentyRandomMoments) {
  std::mt19937 random(20);
  {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }  // killed before the first record: `latest` must not be resolved anew
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 2000);
  for (int life = 0; life < 20; ++life) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 200));
    engine->kill();
  }
  finish_and_audit(clicks.stop());
}

class StopPointTest : public CrashTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(StopPointTest, LosesNothingWhenKilledThere) {
  {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 2000);
  for (int life = 0; life < 3; ++life) {
    const auto engine = start({{"MILLRACE_STOP_AT", std::string(GetParam()) + ":3"}});
    EXPECT_EQ(engine->wait(), -SIGKILL) << "it never passed there: " << engine->said();
  }
  finish_and_audit(clicks.stop());
}

INSTANTIATE_TEST_SUITE_P(OfTheCommit, StopPointTest,
                         ::testing::Values("before_stage", "before_offsets", "after_offsets",
                                           "after_prepared", "before_commit", "after_commit"));

TEST_F(CrashTest, WaitsForABrokerThatDiesAndGoesOnByItself) {
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  for (int seq = 0; seq < 100; ++seq)
    write({std::nullopt, click(seq, 1, "view"), {}, seq % kPartitions});
  ASSERT_TRUE(probe_->flush().has_value());
  await_output(100);

  broker().kill();
  ASSERT_TRUE(engine->await_line("no broker of")) << engine->said();
  broker().restart();
  for (int seq = 100; seq < 200; ++seq)
    write({std::nullopt, click(seq, 1, "view"), {}, seq % kPartitions});
  ASSERT_TRUE(probe_->flush(60'000).has_value());
  EXPECT_EQ(await_output(200).size(), 200U);
  EXPECT_TRUE(engine->await_line("answers again")) << engine->said();
  engine->signal(SIGTERM);
  EXPECT_EQ(engine->wait(), 0) << engine->said();
}

TEST_F(JobTest, EndsWithItsOwnExitCodeWhenItCannotDrainInTime) {
  // The sink's cluster is one of its own, which acknowledges nothing from its second life on.
  const auto mock = connectors::KafkaMock::start().value();
  ASSERT_TRUE(mock->create_topic(enriched_, 1));
  sink_servers_ = mock->bootstrap_servers();
  {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }  // killed: the next one begins with what is written now
  write({std::nullopt, click(1, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush().has_value());
  mock->push_produce_answer(connectors::KafkaMockError::kRequestTimedOut, 10'000);

  // Nobody sees from outside when the row is read: a life that ended well had not read it, and the
  // next one is left more time.
  std::string said;
  int code = 0;
  for (int patience_ms = 10; code == 0 && patience_ms < 20'000; patience_ms *= 2) {
    const auto engine = start({}, "300 ms");
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms));
    engine->signal(SIGTERM);
    code = engine->wait();
    said = engine->said();
  }
  EXPECT_EQ(code, 3) << said;
  EXPECT_NE(said.find("stop_timeout"), std::string::npos) << said;
  EXPECT_EQ(said.find("failed"), std::string::npos) << said;

  // The open epoch runs again.
  mock->clear_produce_answers();
  const auto last = start();
  ASSERT_TRUE(last->await_ready()) << last->said();
  const auto reader = KafkaProbe::open(sink_servers_).value();
  while (reader->read_all(enriched_).value().empty()) {
  }
  last->signal(SIGTERM);
  EXPECT_EQ(last->wait(), 0) << last->said();
}

TEST_F(JobTest, StopsAtABadRecordAndPointsAtItAgainAfterARestart) {
  auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write({std::nullopt, click(0, 1, "view"), {}, 2});
  write({std::nullopt, R"({"seq":1,"user_id":)", {}, 2});
  ASSERT_TRUE(probe_->flush().has_value());
  EXPECT_EQ(engine->wait(), 1);
  const std::string place = "topic " + clicks_ + ", partition 2, offset 1";
  EXPECT_NE(engine->said().find(place), std::string::npos) << engine->said();

  engine = start();
  EXPECT_EQ(engine->wait(), 1);
  EXPECT_NE(engine->said().find(place), std::string::npos) << engine->said();
}

TEST_F(JobTest, RefusesATopicThatDoesNotExistNamingTheNearest) {
  const std::string existing = broker().unique_topic("orders-of-the-day");
  ASSERT_TRUE(probe_->create_topic(existing, 1).has_value());
  clicks_ = "orders-of-teh-day" + existing.substr(existing.rfind('-'));
  const auto engine = start();
  EXPECT_EQ(engine->wait(), 2) << engine->said();
  EXPECT_NE(engine->said().find(clicks_), std::string::npos) << engine->said();
  EXPECT_NE(engine->said().find(existing), std::string::npos) << engine->said();
}

TEST_F(JobTest, FixesNoStartPositionsWhenTheStartIsRefused) {
  const std::filesystem::path positions = folder_ / "chk/enrich/enriched/sources/start";
  const std::string existing = enriched_;
  enriched_ += "-missing";
  EXPECT_EQ(start()->wait(), 2);
  EXPECT_FALSE(std::filesystem::exists(positions));

  enriched_ = existing;
  std::ofstream(folder_ / "users.csv") << "user_id,country,tier\nnobody,DE,3\n";
  const auto engine = start();
  EXPECT_EQ(engine->wait(), 2) << engine->said();
  EXPECT_NE(engine->said().find("users.csv, line 2, column user_id"), std::string::npos)
      << engine->said();
  EXPECT_FALSE(std::filesystem::exists(positions));
}

TEST_F(JobTest, RefusesACheckpointThatALiveProcessHolds) {
  const auto first = start();
  ASSERT_TRUE(first->await_ready()) << first->said();
  const auto second = start();
  EXPECT_EQ(second->wait(), 2) << second->said();
  EXPECT_NE(second->said().find("in use by process"), std::string::npos) << second->said();
}

TEST_F(JobTest, EndsAtOnceAtASecondSignal) {
  // A sink that acknowledges nothing makes the first signal's drain last for its 30 s.
  const auto mock = connectors::KafkaMock::start().value();
  ASSERT_TRUE(mock->create_topic(enriched_, 1));
  sink_servers_ = mock->bootstrap_servers();
  {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }
  write({std::nullopt, click(1, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush().has_value());
  mock->push_produce_answer(connectors::KafkaMockError::kRequestTimedOut, 10'000);

  int code = 0;  // 0: it had not read the row yet, so there was nothing to drain
  for (int patience_ms = 10; code == 0 && patience_ms < 20'000; patience_ms *= 2) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms));
    engine->signal(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms));
    engine->signal(SIGTERM);
    code = engine->wait();
  }
  EXPECT_EQ(code, 128 + SIGTERM);
}

TEST_F(JobTest, RunsTheSameFromCpp) {
  // examples/enrich names its topics itself.
  for (const char* topic : {"clicks", "enriched"})
    ASSERT_TRUE(probe_->create_topic(topic, 1).has_value());
  EngineProcess example({broker().bootstrap_servers(), "users.csv", "chk-cpp"}, folder_, {},
                        "millrace_enrich");
  ASSERT_TRUE(example.await_line("ready; press Enter")) << example.said();
  for (const char* event : {"purchase", "view"})
    ASSERT_TRUE(probe_->write("clicks", {"k", click(2, 3, event), {}, 0}).has_value());
  ASSERT_TRUE(probe_->flush().has_value());
  enriched_ = "enriched";
  const std::vector<KafkaProbeRecord> out = await_output(1);
  example.close_input();
  EXPECT_EQ(example.wait(), 0) << example.said();
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(
      out[0].value,
      R"({"seq":2,"user_id":3,"event_type":"view","price":1.5,"country":"Côte d'Ivoire","tier":2})");
}

}  // namespace
}  // namespace millrace::support
