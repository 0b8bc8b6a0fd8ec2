#pragma once

#include "formats/json_document.hpp"
#include "tests/broker/topic_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

// The main job for tests that run it as a user does, and the audit of what it wrote.

namespace millrace::support {

inline constexpr int kPartitions = 4;

// The issue's job, but for names: tests share a broker.
inline constexpr const char* kJob = R"(
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

/// A folder with the job and its table, and two topics.
class JobTest : public TopicTest {
 protected:
  void SetUp() override {
    TopicTest::SetUp();
    if (!broker().is_available()) return;
    clicks_ = create("clicks", kPartitions);
    enriched_ = create("enriched", kPartitions);
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
  static std::int64_t seq_of(const KafkaProbeRecord& record) {
    return formats::JsonValue::parse(record.value.value()).value().get_integer("seq").value();
  }
  void write_click(const KafkaProbeRecord& record) { ASSERT_TRUE(probe_->write(clicks_, record)); }
  void await_output(std::size_t count) { await(enriched_, count); }
  Records output() { return read(enriched_); }
  /// What `millrace explain` prints, both streams.
  std::string explained(const std::map<std::string, std::string>& environment) const {
    EngineProcess engine(
        {"explain", "job.sql", "--set", "CLICKS=" + clicks_, "--set", "ENRICHED=" + enriched_},
        folder_, environment);
    (void)engine.wait();
    return engine.shown() + engine.said();
  }
  /// The files below the job's folder, but the job itself, that hold this text.
  std::vector<std::string> files_with(const std::string& text) const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file() || entry.path().filename() == "job.sql") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(file)), {});
      if (bytes.find(text) != std::string::npos) found.push_back(entry.path().string());
    }
    return found;
  }

  std::string clicks_;
  std::string enriched_;
  std::string sink_servers_;  ///< empty: those of the broker
  std::filesystem::path folder_;
};

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
    await_until(enriched_, [&](const Records& records) {
      return static_cast<std::int64_t>(seqs_of(records).size()) >= written;
    });
    stop(*engine);
    const Records out = output();
    const std::set<std::int64_t> seen = seqs_of(out);
    ASSERT_EQ(static_cast<std::int64_t>(seen.size()), written) << "records are lost";
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), written - 1);
    audit_order(out);
  }
  static std::set<std::int64_t> seqs_of(const Records& records) {
    std::set<std::int64_t> seqs;
    for (const KafkaProbeRecord& record : records) seqs.insert(seq_of(record));
    return seqs;
  }
  static void audit_order(const Records& out) {
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
};

}  // namespace millrace::support
