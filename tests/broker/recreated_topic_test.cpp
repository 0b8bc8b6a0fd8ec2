// A job whose source topic is deleted and made anew while it runs, as a user runs it.

#include "tests/broker/job_fixture.hpp"

#include <algorithm>

namespace millrace::support {
namespace {

class RecreatedTopicTest : public JobTest {
 protected:
  void write_job(const std::string& fail_on_data_loss) {
    std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json',
        starting_offsets = 'earliest', fail_on_data_loss = ')"
                                       << fail_on_data_loss << R"(');
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${ENRICHED}', format = 'json');
SET checkpoint_location = 'chk';
SET trigger = 'real_time 20 ms';
INSERT INTO enriched SELECT * FROM clicks;
)";
  }
  void write_seqs(std::int64_t from, std::int64_t to) {
    // A client that knows nothing of an older topic.
    const auto writer = KafkaProbe::open(broker().bootstrap_servers()).value();
    for (std::int64_t seq = from; seq < to; ++seq) {
      KafkaProbeRecord record{"k", R"({"seq":)" + std::to_string(seq) + "}", {}};
      record.partition = static_cast<std::int32_t>(seq % kPartitions);
      ASSERT_TRUE(writer->write(clicks_, record));
    }
    ASSERT_TRUE(writer->flush());
  }
  void recreate_clicks() {
    ASSERT_TRUE(probe_->delete_topic(clicks_));
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!probe_->create_topic(clicks_, kPartitions))
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
  }
  /// The numbers in the output, once there are so many, in order.
  std::vector<std::int64_t> await_seqs(std::size_t count) {
    std::vector<std::int64_t> seqs;
    await_output(count);
    for (const auto& record : output()) seqs.push_back(seq_of(record));
    std::sort(seqs.begin(), seqs.end());
    return seqs;
  }
  static std::vector<std::int64_t> numbers(std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> all;
    for (std::int64_t number = from; number < to; ++number) all.push_back(number);
    return all;
  }
};

// I-9
TEST_F(RecreatedTopicTest, GoesOnByItselfAndAfterARestartWhereTheUserWantsThat) {
  write_job("false");
  write_seqs(0, 20);
  auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  ASSERT_EQ(await_seqs(20), numbers(0, 20));

  recreate_clicks();
  write_seqs(20, 28);

  EXPECT_EQ(await_seqs(28), numbers(0, 28)) << engine->said();
  EXPECT_TRUE(engine->await_line("topic " + clicks_ +
                                 ", partition 3: what it held from offset 5 on is lost"))
      << engine->said();
  engine->signal(SIGTERM);
  EXPECT_EQ(engine->wait(), 0) << engine->said();

  engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  write_seqs(28, 32);
  EXPECT_EQ(await_seqs(32), numbers(0, 32)) << engine->said();
  EXPECT_EQ(engine->said().find("lost"), std::string::npos) << engine->said();
  engine->signal(SIGTERM);
  EXPECT_EQ(engine->wait(), 0) << engine->said();
}

// I-9
TEST_F(RecreatedTopicTest, StopsNamingTopicAndPositionsWhenNotToldOtherwise) {
  write_job("true");
  write_seqs(0, 20);
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  ASSERT_EQ(await_seqs(20), numbers(0, 20));

  recreate_clicks();
  write_seqs(20, 28);

  EXPECT_EQ(engine->wait(), 1) << engine->said();
  EXPECT_NE(engine->said().find("topic " + clicks_ + ", partition "), std::string::npos);
  EXPECT_NE(engine->said().find("offset 5 "), std::string::npos) << engine->said();
}

}  // namespace
}  // namespace millrace::support
