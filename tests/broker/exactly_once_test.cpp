// Exactly once, in both drives: the `millrace` binary on a real broker, killed with -9 at random
// moments and in every gap of the commit; then each record is counted.

#include "tests/broker/job_fixture.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <random>
#include <thread>
#include <tuple>

namespace millrace::support {
namespace {

struct Way {
  const char* name;
  const char* delivery;
  const char* trigger;
};

constexpr Way kWays[] = {
    {"ResumeOpen", "resume", "real_time 20 ms"},
    {"ResumePlanned", "resume", "processing_time"},
    {"TransactionOpen", "transaction", "real_time 20 ms"},
    {"TransactionPlanned", "transaction", "processing_time"},
};

class ExactlyOnceTest : public CrashTest {
 protected:
  void write_job(const Way& way, const std::string& more = "") {
    std::string job = kJob;
    replace(job, "topic = '${ENRICHED}', format = 'json'",
            "topic = '${ENRICHED}', format = 'json', exactly_once = '" + std::string(way.delivery) +
                "'" + more);
    replace(job, "real_time ${EPOCH}", way.trigger);
    std::ofstream(folder_ / "job.sql") << job;
  }
  static void replace(std::string& text, const std::string& what, const std::string& with) {
    ASSERT_NE(text.find(what), std::string::npos) << what;
    text.replace(text.find(what), what.size(), with);
  }
  /// The start positions are fixed before the first click.
  void begin() {
    const auto first = start();
    ASSERT_TRUE(first->await_ready()) << first->said();
  }
  void finish_and_count(std::int64_t written) {
    finish_and_audit(written);
    EXPECT_EQ(static_cast<std::int64_t>(output().size()), written) << "some are doubled";
  }
};

class WayTest : public ExactlyOnceTest, public ::testing::WithParamInterface<Way> {};

TEST_P(WayTest, WritesEachRecordOnceWhenKilledAtRandomMoments) {
  write_job(GetParam());
  begin();
  std::mt19937 random(7);
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 2000);
  for (int life = 0; life < 12; ++life) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 200));
    engine->kill();
  }
  finish_and_count(clicks.stop());
}

INSTANTIATE_TEST_SUITE_P(Ways, WayTest, ::testing::ValuesIn(kWays),
                         [](const auto& one) { return std::string(one.param.name); });

class GapTest : public ExactlyOnceTest,
                public ::testing::WithParamInterface<std::tuple<Way, const char*>> {};

TEST_P(GapTest, WritesEachRecordOnceWhenKilledThere) {
  const auto& [way, gap] = GetParam();
  write_job(way);
  begin();
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 2000);
  for (int life = 0; life < 3; ++life) {
    const auto engine = start({{"MILLRACE_STOP_AT", std::string(gap) + ":3"}});
    EXPECT_EQ(engine->wait(), -SIGKILL) << "it never passed there: " << engine->said();
  }
  finish_and_count(clicks.stop());
}

std::string gap_name(const ::testing::TestParamInfo<std::tuple<Way, const char*>>& one) {
  return std::get<1>(one.param);
}

constexpr const char* kGaps[] = {"before_stage",   "before_offsets", "after_offsets",
                                 "after_prepared", "before_commit",  "after_commit"};
constexpr const char* kPlannedGaps[] = {"before_plan", "after_plan", "before_stage",
                                        "before_commit", "after_commit"};
constexpr const char* kDecisionGaps[] = {"before_decision", "after_decision"};

using ::testing::Combine;
using ::testing::Values;
using ::testing::ValuesIn;

INSTANTIATE_TEST_SUITE_P(Open, GapTest, Combine(Values(kWays[0]), ValuesIn(kGaps)), gap_name);
INSTANTIATE_TEST_SUITE_P(Planned, GapTest, Combine(Values(kWays[1]), ValuesIn(kPlannedGaps)),
                         gap_name);
INSTANTIATE_TEST_SUITE_P(TransactionOpen, GapTest, Combine(Values(kWays[2]), ValuesIn(kGaps)),
                         gap_name);
INSTANTIATE_TEST_SUITE_P(TransactionPlanned, GapTest,
                         Combine(Values(kWays[3]), ValuesIn(kPlannedGaps)), gap_name);
INSTANTIATE_TEST_SUITE_P(TransactionDecision, GapTest,
                         Combine(Values(kWays[2]), ValuesIn(kDecisionGaps)), gap_name);
INSTANTIATE_TEST_SUITE_P(TransactionPlannedDecision, GapTest,
                         Combine(Values(kWays[3]), ValuesIn(kDecisionGaps)), gap_name);

class DeliveryTest : public ExactlyOnceTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Deliveries, DeliveryTest, Values("resume", "transaction"),
                         [](const auto& one) { return std::string(one.param); });

