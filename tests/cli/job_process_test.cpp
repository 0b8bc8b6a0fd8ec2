// The `millrace` binary as a user starts it, on a broker inside the test; every exit code for real.

#include "connectors/kafka_mock.hpp"
#include "connectors/kafka_probe.hpp"
#include "tests/support/engine_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <thread>

namespace millrace::cli {
namespace {

using connectors::KafkaMock;
using connectors::KafkaMockError;
using connectors::KafkaProbe;
using support::EngineProcess;
using Words = std::vector<std::string>;

constexpr const char* kJob = R"(
CREATE TABLE clicks (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SOURCE}', topic = 'clicks', format = 'json',
        starting_offsets = 'earliest');
CREATE TABLE kept () WITH (connector = 'kafka', bootstrap_servers = '${SINK}', topic = 'kept', format = 'json');
SET trigger = 'real_time 20 ms';
INSERT INTO kept SELECT seq FROM clicks WHERE seq >= 0;
)";

/// Two clusters, one for what is read and one for what is written, and a folder for the job.
class JobProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(source_->create_topic("clicks", 1));
    ASSERT_TRUE(sink_->create_topic("kept", 1));
    std::string name = (std::filesystem::temp_directory_path() / "millrace-cli.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(folder_ / "job.sql") << kJob;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  EngineProcess start(const Words& words, const std::map<std::string, std::string>& environment) {
    return {words, folder_, environment};
  }
  EngineProcess run(Words more = {}) {
    Words words = {"run",   "job.sql",
                   "--set", "SOURCE=" + source_->bootstrap_servers(),
                   "--set", "SINK=" + sink_->bootstrap_servers()};
    words.insert(words.end(), more.begin(), more.end());
    return {words, folder_};
  }
  void write_clicks(int count) {
    const auto probe = KafkaProbe::open(source_->bootstrap_servers()).value();
    for (int number = 0; number < count; ++number)
      ASSERT_TRUE(probe->write(
          "clicks", {std::nullopt, "{\"seq\":" + std::to_string(written_++) + "}", {}, 0}));
    ASSERT_TRUE(probe->flush());
  }
  std::vector<std::string> kept() {
    std::vector<std::string> values;
    const auto probe = KafkaProbe::open(sink_->bootstrap_servers()).value();
    const std::vector<connectors::KafkaProbeRecord> records = probe->read_all("kept").value();
    for (const connectors::KafkaProbeRecord& record : records)
      values.push_back(record.value.value_or("null"));
    return values;
  }
  /// Starts a job whose sink acknowledges nothing, so that the first signal's drain cannot end, and
  /// gives how it ended at two signals. Nobody sees from outside when the row is read: a life that
  /// ended well had not read it, and the next one is left more time.
  int ended_by_two_signals(int signal) {
    write_clicks(1);
    sink_->push_produce_answer(KafkaMockError::kRequestTimedOut, 100'000);
    int code = 0;
    for (int patience_ms = 300; code == 0 && patience_ms < 20'000; patience_ms *= 2) {
      EngineProcess engine = run();
      EXPECT_TRUE(engine.await_ready()) << engine.said();
      for (int time = 0; time < 2; ++time) {
        std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms));
        engine.signal(signal);
      }
      code = engine.wait();
    }
    return code;
  }

  std::unique_ptr<KafkaMock> source_ = KafkaMock::start().value();
  std::unique_ptr<KafkaMock> sink_ = KafkaMock::start().value();
  std::filesystem::path folder_;
  int written_ = 0;
};

// -- restarts
// --------------------------------------------------------------------------------------

// A file in the place of a folder is a disk that fails; what was read then is read again.
TEST_F(JobProcessTest, StartsAgainAfterAFailureOfItsDisk) {
  std::ofstream(folder_ / "job.sql")
      << "SET checkpoint_location = 'chk'; SET restart = 'on_failure'; SET restart_delay = '1 ms';"
      << kJob;
  EngineProcess engine = run();
  ASSERT_TRUE(engine.await_ready()) << engine.said();
  const std::filesystem::path prepared = folder_ / "chk/kept/prepared";
  std::filesystem::rename(prepared, folder_ / "away");
  std::ofstream(prepared) << "no folder";
  write_clicks(1);
  ASSERT_TRUE(engine.await_line("warning: query kept failed and starts again in 1 ms: "))
      << engine.said();
  std::filesystem::remove(prepared);
  std::filesystem::rename(folder_ / "away", prepared);
  ASSERT_TRUE(engine.await_line("query kept runs again: 1 partition of clicks")) << engine.said();
  write_clicks(1);
  while (kept().back() != R"({"seq":1})") {
  }
  engine.signal(SIGTERM);
  EXPECT_EQ(engine.wait(), 0) << engine.said();
  const Words all = kept();
  EXPECT_EQ((std::set<std::string>(all.begin(), all.end())),
            (std::set<std::string>{R"({"seq":0})", R"({"seq":1})"}));
}

