// Records that are broken, as a user meets them: the `millrace` binary on a real broker. What each
// policy makes of them, byte by byte.

#include "connectors/kafka_probe.hpp"
#include "tests/support/engine_process.hpp"
#include "tests/support/kafka_broker.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace millrace::support {
namespace {

using connectors::KafkaProbe;
using connectors::KafkaProbeRecord;
using Header = KafkaProbeRecord::Header;

constexpr const char* kSettings = R"(
SET checkpoint_location = 'chk';
SET trigger = 'real_time 50 ms';
)";

/// Topics for input, output and dead letters, and a folder for the job.
class BadRecordTest : public KafkaBrokerTest {
 protected:
  void SetUp() override {
    KafkaBrokerTest::SetUp();
    if (!broker().is_available()) return;
    probe_ = KafkaProbe::open(broker().bootstrap_servers()).value();
    in_ = broker().unique_topic("in");
    out_ = broker().unique_topic("out");
    letters_ = broker().unique_topic("letters");
    for (const std::string& topic : {in_, out_, letters_})
      ASSERT_TRUE(probe_->create_topic(topic, 1).has_value());
    std::string name = (std::filesystem::temp_directory_path() / "millrace-bad.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  /// Runs a job in which ${SERVERS}, ${IN}, ${OUT} and ${LETTERS} stand for the test's own.
  std::unique_ptr<EngineProcess> run(const std::string& job) {
    std::ofstream(folder_ / "job.sql") << kSettings << job;
    return std::make_unique<EngineProcess>(
        std::vector<std::string>{"run", "job.sql", "--progress", "--set",
                                 "SERVERS=" + broker().bootstrap_servers(), "--set", "IN=" + in_,
                                 "--set", "OUT=" + out_, "--set", "LETTERS=" + letters_},
        folder_);
  }
  void write(std::optional<std::string> key, std::optional<std::string> value,
             std::vector<Header> headers = {}, std::int64_t timestamp_ms = 1'700'000'000'123) {
    ASSERT_TRUE(probe_->write(
        in_, {std::move(key), std::move(value), std::move(headers), 0, -1, timestamp_ms}));
  }
  /// What the topic holds once it has so many records; at most a minute.
  std::vector<KafkaProbeRecord> await(const std::string& topic, std::size_t count) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      auto seen = probe_->read_all(topic).value();
      if (seen.size() >= count || std::chrono::steady_clock::now() > limit) return seen;
    }
  }
  std::vector<std::string> await_values(std::size_t count) {
    std::vector<std::string> values;
    for (const KafkaProbeRecord& record : await(out_, count))
      values.push_back(record.value.value_or("null"));
    return values;
  }
  static void stop(EngineProcess& engine) {
    engine.signal(SIGTERM);
    EXPECT_EQ(engine.wait(), 0) << engine.said();
  }
  Header origin(const std::string& name, const std::string& value) {
    return {"millrace.dead_letter." + name, value};
  }

  std::unique_ptr<KafkaProbe> probe_;
  std::string in_;
  std::string out_;
  std::string letters_;
  std::filesystem::path folder_;
};

constexpr const char* kDeadLetterJob = R"(
CREATE TABLE t (a text, b int) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'dead_letter', dead_letter_topic = '${LETTERS}');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT a, 10 / b AS share FROM t;
)";

TEST_F(BadRecordTest, ADeadLetterIsTheRecordAsItCameWithItsOriginAndReason) {
  write("k0", R"({"a":"x","b":2})");
  write("k1", "\xFF\xFE", {{"trace", "abc"}, {"trace", std::nullopt}, {"empty", ""}});
  write(std::nullopt, R"({"a":"y","b":0})", {}, 0);
  write("k3", R"({"a":"z","b":5})");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(kDeadLetterJob);

  EXPECT_EQ(await_values(2),
            (std::vector<std::string>{R"({"a":"x","share":5.0})", R"({"a":"z","share":2.0})"}));
  const auto letters = await(letters_, 2);
  ASSERT_EQ(letters.size(), 2U);
  EXPECT_EQ(letters[0].key, "k1");
  EXPECT_EQ(letters[0].value, "\xFF\xFE");
  EXPECT_EQ(letters[0].timestamp_ms, 1'700'000'000'123);
  EXPECT_EQ(
      letters[0].headers,
      (std::vector<Header>{
          {"trace", "abc"},
          {"trace", std::nullopt},
          {"empty", ""},
          origin("topic", in_),
          origin("partition", "0"),
          origin("offset", "1"),
          origin("timestamp", "1700000000123"),
          origin("kind", "malformed"),
          origin("reason", "the value is not a JSON object: it is not valid UTF-8 (byte 0)")}));
  EXPECT_EQ(letters[1].key, std::nullopt);
  EXPECT_EQ(letters[1].value, R"({"a":"y","b":0})");
  EXPECT_EQ(letters[1].headers[4], origin("kind", "expression"));
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed); 1 bad of t (expression)"));
  stop(*engine);
  EXPECT_NE(engine->said().find("warning: source t: topic " + in_ +
                                ", partition 0, offset 1: the value is not a JSON object: it is "
                                "not valid UTF-8 (byte 0): written to topic " +
                                letters_),
            std::string::npos)
      << engine->said();
}

