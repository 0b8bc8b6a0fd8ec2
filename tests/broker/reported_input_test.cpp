// Inputs that broke other systems, by their number in tests/reported_inputs.md; those that no other
// test of a room or of this folder covers.

#include "tests/broker/job_fixture.hpp"

namespace millrace::support {
namespace {

class ReportedInputTest : public JobTest {
 protected:
  void write_job(const std::string& source_options, const std::string& sink_options) {
    std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (n int, p int)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json',
        starting_offsets = 'earliest')" << source_options
                                       << R"();
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${ENRICHED}', format = 'json')"
                                       << sink_options << R"();
SET checkpoint_location = 'chk';
SET trigger = 'real_time 20 ms';
INSERT INTO enriched SELECT * FROM clicks;
)";
  }
  static KafkaProbeRecord numbered(int number, int partition = 0) {
    return {std::nullopt,
            R"({"n":)" + std::to_string(number) + R"(,"p":)" + std::to_string(partition) + "}",
            {},
            0};
  }
  void write_numbers(int from, int to) {
    Records records;
    for (int number = from; number < to; ++number) records.push_back(numbered(number));
    write(clicks_, records);
  }
  static std::multiset<std::int64_t> numbers_of(const Records& records) {
    std::multiset<std::int64_t> numbers;
    for (const auto& record : records)
      numbers.insert(
          formats::JsonValue::parse(record.value.value()).value().get_integer("n").value());
    return numbers;
  }
};

// I-10
TEST_F(ReportedInputTest, ALostRangeBehindTheCheckpointIsNamedOrLeftOutAndCounted) {
  write_job("", "");
  write_numbers(0, 100);
  {
    const auto engine = start();
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    await_output(100);
    stop(*engine);
  }
  write_numbers(100, 300);
  ASSERT_TRUE(probe_->delete_records(clicks_, 0, 250));
  const std::string lost = "topic " + clicks_ +
                           ", partition 0: the 150 records of offsets 100 to 249 are gone "
                           "(retention?), the first one left is 250";

  const auto refused = start();
  EXPECT_EQ(refused->wait(), 1) << refused->said();
  EXPECT_NE(refused->said().find(lost), std::string::npos) << refused->said();

  write_job(", fail_on_data_loss = 'false'", "");
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  await_output(150);
  const auto out = numbers_of(output());
  EXPECT_EQ(out.size(), 150U);
  EXPECT_EQ(out.count(99), 1U);
  EXPECT_EQ(out.count(249), 0U);
  EXPECT_EQ(out.count(250), 1U);
  EXPECT_EQ(out.count(299), 1U);
  EXPECT_NE(engine->said().find("warning: " + lost), std::string::npos) << engine->said();
  stop(*engine);
}

// I-18: the sink refuses the second record, until its partition is there.
TEST_F(ReportedInputTest, ARestartGoesOnAtTheRecordThatTheSinkFailedOn) {
  write_job("", ", partition_column = 'p'");
  write(clicks_, {numbered(1, 0), numbered(2, kPartitions), numbered(3, 0)});
  for (int life = 0; life < 2; ++life) {
    const auto engine = start();
    EXPECT_EQ(engine->wait(), 1) << engine->said();
    EXPECT_NE(engine->said().find(
                  "topic " + clicks_ +
                  ", partition 0, offset 1: the partition of the record made from it is 4"),
              std::string::npos)
        << engine->said();
  }

  ASSERT_TRUE(probe_->grow_topic(enriched_, kPartitions + 1));
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  await_until(enriched_, [](const Records& seen) {
    const auto numbers = numbers_of(seen);
    return numbers.contains(2) && numbers.contains(3);
  });
  stop(*engine);

  const auto numbers = numbers_of(output());
  EXPECT_GE(numbers.count(1), 1U) << "at least once: its epoch was never committed";
  EXPECT_EQ(numbers.count(2), 1U);
  EXPECT_EQ(numbers.count(3), 1U);
}

}  // namespace
}  // namespace millrace::support