// -- 0: ended as asked ----------------------------------------------------------------------------

TEST_F(JobProcessTest, WritesDownWhatTheQueryDoesAndSaysWhenThatHasChanged) {
  const std::string job = "SET checkpoint_location = 'chk';" + std::string(kJob);
  std::ofstream(folder_ / "job.sql") << job;
  {
    const auto probe = KafkaProbe::open(sink_->bootstrap_servers()).value();
    ASSERT_TRUE(probe->write("kept", {std::nullopt, "somebody else's", {}, 0}));
    ASSERT_TRUE(probe->flush());
    EngineProcess engine = run();
    ASSERT_TRUE(engine.await_ready()) << engine.said();
    engine.signal(SIGTERM);
    EXPECT_EQ(engine.wait(), 0) << engine.said();
  }
  const auto text_of = [&](const char* file) {
    std::ifstream stream(folder_ / "chk" / "kept" / file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string plan = text_of("plan.json");
  EXPECT_NE(plan.find("\"kept\": {\n        \"connector\": \"kafka\",\n        \"topic\": "
                      "\"kept\"\n      }"),
            std::string::npos)
      << plan;
  EXPECT_NE(plan.find("\"filter: seq >= 0\""), std::string::npos) << plan;
  EXPECT_NE(text_of("sources/start").find("\"kept\": {\n      \"0\": 1\n    }"), std::string::npos)
      << text_of("sources/start");

  std::string changed = job;
  changed.replace(changed.find("seq >= 0"), 8, "seq >= 5");
  std::ofstream(folder_ / "job.sql") << changed;
  EngineProcess engine = run();
  ASSERT_TRUE(engine.await_ready()) << engine.said();
  EXPECT_NE(
      engine.said().find("\"filter: seq >= 0\" there and \"filter: seq >= 5\" here; it goes on "
                         "with this one"),
      std::string::npos)
      << engine.said();
}

TEST_F(JobProcessTest, SaysOfflineWhetherAJobMayGoOnFromAFolder) {
  const std::string job = "SET checkpoint_location = 'chk';" + std::string(kJob);
  std::ofstream(folder_ / "job.sql") << job;
  {
    EngineProcess engine = run();
    ASSERT_TRUE(engine.await_ready()) << engine.said();
    engine.signal(SIGTERM);
    EXPECT_EQ(engine.wait(), 0) << engine.said();
  }
  const auto check = [&] {
    return start({"checkpoint", "check", "job.sql", "chk/kept/", "--set", "SOURCE=127.0.0.1:1",
                  "--set", "SINK=127.0.0.1:1"},
                 {});
  };
  std::string changed = job;
  changed.replace(changed.find("seq >= 0"), 8, "seq >= 5");
  std::ofstream(folder_ / "job.sql") << changed;
  EngineProcess allowed = check();
  EXPECT_EQ(allowed.wait(), 0) << allowed.said();
  EXPECT_NE(allowed.shown().find("checkpoint chk/kept: the job may go on from it\n"),
            std::string::npos)
      << allowed.shown();
  EXPECT_NE(allowed.shown().find("is \"filter: seq >= 0\" there and \"filter: seq >= 5\" here\n"),
            std::string::npos)
      << allowed.shown();

  changed.replace(changed.find("topic = 'clicks'"), 16, "topic = 'orders'");
  std::ofstream(folder_ / "job.sql") << changed;
  EngineProcess refused = check();
  EXPECT_EQ(refused.wait(), 2);
  EXPECT_NE(refused.said().find("checkpoint chk/kept belongs to another query: "
                                "sources.clicks.topic is \"clicks\" there and \"orders\" here"),
            std::string::npos)
      << refused.said();
}

TEST_F(JobProcessTest, TakesSignalsThatComeTogetherForOneStop) {
  write_clicks(2000);
  EngineProcess engine = run();
  ASSERT_TRUE(engine.await_ready()) << engine.said();
  engine.signal(SIGTERM);
  engine.signal(SIGINT);  // another number: the kernel would merge two of one
  EXPECT_EQ(engine.wait(), 0) << engine.said();
}

TEST_F(JobProcessTest, EndsByItselfAtTheEndingOffsetsAndGoesOnFromThereNextTime) {
  std::string job = kJob;
  job.replace(job.find("'earliest'"), 10, "'earliest', ending_offsets = 'latest'");
  std::ofstream(folder_ / "job.sql") << "SET checkpoint_location = 'chk';" << job;
  const auto ended = [&] {
    EngineProcess engine = run();
    const int code = engine.wait();
    EXPECT_EQ(code, 0) << engine.said();
    return kept().size();
  };

  EXPECT_EQ(ended(), 0U) << "an empty topic";
  write_clicks(1500);
  EXPECT_EQ(ended(), 1500U);
  EXPECT_EQ(ended(), 1500U) << "nothing new";
  write_clicks(3);
  EXPECT_EQ(ended(), 1503U);
}

// I-21
TEST_F(JobProcessTest, DrainsAndCommitsAtASignalAndGoesOnWhereItStopped) {
  std::ofstream(folder_ / "job.sql") << "SET checkpoint_location = 'chk';" << kJob;
  write_clicks(500);
  {
    EngineProcess engine = run({"--progress"});
    ASSERT_TRUE(engine.await_line("kept epoch 0: ")) << engine.said();
    write_clicks(500);
    engine.signal(SIGTERM);
    EXPECT_EQ(engine.wait(), 0) << engine.said();
  }
  EngineProcess engine = run();
  while (kept().size() < 1000) {
  }
  engine.signal(SIGINT);
  EXPECT_EQ(engine.wait(), 0) << engine.said();

  // All of them, each once: a clean stop leaves nothing to run again.
  Words expected;
  for (int number = 0; number < 1000; ++number)
    expected.push_back("{\"seq\":" + std::to_string(number) + "}");
  EXPECT_EQ(kept(), expected);
}

TEST_F(JobProcessTest, TellsOfEveryEpochWithProgress) {
  write_clicks(1);
  EngineProcess engine = run({"--progress"});
  ASSERT_TRUE(engine.await_line("kept epoch 0: ")) << engine.said();
  engine.signal(SIGTERM);
  EXPECT_EQ(engine.wait(), 0);

  EXPECT_TRUE(std::regex_search(
      engine.said(),
      std::regex("\nkept epoch 0: 1 in, 1 out, [0-9]+ rows/s(, [0-9]+ behind)?"
                 "; fetch p50 [0-9]+\\.[0-9]{3} p99 [0-9]+\\.[0-9]{3} max [0-9]+\\.[0-9]{3} ms"
                 "; decode p50 [0-9.]+ p99 [0-9.]+ max [0-9.]+ ms"
                 "; chain p50 [0-9.]+ p99 [0-9.]+ max [0-9.]+ ms"
                 "; produce-ack p50 [0-9.]+ p99 [0-9.]+ max [0-9.]+ ms\n")))
      << engine.said();
}

TEST_F(JobProcessTest, TellsOfEveryEpochInJson) {
  write_clicks(3);
  EngineProcess engine = run({"--progress", "json"});
  ASSERT_TRUE(engine.await_line("{\"id\":")) << engine.said();
  engine.signal(SIGTERM);
  EXPECT_EQ(engine.wait(), 0);

  EXPECT_NE(engine.said().find("\"name\":\"kept\""), std::string::npos) << engine.said();
  EXPECT_NE(engine.said().find("\"sources\":[{\"description\":\"kafka (topic clicks)\","
                               "\"startOffset\":{\"clicks\":{\"0\":0}},"),
            std::string::npos)
      << engine.said();
}

TEST_F(JobProcessTest, SaysNothingOfEpochsWithoutProgress) {
  write_clicks(1);
  EngineProcess engine = run();
  while (kept().empty()) {
  }
  engine.signal(SIGTERM);

  EXPECT_EQ(engine.wait(), 0);
  EXPECT_EQ(engine.said().find("epoch 0: "), std::string::npos) << engine.said();
  EXPECT_NE(engine.said().find("\nready: kept (1 partition of clicks, from epoch 0)\n"),
            std::string::npos)
      << engine.said();
}

TEST_F(JobProcessTest, TakesTheJobFromTheCommandLineOrStandardInput) {
  write_clicks(1);
  const std::map<std::string, std::string> variables = {{"SOURCE", source_->bootstrap_servers()},
                                                        {"SINK", sink_->bootstrap_servers()}};
  EngineProcess by_word = start({"run", "-e", kJob}, variables);
  EXPECT_TRUE(by_word.await_ready()) << by_word.said();
  by_word.signal(SIGTERM);
  EXPECT_EQ(by_word.wait(), 0) << by_word.said();

  EngineProcess by_input = start({"run", "-"}, variables);
  by_input.write_input(kJob);
  by_input.close_input();
  EXPECT_TRUE(by_input.await_ready()) << by_input.said();
  by_input.signal(SIGTERM);
  EXPECT_EQ(by_input.wait(), 0) << by_input.said();
}

TEST_F(JobProcessTest, ExplainsAndConnectsToNothing) {
  EngineProcess engine =
      start({"explain", "job.sql", "--set", "SOURCE=127.0.0.1:1", "--set", "SINK=127.0.0.1:1"}, {});

  EXPECT_EQ(engine.wait(), 0) << engine.said();
  EXPECT_TRUE(engine.shown().starts_with("query kept")) << engine.shown();
  for (const char* step :
       {"source kafka clicks", "decode json", "filter", "encode json", "sink kafka kept"})
    EXPECT_NE(engine.shown().find(step), std::string::npos) << engine.shown();
}

TEST_F(JobProcessTest, ShowsHelpAndVersionOnStandardOutput) {
  EngineProcess help = start({"--help"}, {});
  EXPECT_EQ(help.wait(), 0);
  EXPECT_EQ(help.said(), "");
  for (const char* part : {"CREATE TABLE", "INSERT INTO", "--set", "Exit codes: 0 ended as asked",
                           "millrace run job.sql"})
    EXPECT_NE(help.shown().find(part), std::string::npos) << part;

  EngineProcess run_help = start({"run", "--help"}, {});
  EXPECT_EQ(run_help.wait(), 0);
  EXPECT_NE(run_help.shown().find("--progress"), std::string::npos) << run_help.shown();

  EngineProcess version = start({"--version"}, {});
  EXPECT_EQ(version.wait(), 0);
  EXPECT_EQ(version.shown(), "millrace 0.1.0\n");
}

TEST_F(JobProcessTest, ReadsTheRecordsColumnsAndJoinsAFileAndRows) {
  std::ofstream(folder_ / "wanted.csv") << "2\n4\n5\n";
  std::ofstream(folder_ / "job.sql") << R"(CREATE TABLE clicks (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SOURCE}', topic = 'clicks', format = 'json',
        starting_offsets = 'earliest');
CREATE TABLE wanted (seq bigint) WITH (connector = 'file', path = 'wanted.csv');
CREATE TABLE kept () WITH (connector = 'kafka', bootstrap_servers = '${SINK}', topic = 'kept', format = 'json');
CREATE VIEW chosen AS SELECT * FROM clicks c WHERE EXISTS (SELECT 1 FROM wanted w WHERE w.seq = c.seq);
INSERT INTO kept SELECT seq, c.offset, partition, label
  FROM chosen c LEFT JOIN (VALUES (4, 'four')) AS v(number, label) ON c.seq = v.number;
)";
  write_clicks(6);

  EngineProcess engine = run();
  while (kept().size() < 3) {
  }
  engine.signal(SIGTERM);

  EXPECT_EQ(engine.wait(), 0) << engine.said();
  EXPECT_EQ(kept(), (Words{"{\"seq\":2,\"offset\":2,\"partition\":0}",
                           "{\"seq\":4,\"offset\":4,\"partition\":0,\"label\":\"four\"}",
                           "{\"seq\":5,\"offset\":5,\"partition\":0}"}));
}