TEST_F(BadRecordTest, ADeadLetterCanGoToAFile) {
  write("k0", R"({"a":"x","b":2})");
  write("k1", "{");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (a text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'dead_letter', dead_letter_path = 'bad.jsonl');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT a FROM t;
)");
  EXPECT_EQ(await_values(1), (std::vector<std::string>{R"({"a":"x"})"}));
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed)"));
  stop(*engine);

  std::ostringstream text;
  text << std::ifstream(folder_ / "bad.jsonl").rdbuf();
  EXPECT_EQ(text.str(), R"({"topic":")" + in_ +
                            R"(","partition":0,"offset":1,"timestamp":"2023-11-14T22:13:20.123Z",)"
                            R"("kind":"malformed","reason":"the value is not a JSON object: a )"
                            R"x(member name was expected (byte 1)","key":"k1","value":"{",)x"
                            R"("headers":[]})"
                            "\n");
}

TEST_F(BadRecordTest, AMissingDeadLetterTopicIsRefusedWithTheNearest) {
  ASSERT_TRUE(probe_->flush());
  letters_ += "x";

  const auto engine = run(kDeadLetterJob);

  EXPECT_EQ(engine->wait(), 2);
  EXPECT_NE(engine->said().find(letters_ + " (the nearest is "), std::string::npos)
      << engine->said();
}

TEST_F(BadRecordTest, AnIntegerTooLargeIsAFieldErrorAndTextIsNot) {
  write("k", R"({"some":327267367867168100000,"b":7})");
  write("k", R"({"some":9007199254740993,"b":8})");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t ("some" bigint, b int) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'null');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT "some", b FROM t;
)");

  EXPECT_EQ(await_values(2),
            (std::vector<std::string>{R"({"b":7})", R"({"some":9007199254740993,"b":8})"}));
  EXPECT_TRUE(engine->await_line("1 bad of t (field)"));
  stop(*engine);
  EXPECT_NE(engine->said().find(in_ + ", partition 0, offset 0: field \"some\" cannot be read as "
                                      "bigint: 327267367867168100000: goes on with nulls"),
            std::string::npos)
      << engine->said();
}

TEST_F(BadRecordTest, NumbersThatADoubleCannotHoldGoThroughDigitByDigit) {
  write("k", R"({"id":2882429806056571124,"big":327267367867168100000})");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (id bigint, big text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT id, big FROM t;
)");

  EXPECT_EQ(
      await_values(1),
      (std::vector<std::string>{R"({"id":2882429806056571124,"big":"327267367867168100000"})"}));
  stop(*engine);
}

TEST_F(BadRecordTest, BytesThatAreNotTextPassThroughUntouchedAndAreOneBadRecordToJson) {
  const std::string bytes = "{\"a\":\"\xFF\xFE\",\"b\":7}";
  write("k", bytes);
  write("k", R"({"a":"fine","b":8})");
  ASSERT_TRUE(probe_->flush());

  {
    const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'raw');
SET query_name = 'raw';
INSERT INTO o SELECT value FROM t;
)");
    EXPECT_EQ(await_values(2), (std::vector<std::string>{bytes, R"({"a":"fine","b":8})"}));
    stop(*engine);
  }

  const auto engine = run(R"(
CREATE TABLE t (b int) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', mode = 'dropmalformed');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
SET query_name = 'json';
INSERT INTO o SELECT b FROM t;
)");
  EXPECT_EQ(await_values(3)[2], R"({"b":8})");
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed)"));
  stop(*engine);
}

TEST_F(BadRecordTest, ADeletionMarkPassesAChainAndAnEmptyValueIsNone) {
  write("195087119", std::nullopt);
  write("195087119", "");
  write("195087120", R"({"b":1})");
  ASSERT_TRUE(probe_->flush());

  {
    const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${LETTERS}', format = 'raw');
SET query_name = 'raw';
INSERT INTO o SELECT value FROM t;
)");
    const auto raw = await(letters_, 3);
    ASSERT_EQ(raw.size(), 3U);
    EXPECT_EQ(raw[0].key, "195087119");
    EXPECT_EQ(raw[0].value, std::nullopt);
    EXPECT_EQ(raw[1].value, "");
    stop(*engine);
  }

  const auto engine = run(R"(
CREATE TABLE t (b int, c text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'skip');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
SET query_name = 'json';
INSERT INTO o SELECT b + 1 AS next, upper(c) AS c FROM t;
)");
  const auto json = await(out_, 2);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0].key, "195087119");
  EXPECT_EQ(json[0].value, std::nullopt);
  EXPECT_EQ(json[1].value, R"({"next":2})");
  stop(*engine);
}

