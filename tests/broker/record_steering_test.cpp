// What goes beside a record's value, and where a record goes: key, headers, timestamp, partition,
// topic; by default, by column, and not at all. On a real broker, as a user writes it.

#include "tests/broker/job_fixture.hpp"

namespace millrace::support {
namespace {

using Header = KafkaProbeRecord::Header;

class RecordSteeringTest : public JobTest {
 protected:
  /// A job that copies clicks(n, k, h, p, t, at) to a sink with these options.
  void write_job(const std::string& sink_options) {
    std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (n int, k text, p int, t text, at timestamp)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json', starting_offsets = 'earliest');
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', format = 'json', payload_columns = 'n', )"
                                       << sink_options << R"();
SET trigger = 'real_time 20 ms';
INSERT INTO enriched SELECT * FROM clicks;
)";
  }
  /// Runs the job until its output has so many records, as many as these, and gives the output.
  Records run(const Records& records, std::size_t count) {
    write(clicks_, records);
    const auto engine = start();
    EXPECT_TRUE(engine->await_ready()) << engine->said();
    await_output(count);
    stop(*engine);
    return output();
  }
  Records run(const Records& records) { return run(records, records.size()); }
  /// Runs the job until it fails, and gives what it said.
  std::string run_to_failure(const Records& records) {
    write(clicks_, records);
    const auto engine = start();
    EXPECT_EQ(engine->wait(), 1) << engine->said();
    return engine->said();
  }
};

KafkaProbeRecord in_partition(std::int32_t partition, std::string value) {
  return value_in(partition, std::move(value), 1'700'000'000'123);
}

const std::vector<Header> kHeaders = {{"trace", std::nullopt}, {"trace", ""}, {"trace", "x"}};

// I-6
TEST_F(RecordSteeringTest, PassesKeyHeadersAndTimestampOnUntilToldNotTo) {
  auto record = in_partition(1, R"({"n":1})");
  record.key = "";
  record.headers = kHeaders;
  write_job("topic = '${ENRICHED}'");
  const auto passed_on = run({record});
  ASSERT_EQ(passed_on.size(), 1U);
  EXPECT_EQ(passed_on[0].key, "");
  EXPECT_EQ(passed_on[0].headers, kHeaders);
  EXPECT_EQ(passed_on[0].timestamp_ms, 1'700'000'000'123);
  EXPECT_EQ(passed_on[0].value, R"({"n":1})");

  enriched_ = create("bare", kPartitions);
  write_job("topic = '${ENRICHED}', key = 'none', headers = 'none', timestamp = 'none'");
  const auto out = run({}, 1);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].key, std::nullopt);
  EXPECT_EQ(out[0].headers, std::vector<Header>());
  EXPECT_GT(out[0].timestamp_ms, 1'700'000'000'123) << "the time of writing";
  EXPECT_EQ(out[0].partition, 1) << "no key: the partition of its source";
}

TEST_F(RecordSteeringTest, TakesKeyPartitionAndTimestampFromColumns) {
  auto all = in_partition(0, R"({"n":1,"k":"user-1","p":3,"at":"2024-01-02T03:04:05.678Z"})");
  all.key = "not this one";
  auto empty = in_partition(0, R"({"n":2,"k":"","p":2,"at":"1969-12-31T23:59:59.999Z"})");
  auto null = in_partition(1, R"({"n":3,"k":null,"p":null,"at":null})");
  null.key = "not this one";
  write_job(
      "topic = '${ENRICHED}', key_column = 'k', partition_column = 'p', timestamp_column = 'at'");

  const auto out = run({all, empty, null});

  ASSERT_EQ(out.size(), 3U);  // by partition
  EXPECT_EQ(out[0].partition, 1) << "neither partition nor key: the partition of its source";
  EXPECT_EQ(out[0].key, std::nullopt);
  EXPECT_EQ(out[0].value, R"({"n":3})");
  EXPECT_GT(out[0].timestamp_ms, 1'700'000'000'123) << "the time of writing";
  EXPECT_EQ(out[1].partition, 2);
  EXPECT_EQ(out[1].key, "");
  EXPECT_EQ(out[1].timestamp_ms, -1);
  EXPECT_EQ(out[2].partition, 3);
  EXPECT_EQ(out[2].key, "user-1");
  EXPECT_EQ(out[2].timestamp_ms, 1'704'164'645'678);
}

// I-6
TEST_F(RecordSteeringTest, TakesHeadersFromAColumn) {
  auto record = in_partition(0, R"({"n":1})");
  record.headers = kHeaders;
  write_job("topic = '${ENRICHED}', headers_column = 'headers'");

  const auto out = run({record, in_partition(0, R"({"n":2})")});

  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].headers, kHeaders);
  EXPECT_EQ(out[1].headers, std::vector<Header>());
}

// I-5
TEST_F(RecordSteeringTest, ATombstonePassesAStatelessChain) {
  std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (value bytea)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'raw', starting_offsets = 'earliest');
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${ENRICHED}', format = 'raw');
INSERT INTO enriched SELECT * FROM clicks;
)";
  auto null = in_partition(0, "");
  null.key = "195087119";
  null.value = std::nullopt;
  auto empty = in_partition(0, "");
  empty.key = "195087119";

  const auto out = run({null, empty});

  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].key, "195087119");
  EXPECT_EQ(out[0].value, std::nullopt);
  EXPECT_EQ(out[1].key, "195087119");
  EXPECT_EQ(out[1].value, "");
}