// -- 1: a query failed ----------------------------------------------------------------------------

TEST_F(JobProcessTest, EndsWith1AtABadRecord) {
  const auto probe = KafkaProbe::open(source_->bootstrap_servers()).value();
  ASSERT_TRUE(probe->write("clicks", {std::nullopt, "{\"seq\":", {}, 0}));
  ASSERT_TRUE(probe->flush());

  EngineProcess engine = run();

  EXPECT_EQ(engine.wait(), 1);
  EXPECT_NE(engine.said().find("millrace: query kept failed: topic clicks, partition 0, offset 0"),
            std::string::npos)
      << engine.said();
}

TEST_F(JobProcessTest, EndsWith1WhenTheFirstAcknowledgementHasNoOffset) {
  std::ofstream(folder_ / "job.sql") << "SET checkpoint_location = 'chk';" << kJob;
  write_clicks(1);
  sink_->push_produce_answer(KafkaMockError::kDuplicate);
  {
    EngineProcess engine = run();

    EXPECT_EQ(engine.wait(), 1);
    EXPECT_NE(engine.said().find("millrace: query kept failed: topic kept, partition 0: the first "
                                 "records written there may be lost"),
              std::string::npos)
        << engine.said();
  }
  EXPECT_TRUE(kept().empty());

  // The epoch was not committed: it runs again.
  EngineProcess engine = run();
  while (kept().empty()) {
  }
  engine.signal(SIGTERM);
  EXPECT_EQ(engine.wait(), 0) << engine.said();
  EXPECT_EQ(kept(), Words({"{\"seq\":0}"}));
}