TEST_F(BadRecordTest, ARecordTooLargeForItsOutputIsJudgedBeforeItIsProduced) {
  out_ = broker().unique_topic("small");
  ASSERT_TRUE(probe_->create_topic(out_, 1, {{"max.message.bytes", "1000"}}));
  // Around the value: 61 of the batch, 2 + 1 + 2 of the record, 1 + 1 of the key, 2 of its own
  // length, 1 of the headers' number. 929 bytes fill the topic's 1,000.
  write("k", std::string(929, 'a'));
  write("k", std::string(930, 'b'));
  for (int i = 0; i < 100; ++i) write("k", std::string(100, 'c'));
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest', on_bad_record = 'dead_letter', dead_letter_topic = '${LETTERS}');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'raw');
INSERT INTO o SELECT value FROM t;
)");

  const auto values = await_values(101);
  ASSERT_EQ(values.size(), 101U);
  EXPECT_EQ(values[0], std::string(929, 'a'));
  EXPECT_EQ(values[1], std::string(100, 'c'));
  const auto letters = await(letters_, 1);
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].value, std::string(930, 'b'));
  EXPECT_EQ(letters[0].headers.back(),
            origin("reason", "the record made from it has 1001 bytes, topic " + out_ +
                                 " takes 1000 (max.message.bytes)"));
  EXPECT_TRUE(engine->await_line("1 bad of t (oversized)"));
  stop(*engine);
}

TEST_F(BadRecordTest, ARecordLargerThanAFetchArrivesAndSoDoesTheNext) {
  write("k", std::string(5000, 'a'));
  write("k", "b");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest', kafka_fetch_message_max_bytes = '1000');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'raw');
INSERT INTO o SELECT value FROM t;
)");

  EXPECT_EQ(await_values(2), (std::vector<std::string>{std::string(5000, 'a'), "b"}));
  stop(*engine);
}

TEST_F(BadRecordTest, CsvAndTextGoInAndOut) {
  write("k", "7,\"a,\"\"b\"\"\",NA\r\n");
  write("k", "8,only two");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (id bigint, name text, note text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'csv', null_value = 'NA', starting_offsets = 'earliest', mode = 'permissive');
CREATE TABLE lines (value text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'text', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'csv',
  delimiter = '|', null_value = 'none');
CREATE TABLE copies () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${LETTERS}', format = 'text');
INSERT INTO o SELECT id, name, note FROM t;
INSERT INTO copies SELECT upper(value) AS value FROM lines;
)");

  EXPECT_EQ(await_values(2),
            (std::vector<std::string>{"7|\"a,\"\"b\"\"\"|none", "none|none|none"}));
  const auto copies = await(letters_, 2);
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].value, "7,\"A,\"\"B\"\"\",NA\r\n");
  stop(*engine);
}

TEST_F(BadRecordTest, TheAdsExampleKeepsGoingAndReadsItsTableAnew) {
  // The example names its topics itself.
  for (const char* topic : {"impressions", "impressions_bad"})
    ASSERT_TRUE(probe_->create_topic(topic, 1));
  const auto copy = [&](const char* name) {
    std::filesystem::copy_file("examples/ads/" + std::string(name), folder_ / name);
  };
  copy("impressions.sql");
  copy("campaigns.jsonl");
  in_ = "impressions";
  out_ = "earnings";
  write("i1", R"({"id":1,"campaign":1,"clicks":2,"shown":100,"cost_micros":300000})");
  write("i2", R"({"id":2,"campaign":2,"clicks":1,"shown":0,"cost_micros":10})");
  write("i3", "lost");
  write("i4", R"({"id":4,"campaign":2,"clicks":1,"shown":50,"cost_micros":40000})");
  ASSERT_TRUE(probe_->flush());

  EngineProcess engine(
      {"run", "impressions.sql", "--progress", "--set", "SERVERS=" + broker().bootstrap_servers()},
      folder_);
  ASSERT_TRUE(engine.await_ready()) << engine.said();

  EXPECT_EQ(await_values(2), (std::vector<std::string>{"1,Nordwind Reisen,200000,20.0",
                                                       "4,\"Caf\u00e9, Bar & Co\",50000,20.0"}));
  const auto letters = await("impressions_bad", 2);
  ASSERT_EQ(letters.size(), 2U);
  EXPECT_EQ(letters[0].key, "i2");
  EXPECT_EQ(letters[1].value, "lost");

  ASSERT_TRUE(engine.await_line("4 in, 2 out")) << engine.said();

  std::ofstream(folder_ / "campaigns.jsonl", std::ios::app)
      << R"({"campaign":3,"advertiser":"Neu","rate_micros":1})" << '\n';
  ASSERT_TRUE(engine.await_line("table campaigns was read anew: 3 rows, from the next epoch on"))
      << engine.said();
  write("i5", R"({"id":5,"campaign":3,"clicks":5,"shown":10,"cost_micros":0})");
  ASSERT_TRUE(probe_->flush());
  EXPECT_EQ(await_values(3)[2], "5,Neu,5,500.0");
  stop(engine);
}

}  // namespace
}  // namespace millrace::support
