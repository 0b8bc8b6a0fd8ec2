// Exactly once by transactions, where it is more than what every delivery promises.

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

class TransactionTest : public CrashTest {
 protected:
  void SetUp() override {
    CrashTest::SetUp();
    if (IsSkipped()) return;
    std::string job = kJob;
    const std::string sink = "topic = '${ENRICHED}', format = 'json'";
    job.replace(job.find(sink), sink.size(), sink + ", exactly_once = 'transaction'");
    std::ofstream(folder_ / "job.sql") << job;
  }
  void TearDown() override {
    std::filesystem::remove_all(copy_);
    CrashTest::TearDown();
  }
  /// The folder of the job again, as an operator copies it to another host.
  void move_to_copy() {
    copy_ = folder_.string() + "-copy";
    std::filesystem::copy(folder_, copy_, std::filesystem::copy_options::recursive);
    std::swap(folder_, copy_);
  }
  void begin() {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
    stop(*first);
  }

  std::filesystem::path copy_;
};

// The lock keeps a second process off the folder, not off a copy of it.
TEST_F(TransactionTest, ShutsOutWhoWritesUnderACopyOfItsFolder) {
  begin();
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 1000);
  const auto zombie = start();
  ASSERT_TRUE(zombie->await_ready()) << zombie->said();
  await_output(200);
  zombie->signal(SIGSTOP);
  move_to_copy();
  const auto heir = start();
  ASSERT_TRUE(heir->await_ready()) << heir->said();
  zombie->signal(SIGCONT);
  EXPECT_EQ(zombie->wait(), 1);
  EXPECT_NE(zombie->said().find("another process has taken over this query's transactions"),
            std::string::npos)
      << zombie->said();
  const std::int64_t written = clicks.stop();
  await_output(static_cast<std::size_t>(written));
  stop(*heir);
  finish_and_audit(written);
  EXPECT_EQ(static_cast<std::int64_t>(output().size()), written) << "some are doubled";
}

// What is written and not committed is nobody's to see, and is not there when its writer has died.
TEST_F(TransactionTest, ShowsNothingOfAnEpochThatWasNotCommitted) {
  begin();
  const auto engine = start({{"MILLRACE_STOP_AT", "before_decision"}});
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({"k", click(0, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush());
  EXPECT_EQ(engine->wait(), -SIGKILL);
  EXPECT_EQ(output().size(), 0U);
  finish_and_audit(1);
  EXPECT_EQ(output().size(), 1U);
}

TEST_F(TransactionTest, TakesAnEpochForWhatItIsThatWasCommittedBeforeTheStop) {
  begin();
  const auto engine = start({{"MILLRACE_STOP_AT", "after_decision"}});
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({"k", click(0, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush());
  EXPECT_EQ(engine->wait(), -SIGKILL);
  await_output(1);
  const auto heir = start();
  ASSERT_TRUE(heir->await_ready()) << heir->said();
  EXPECT_NE(heir->said().find("epoch 0 was made visible before the stop: it counts, and does not "
                              "run again"),
            std::string::npos)
      << heir->said();
  stop(*heir);
  EXPECT_EQ(output().size(), 1U);
}

// One transaction holds what goes to several topics, of which some are chosen by a column.
TEST_F(TransactionTest, HoldsAllTopicsOfAQuery) {
  const std::string copies = create("copies", 2);
  const std::string even = create("even", 1);
  const std::string odd = create("odd", 1);
  std::ofstream(folder_ / "job.sql")
      << R"(
CREATE TABLE clicks (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json',
        starting_offsets = 'latest');
CREATE TABLE copies () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = ')"
      << copies << R"(', format = 'json', exactly_once = 'transaction');
CREATE TABLE parts () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}',
                            topic_column = 'place', mark_topic = ')"
      << copies << R"(', format = 'json', exactly_once = 'transaction');
SET checkpoint_location = 'chk/enrich';
SET trigger = 'real_time ${EPOCH}';
SET statement_set = 'on';
INSERT INTO copies SELECT seq FROM clicks;
INSERT INTO parts SELECT seq, CASE WHEN seq % 2 = 0 THEN ')"
      << even << "' ELSE '" << odd << R"(' END AS place FROM clicks;
)";
  begin();
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 1000);
  std::mt19937 random(5);
  for (int life = 0; life < 6; ++life) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    engine->kill();
  }
  const std::int64_t written = clicks.stop();
  const auto last = start();
  ASSERT_TRUE(last->await_ready()) << last->said();
  await(copies, static_cast<std::size_t>(written));
  stop(*last);
  EXPECT_EQ(static_cast<std::int64_t>(read(copies).size()), written);
  EXPECT_EQ(static_cast<std::int64_t>(seqs_of(read(copies)).size()), written);
  const auto evens = read(even);
  const auto odds = read(odd);
  EXPECT_EQ(static_cast<std::int64_t>(evens.size()), (written + 1) / 2);
  EXPECT_EQ(static_cast<std::int64_t>(odds.size()), written / 2);
  EXPECT_EQ(seqs_of(evens).size(), evens.size());
  EXPECT_EQ(seqs_of(odds).size(), odds.size());
}

}  // namespace
}  // namespace millrace::support