// 0, 1 and many records come of one, spread over partitions by a column, with letters.
TEST_P(DeliveryTest, WritesEachRecordOnceThatAreManyOfOne) {
  const std::string letters = create("letters", 1);
  std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (seq bigint, user_id int, event_type text)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json',
        starting_offsets = 'latest', on_bad_record = 'dead_letter', dead_letter_topic = ')"
                                     << letters << R"(');
CREATE TABLE enriched () WITH (connector = 'kafka', bootstrap_servers = '${SINK_SERVERS}', topic = '${ENRICHED}',
                               format = 'json', partition_column = 'place', exactly_once = ')"
                                     << GetParam() << R"(');
SET checkpoint_location = 'chk/enrich';
SET trigger = 'real_time ${EPOCH}';
INSERT INTO enriched
  SELECT seq, explode(sequence(1, seq % 4)) AS number, cast(seq % 3 AS int) AS place
  FROM clicks WHERE seq % 5 <> 0;
)";
  begin();
  std::mt19937 random(11);
  constexpr int kClicks = 3000;
  int written = 0;
  const auto write_some = [&](int count) {
    for (; count > 0 && written < kClicks; --count, ++written) {
      const bool is_bad = written % 50 == 49;
      write_click({std::nullopt,
                   is_bad ? "bad " + std::to_string(written) : click(written, 1, "view"),
                   {},
                   written % kPartitions});
    }
    ASSERT_TRUE(probe_->flush().has_value());
  };
  for (int life = 0; life < 8; ++life) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    for (int round = 0; round < 5; ++round) {
      write_some(60);
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    }
    engine->kill();
  }
  write_some(kClicks);

  std::map<std::pair<std::int64_t, std::int64_t>, int> expected;
  int bad = 0;
  for (int seq = 0; seq < kClicks; ++seq) {
    if (seq % 50 == 49) {
      ++bad;
    } else if (seq % 5 != 0) {
      // sequence(1, 0) counts down: 1, 0.
      for (int number = seq % 4 == 0 ? 0 : 1; number <= std::max(seq % 4, 1); ++number)
        expected[{seq, number}] = 1;
    }
  }
  const auto last = start();
  ASSERT_TRUE(last->await_ready()) << last->said();
  await_output(expected.size());
  stop(*last);
  std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
  for (const KafkaProbeRecord& record : output()) {
    const auto row = formats::JsonValue::parse(record.value.value()).value();
    ++seen[{row.get_integer("seq").value(), row.get_integer("number").value()}];
  }
  EXPECT_EQ(seen, expected);
  std::map<std::string, int> letters_seen;
  for (const KafkaProbeRecord& record : read(letters)) ++letters_seen[record.value.value()];
  EXPECT_EQ(static_cast<int>(letters_seen.size()), bad);
  for (const auto& [letter, count] : letters_seen) EXPECT_EQ(count, 1) << letter;
}

// Other writers, and a second job with a checkpoint of its own, write to the topic too.
TEST_P(DeliveryTest, PassesOverTheRecordsOfOthers) {
  write_job({"", GetParam(), "real_time 20 ms"});
  begin();
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 1000);
  std::mt19937 random(3);
  for (int life = 0; life < 6; ++life) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    for (int i = 0; i < 20; ++i)
      ASSERT_TRUE(probe_->write(enriched_, {"foreign", R"({"seq":-1})", {}, i % kPartitions}));
    ASSERT_TRUE(probe_->flush());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 100));
    engine->kill();
  }
  const std::int64_t written = clicks.stop();
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  await_until(enriched_, [&](const Records& records) {
    return static_cast<std::int64_t>(seqs_of(records).size()) > written;
  });
  stop(*engine);
  std::map<std::int64_t, int> counts;
  for (const KafkaProbeRecord& record : output()) ++counts[seq_of(record)];
  EXPECT_EQ(counts[-1], 120);
  counts.erase(-1);
  EXPECT_EQ(static_cast<std::int64_t>(counts.size()), written);
  for (const auto& [seq, count] : counts) EXPECT_EQ(count, 1) << "record " << seq;
}

TEST_F(ExactlyOnceTest, SpreadsOverNewPartitionsOnlyFromABoundaryOn) {
  write_job(kWays[0]);
  begin();
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 1000);
  for (int life = 0; life < 4; ++life) {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    if (life == 1) {
      ASSERT_TRUE(probe_->grow_topic(enriched_, kPartitions + 3));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    engine->kill();
  }
  finish_and_count(clicks.stop());
}

TEST_F(ExactlyOnceTest, RefusesAnotherTableWhileRecordsBehindTheCommitAreWritten) {
  write_job(kWays[0]);
  {
    const auto engine = start({{"MILLRACE_STOP_AT", "before_stage:1"}});
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    write_click({"k", click(0, 1, "view"), {}, 0});
    ASSERT_TRUE(probe_->flush());
    EXPECT_EQ(engine->wait(), -SIGKILL) << engine->said();
  }
  const auto write_users = [&](const char* country) {
    std::ofstream(folder_ / "users.csv") << "user_id,country,tier\n1," << country << ",3\n";
  };
  write_users("AT");
  const auto refused = start();
  EXPECT_EQ(refused->wait(), 2) << refused->said();
  EXPECT_NE(refused->said().find("the rows of table users have changed"), std::string::npos)
      << refused->said();

  std::ofstream(folder_ / "users.csv")
      << "user_id,country,tier\n1,DE,3\n2,FR,1\n3,\"Côte d'Ivoire\",2\n";
  {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    write_click({"k", click(1, 1, "view"), {}, 0});
    ASSERT_TRUE(probe_->flush());
    await_output(2);
    stop(*engine);
  }
  write_users("AT");
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_click({"k", click(2, 1, "view"), {}, 0});
  ASSERT_TRUE(probe_->flush());
  await_output(3);
  stop(*engine);
  EXPECT_NE(output().back().value->find("\"country\":\"AT\""), std::string::npos);
}

}  // namespace
}  // namespace millrace::support