TEST_F(JobProcessTest, EndsWith1WhenOneOfTwoQueriesFailsAndDrainsTheOther) {
  const std::string first = std::string("SET checkpoint_location = 'chk';") + kJob;
  std::ofstream(folder_ / "job.sql")
      << first
      << "CREATE TABLE parts () WITH (connector = 'kafka', bootstrap_servers = '${SINK}', "
         "topic = 'parts', format = 'json');\n"
         "INSERT INTO parts SELECT 1 / (6 - seq) AS part FROM clicks;\n";
  ASSERT_TRUE(sink_->create_topic("parts", 1));
  EngineProcess engine = run();
  ASSERT_TRUE(engine.await_line(
      "ready: kept (1 partition of clicks, from epoch 0); parts (1 partition of clicks, from "
      "epoch 0)"))
      << engine.said();
  write_clicks(7);

  EXPECT_EQ(engine.wait(), 1);

  EXPECT_NE(engine.said().find("millrace: query parts failed: topic clicks, partition 0, offset 6"),
            std::string::npos)
      << engine.said();
  // What the other one had read is committed: it goes on behind that, and nothing comes twice.
  std::ofstream(folder_ / "job.sql") << first;
  EngineProcess again = run();
  while (kept().size() < 7) {
  }
  again.signal(SIGTERM);
  EXPECT_EQ(again.wait(), 0) << again.said();
  EXPECT_EQ(kept(), (Words{"{\"seq\":0}", "{\"seq\":1}", "{\"seq\":2}", "{\"seq\":3}",
                           "{\"seq\":4}", "{\"seq\":5}", "{\"seq\":6}"}));
}

