// The main job as a user runs it: the `millrace` binary in a process of its own, on a real broker;
// killed, left without broker, given bad records. The output is audited record by record.

#include "connectors/kafka_mock.hpp"
#include "tests/broker/job_fixture.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace millrace::support {
namespace {

TEST_F(JobTest, EnrichesFiltersAndPassesKeyHeadersAndTimestampOn) {
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({"k1",
               click(9007199254740993, 3, "view"),
               {{"trace", "abc"}, {"trace", std::nullopt}},
               0,
               -1,
               1'700'000'000'123});
  write_click({"k2", click(2, 1, "purchase"), {}, 0, -1, 5});
  write_click({"k3", click(3, 77, "view"), {}, 0, -1, 5});  // no such user
  write_click({std::nullopt, click(4, 2, "click"), {}, 0, -1, 6});
  ASSERT_TRUE(probe_->flush().has_value());
  await_output(2);
  stop(*engine);

  const Records out = output();
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

TEST_F(JobTest, EndsAtTheEndOfATopicWhoseLastRecordsWereAborted) {
  std::string job = kJob;
  job.replace(job.find("'latest'"), 8, "'earliest', ending_offsets = 'latest'");
  std::ofstream(folder_ / "job.sql") << job;
  ASSERT_TRUE(probe_->write_transaction(
      clicks_, {{"k", click(1, 1, "view"), {}, 0}, {"k", click(2, 2, "view"), {}, 1}}, true));
  ASSERT_TRUE(probe_->write_transaction(
      clicks_, std::vector<KafkaProbeRecord>(150, {"k", click(3, 3, "view"), {}, 0}), false));

  const auto engine = start();
  EXPECT_EQ(engine->wait(), 0) << engine->said();

  std::set<std::int64_t> seen;
  for (const KafkaProbeRecord& record : output()) seen.insert(seq_of(record));
  EXPECT_EQ(seen, (std::set<std::int64_t>{1, 2}));
}

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
    write_click({std::nullopt, click(seq, 1, "view"), {}, seq % kPartitions});
  ASSERT_TRUE(probe_->flush().has_value());
  await_output(100);

  broker().kill();
  ASSERT_TRUE(engine->await_line("no broker of")) << engine->said();
  broker().restart();
  for (int seq = 100; seq < 200; ++seq)
    write_click({std::nullopt, click(seq, 1, "view"), {}, seq % kPartitions});
  ASSERT_TRUE(probe_->flush(60'000).has_value());
  await_output(200);
  EXPECT_TRUE(engine->await_line("answers again")) << engine->said();
  stop(*engine);
  const Records out = output();
  EXPECT_EQ(seqs_of(out).size(), 200U) << "none lost";
  EXPECT_EQ(out.size(), 200U) << "none doubled";
}

// I-21
TEST_F(JobTest, EndsWithItsOwnExitCodeWhenItCannotDrainInTime) {
  // The sink's cluster is one of its own, which acknowledges nothing from its second life on.
  const auto mock = connectors::KafkaMock::start().value();
  ASSERT_TRUE(mock->create_topic(enriched_, 1));
  sink_servers_ = mock->bootstrap_servers();
  {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }  // killed: the next one begins with what is written now
  write_click({std::nullopt, click(1, 1, "view"), {}, 0});
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
  stop(*last);
  EXPECT_EQ(reader->read_all(enriched_).value().size(), 1U);
}

TEST_F(JobTest, DrainsWhenItsTerminalGoesAway) {
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({std::nullopt, click(1, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush().has_value());
  await_output(1);

  engine->signal(SIGHUP);
  engine->signal(SIGHUP);

  EXPECT_EQ(engine->wait(), 0) << engine->said();
  EXPECT_EQ(output().size(), 1U);
}

TEST_F(JobTest, OutlivesItsTerminalUnderNohup) {
  const auto before = std::signal(SIGHUP, SIG_IGN);  // as nohup leaves it to its program
  const auto engine = start();
  std::signal(SIGHUP, before);
  ASSERT_TRUE(engine->await_ready()) << engine->said();

  engine->signal(SIGHUP);
  write_click({std::nullopt, click(1, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush().has_value());

  await_output(1);
  stop(*engine);
  EXPECT_EQ(output().size(), 1U);
}

// I-11
TEST_F(CrashTest, ReadsAPartitionThatComesWhileItRunsFromItsFirstRecord) {
  auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({std::nullopt, click(0, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush().has_value());
  await_output(1);

  ASSERT_TRUE(probe_->grow_topic(clicks_, kPartitions + 1));
  for (int seq : {1, 2, 3}) write_click({std::nullopt, click(seq, 1, "view"), {}, kPartitions});
  ASSERT_TRUE(probe_->flush().has_value());

  await_output(4);
  EXPECT_TRUE(engine->await_line("partition " + clicks_ +
                                 "-4 is new, and is read from its first "
                                 "record, 0"));
  stop(*engine);
  EXPECT_EQ(output().size(), 4U);

  // The checkpoint holds it: the next start goes on behind them.
  engine = start();
  ASSERT_TRUE(engine->await_line("ready: enriched (5 partitions")) << engine->said();
  write_click({std::nullopt, click(4, 1, "view"), {}, kPartitions});
  ASSERT_TRUE(probe_->flush().has_value());
  await_output(5);
  stop(*engine);
  std::multiset<std::int64_t> seen;
  for (const auto& record : output()) seen.insert(seq_of(record));
  EXPECT_EQ(seen, (std::multiset<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST_F(JobTest, StopsAtABadRecordAndPointsAtItAgainAfterARestart) {
  auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({std::nullopt, click(0, 1, "view"), {}, 2});
  write_click({std::nullopt, R"({"seq":1,"user_id":)", {}, 2});
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

// I-21
TEST_F(JobTest, EndsAtOnceAtASecondSignal) {
  // A sink that acknowledges nothing makes the first signal's drain last for its 30 s.
  const auto mock = connectors::KafkaMock::start().value();
  ASSERT_TRUE(mock->create_topic(enriched_, 1));
  sink_servers_ = mock->bootstrap_servers();
  {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }
  write_click({std::nullopt, click(1, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush().has_value());
  mock->push_produce_answer(connectors::KafkaMockError::kRequestTimedOut, 10'000);

  // 0: it had not read the row yet, so there was nothing to drain. 3: it was so busy that it saw
  // both signals at once, which counts as one.
  int code = 0;
  for (int patience_ms = 10; (code == 0 || code == 3) && patience_ms < 20'000; patience_ms *= 2) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms));
    engine->signal(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + patience_ms));
    engine->signal(SIGTERM);
    code = engine->wait();
  }
  EXPECT_EQ(code, 128 + SIGTERM);

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

}  // namespace
}  // namespace millrace::support