TEST_F(RecordSteeringTest, ATombstoneIsARowOfNullsToAFormatAndATombstoneAgain) {
  write_job("topic = '${ENRICHED}'");
  auto null = in_partition(0, "");
  null.value = std::nullopt;

  const auto out = run({null});

  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].value, std::nullopt);
}

TEST_F(RecordSteeringTest, RefusesAPartitionThatIsNotThereNamingBothEnds) {
  write_job("topic = '${ENRICHED}', partition_column = 'p'");

  const auto said =
      run_to_failure({in_partition(2, R"({"n":1,"p":3})"), in_partition(2, R"({"n":2,"p":4})")});

  EXPECT_NE(
      said.find(
          "topic " + clicks_ +
          ", partition 2, offset 1: the partition of the record made from it is 4, and topic " +
          enriched_ + " has 4 of them, from 0 on"),
      std::string::npos)
      << said;
}

TEST_F(RecordSteeringTest, WritesToTheTopicThatAColumnNames) {
  const auto other = create("other", 2);
  write_job("topic_column = 't'");
  const auto to = [](const std::string& topic, int n) {
    return in_partition(3, R"({"n":)" + std::to_string(n) + R"(,"t":")" + topic + R"("})");
  };
  write(clicks_, {to(enriched_, 1), to(other, 2), to(enriched_, 3)});
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();

  await_output(2);
  write(clicks_, {to(other + "x", 4)});

  EXPECT_EQ(engine->wait(), 1) << engine->said();
  const auto out = output();
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].value, R"({"n":1})");
  EXPECT_EQ(out[0].partition, 3) << "no key: the partition of its source";
  EXPECT_EQ(out[1].value, R"({"n":3})");
  const auto of_other = read(other);
  ASSERT_EQ(of_other.size(), 1U);
  EXPECT_EQ(of_other[0].value, R"({"n":2})");
  EXPECT_EQ(of_other[0].partition, 1) << "3 modulo 2";
  EXPECT_NE(
      engine->said().find(
          "topic " + clicks_ +
          ", partition 3, offset 3: the record made from it goes nowhere: sink enriched: topic "
          "not found at " +
          broker().bootstrap_servers() + ": " + other + "x (the nearest is " + other + ")"),
      std::string::npos)
      << engine->said();
}

// Every way in which a record can say a place that is none, or have parts that none has.
TEST_F(RecordSteeringTest, WhatCannotBeWrittenGoesAsThePolicySays) {
  std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (n int, t text, p int, h text)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${CLICKS}', format = 'json', starting_offsets = 'earliest',
        on_bad_record = 'skip');
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', format = 'json', payload_columns = 'n',
        topic_column = 't', partition_column = 'p', headers_column = 'hs');
SET trigger = 'real_time 20 ms';
INSERT INTO enriched SELECT n, t, p, "array"(named_struct('key', h, 'value', CAST(h AS bytea))) AS hs FROM clicks;
)";
  const auto row = [&](int n, const std::string& rest) {
    return in_partition(0, R"({"n":)" + std::to_string(n) + "," + rest + "}");
  };
  const auto with = [&](const std::string& topic) {
    return R"("t":")" + topic + R"(","p":0,"h":"x")";
  };
  write(clicks_,
        {row(1, with(enriched_)), row(2, R"("t":null,"p":0,"h":"x")"), row(3, with("no topic!")),
         row(4, with(enriched_ + "x")), row(5, with("")), row(6, with(std::string(250, 'a'))),
         row(7, R"("p":99,"h":"x","t":")" + enriched_ + "\""),
         row(8, R"("p":-1,"h":"x","t":")" + enriched_ + "\""),
         row(9, R"("p":0,"h":null,"t":")" + enriched_ + "\""), row(10, with(enriched_ + "x")),
         row(11, with(enriched_))});

  const auto engine = start();
  await_output(2);
  stop(*engine);

  const auto out = output();
  ASSERT_EQ(out.size(), 2U) << engine->said();
  EXPECT_EQ(out[0].value, R"({"n":1})");
  EXPECT_EQ(out[0].headers, (std::vector<Header>{{"x", "x"}}));
  EXPECT_EQ(out[1].value, R"({"n":11})");
  EXPECT_NE(engine->said().find(", partition 0, offset 1: the topic of the record made from it is "
                                "null: skipped"),
            std::string::npos)
      << engine->said();
}

TEST_F(RecordSteeringTest, MakesTheTopicThatAColumnNamesWhenAllowed) {
  const auto made = broker().unique_topic("made");
  write_job("topic_column = 't', create_topics = 'true', partitions = '3'");
  enriched_ = made;
  create("unrelated");
  write(clicks_, {in_partition(2, R"({"n":1,"t":")" + made + R"("})")});
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  await_output(1);
  stop(*engine);

  const auto out = output();
  ASSERT_EQ(out.size(), 1U) << engine->said();
  EXPECT_EQ(out[0].partition, 2);
}

}  // namespace
}  // namespace millrace::support