// -- 2: wrong usage, or a refused job -------------------------------------------------------------

TEST_F(JobProcessTest, EndsWith2AtWrongUsageNamingTheNearest) {
  const auto refusal = [this](const Words& words) {
    EngineProcess engine = start(words, {});
    EXPECT_EQ(engine.wait(), 2) << engine.said();
    return engine.said().substr(0, engine.said().find('\n'));
  };
  EXPECT_EQ(refusal({"run", "job.sql", "--progres"}),
            "millrace: there is no option --progres; did you mean --progress?");
  EXPECT_EQ(refusal({"run", "job.sql", "--sett=A=1"}),
            "millrace: there is no option --sett; did you mean --set?");
  EXPECT_EQ(refusal({"rnu", "job.sql"}), "millrace: there is no command rnu; did you mean run?");
  EXPECT_EQ(refusal({"run", "job.sql", "--set", "SOURCE"}),
            "millrace: --set takes NAME=value, not SOURCE");
  EXPECT_EQ(refusal({"run", "nowhere.sql"}),
            "millrace: nowhere.sql: the job cannot be read: no such file, or not a file");
}

TEST_F(JobProcessTest, EndsWith2AtARefusedJobNamingTheNearest) {
  const auto refusal = [this](const std::string& job) {
    EngineProcess engine = start({"run", "-e", job}, {{"SOURCE", source_->bootstrap_servers()},
                                                      {"SINK", sink_->bootstrap_servers()}});
    EXPECT_EQ(engine.wait(), 2) << job;
    return engine.said();
  };
  const auto replaced = [](const std::string& from, const std::string& to) {
    std::string job = kJob;
    return job.replace(job.find(from), from.size(), to);
  };
  EXPECT_NE(refusal(replaced("starting_offsets", "startng_offsets")).find("starting_offsets"),
            std::string::npos);
  EXPECT_NE(refusal(replaced("SELECT seq", "SELECT sqe")).find("seq"), std::string::npos);
  EXPECT_NE(refusal(replaced("SET trigger", "SET triger")).find("trigger"), std::string::npos);
  EXPECT_NE(refusal(replaced("topic = 'clicks'", "topic = 'clickz'")).find("clicks"),
            std::string::npos);
  EXPECT_NE(refusal(replaced("${SOURCE}", "${SOURCES}")).find("${SOURCES}"), std::string::npos);
}

TEST_F(JobProcessTest, StartsNoneOfTwoQueriesWhenOneCannotStart) {
  std::ofstream(folder_ / "job.sql")
      << kJob
      << "CREATE TABLE parts () WITH (connector = 'kafka', bootstrap_servers = '${SINK}', "
         "topic = 'kepd', format = 'json');\n"
      << "INSERT INTO parts SELECT seq FROM clicks;\n";
  write_clicks(5);

  EngineProcess engine = run();

  EXPECT_EQ(engine.wait(), 2);
  EXPECT_NE(engine.said().find("kepd (the nearest is kept)"), std::string::npos) << engine.said();
  EXPECT_EQ(engine.said().find("ready: "), std::string::npos) << engine.said();
  EXPECT_EQ(kept(), Words{});
}

TEST_F(JobProcessTest, ShowsWhatAJobAsksForOnStandardOutput) {
  EngineProcess engine = start(
      {"run", "-e",
       "CREATE TABLE clicks (seq bigint) WITH (connector = 'kafka', bootstrap_servers = 'b:1', "
       "topic = 'clicks', format = 'json'); SHOW TABLES; EXPLAIN SELECT seq + 1 AS next FROM "
       "clicks;"},
      {});

  EXPECT_EQ(engine.wait(), 0) << engine.said();
  EXPECT_EQ(engine.shown(),
            "table   connector  use           columns\n"
            "clicks  kafka      stream, sink  seq bigint\n"
            "\n"
            "select, which runs only as INSERT INTO table SELECT ...\n"
            "  chain 0, tasks: one per partition of clicks\n"
            "    source kafka clicks: value bytes\n"
            "    decode json: builds seq bigint\n"
            "    project: seq + 1 as next\n"
            "    gives next bigint\n");
}

// -- 3 and 128 + signal: a stop that cannot end ---------------------------------------------------

TEST_F(JobProcessTest, EndsWith3WhenTheBrokerIsAwayLongerThanTheStopTimeout) {
  std::ofstream(folder_ / "job.sql") << "SET stop_timeout = '300 ms';" << kJob;
  int code = 0;  // 0: it had not read the row yet, so there was nothing to drain
  std::string said;

  for (int patience_ms = 50; code == 0 && patience_ms < 20'000; patience_ms *= 2) {
    sink_->set_broker_up(true);
    EngineProcess engine = run();
    ASSERT_TRUE(engine.await_ready()) << engine.said();
    sink_->set_broker_up(false);
    write_clicks(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms));
    engine.signal(SIGTERM);
    code = engine.wait();
    said = engine.said();
  }

  EXPECT_EQ(code, 3) << said;
  EXPECT_NE(said.find("stop_timeout"), std::string::npos) << said;
}

TEST_F(JobProcessTest, EndsAtOnceAtASecondSignal) {
  EXPECT_EQ(ended_by_two_signals(SIGTERM), 143);
  EXPECT_EQ(ended_by_two_signals(SIGINT), 130);
}

}  // namespace
}  // namespace millrace::cli
