// Records that are broken, as a user meets them: the `millrace` binary on a real broker. What each
// policy makes of them, byte by byte.

#include "tests/broker/topic_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace millrace::support {
namespace {

using Header = KafkaProbeRecord::Header;

constexpr const char* kSettings = R"(
SET checkpoint_location = 'chk';
SET trigger = 'real_time 50 ms';
)";

/// Topics for input, output and dead letters, and a folder for the job.
class BadRecordTest : public TopicTest {
 protected:
  using Texts = std::vector<std::string>;

  void SetUp() override {
    TopicTest::SetUp();
    if (!broker().is_available()) return;
    in_ = create("in");
    out_ = create("out");
    letters_ = create("letters");
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
  void put(std::optional<std::string> key, std::optional<std::string> value,
           std::vector<Header> headers = {}, std::int64_t timestamp_ms = 1'700'000'000'123) {
    ASSERT_TRUE(probe_->write(
        in_, {std::move(key), std::move(value), std::move(headers), 0, -1, timestamp_ms}));
  }
  Texts values() { return values_of(read(out_)); }
  Header origin(const std::string& name, const std::string& value) {
    return {"millrace.dead_letter." + name, value};
  }

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

// I-20
TEST_F(BadRecordTest, ADeadLetterIsTheRecordAsItCameWithItsOriginAndReason) {
  put("k0", R"({"a":"x","b":2})");
  put("k1", "\xFF\xFE", {{"trace", "abc"}, {"trace", std::nullopt}, {"empty", ""}});
  put(std::nullopt, R"({"a":"y","b":0})", {}, 0);
  put("k3", R"({"a":"z","b":5})");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(kDeadLetterJob);

  await(out_, 2);
  await(letters_, 2);
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed); 1 bad of t (expression)"));
  stop(*engine);

  EXPECT_EQ(values(), (Texts{R"({"a":"x","share":5.0})", R"({"a":"z","share":2.0})"}));
  const auto letters = read(letters_);
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
  EXPECT_NE(engine->said().find("warning: source t: topic " + in_ +
                                ", partition 0, offset 1: the value is not a JSON object: it is "
                                "not valid UTF-8 (byte 0): written to topic " +
                                letters_),
            std::string::npos)
      << engine->said();
}

TEST_F(BadRecordTest, ADeadLetterCanGoToAFile) {
  put("k0", R"({"a":"x","b":2})");
  put("k1", "{");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (a text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'dead_letter', dead_letter_path = 'bad.jsonl');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT a FROM t;
)");
  await(out_, 1);
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed)"));
  stop(*engine);

  EXPECT_EQ(values(), (Texts{R"({"a":"x"})"}));
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

// I-1
TEST_F(BadRecordTest, AnIntegerTooLargeIsAFieldErrorAndTextIsNot) {
  put("k", R"({"some":327267367867168100000,"b":7})");
  put("k", R"({"some":9007199254740993,"b":8})");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t ("some" bigint, b int) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'null');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT "some", b FROM t;
)");

  await(out_, 2);
  EXPECT_TRUE(engine->await_line("1 bad of t (field)"));
  stop(*engine);

  EXPECT_EQ(values(), (Texts{R"({"b":7})", R"({"some":9007199254740993,"b":8})"}));
  EXPECT_NE(engine->said().find(in_ + ", partition 0, offset 0: field \"some\" cannot be read as "
                                      "bigint: 327267367867168100000: goes on with nulls"),
            std::string::npos)
      << engine->said();
}

// I-3
TEST_F(BadRecordTest, NumbersThatADoubleCannotHoldGoThroughDigitByDigit) {
  put("k", R"({"id":2882429806056571124,"big":327267367867168100000})");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (id bigint, big text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT id, big FROM t;
)");

  await(out_, 1);
  stop(*engine);

  EXPECT_EQ(values(), (Texts{R"({"id":2882429806056571124,"big":"327267367867168100000"})"}));
}

// I-4
TEST_F(BadRecordTest, BytesThatAreNotTextPassThroughUntouchedAndAreOneBadRecordToJson) {
  const std::string bytes = "{\"a\":\"\xFF\xFE\",\"b\":7}";
  put("k", bytes);
  put("k", R"({"a":"fine","b":8})");
  ASSERT_TRUE(probe_->flush());

  {
    const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'raw');
SET query_name = 'raw';
INSERT INTO o SELECT value FROM t;
)");
    await(out_, 2);
    stop(*engine);
    EXPECT_EQ(values(), (Texts{bytes, R"({"a":"fine","b":8})"}));
  }

  const auto engine = run(R"(
CREATE TABLE t (b int) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', mode = 'dropmalformed');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
SET query_name = 'json';
INSERT INTO o SELECT b FROM t;
)");
  await(out_, 3);
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed)"));
  stop(*engine);

  EXPECT_EQ(values(), (Texts{bytes, R"({"a":"fine","b":8})", R"({"b":8})"}));
}

// I-4: whatever the format is called, text is text.
TEST_F(BadRecordTest, BytesThatAreNotTextAreABadRecordToATextColumnOfFormatRaw) {
  put("k", "\xff\xfe");
  put("k", "good \xc3\xa9");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (value text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest', on_bad_record = 'dead_letter', dead_letter_topic = '${LETTERS}');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
INSERT INTO o SELECT value FROM t;
)");
  await(out_, 1);
  await(letters_, 1);
  EXPECT_TRUE(engine->await_line("1 bad of t (malformed)")) << engine->said();
  stop(*engine);

  EXPECT_EQ(values(), (Texts{"{\"value\":\"good \xc3\xa9\"}"}));
  EXPECT_EQ(values_of(read(letters_)), (Texts{"\xff\xfe"}));
}

// I-5
TEST_F(BadRecordTest, ADeletionMarkPassesAChainAndAnEmptyValueIsNone) {
  put("195087119", std::nullopt);
  put("195087119", "");
  put("195087120", R"({"b":1})");
  ASSERT_TRUE(probe_->flush());

  {
    const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${LETTERS}', format = 'raw');
SET query_name = 'raw';
INSERT INTO o SELECT value FROM t;
)");
    await(letters_, 3);
    stop(*engine);
    const auto raw = read(letters_);
    ASSERT_EQ(raw.size(), 3U);
    EXPECT_EQ(raw[0].key, "195087119");
    EXPECT_EQ(raw[0].value, std::nullopt);
    EXPECT_EQ(raw[1].value, "");
  }

  const auto engine = run(R"(
CREATE TABLE t (b int, c text) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'json', starting_offsets = 'earliest', on_bad_record = 'skip');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'json');
SET query_name = 'json';
INSERT INTO o SELECT b + 1 AS next, upper(c) AS c FROM t;
)");
  await(out_, 2);
  stop(*engine);
  const auto json = read(out_);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0].key, "195087119");
  EXPECT_EQ(json[0].value, std::nullopt);
  EXPECT_EQ(json[1].value, R"({"next":2})");
}

// I-15
TEST_F(BadRecordTest, ARecordTooLargeForItsOutputIsJudgedBeforeItIsProduced) {
  out_ = create("small", 1, {{"max.message.bytes", "1000"}});
  // Around the value: 61 of the batch, 2 + 1 + 2 of the record, 1 + 1 of the key, 2 of its own
  // length, 1 of the headers' number. 929 bytes fill the topic's 1,000.
  put("k", std::string(929, 'a'));
  put("k", std::string(930, 'b'));
  for (int i = 0; i < 100; ++i) put("k", std::string(100, 'c'));
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest', on_bad_record = 'dead_letter', dead_letter_topic = '${LETTERS}');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'raw');
INSERT INTO o SELECT value FROM t;
)");

  await(out_, 101);
  await(letters_, 1);
  EXPECT_TRUE(engine->await_line("1 bad of t (oversized)"));
  stop(*engine);

  Texts expected(101, std::string(100, 'c'));
  expected[0] = std::string(929, 'a');
  EXPECT_EQ(values(), expected);
  const auto letters = read(letters_);
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].value, std::string(930, 'b'));
  EXPECT_EQ(letters[0].headers.back(),
            origin("reason", "the record made from it has 1001 bytes, topic " + out_ +
                                 " takes 1000 (max.message.bytes)"));
}

// I-15
TEST_F(BadRecordTest, ARecordLargerThanAFetchArrivesAndSoDoesTheNext) {
  put("k", std::string(5000, 'a'));
  put("k", "b");
  ASSERT_TRUE(probe_->flush());

  const auto engine = run(R"(
CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${IN}',
  format = 'raw', starting_offsets = 'earliest', kafka_fetch_message_max_bytes = '1000');
CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${OUT}', format = 'raw');
INSERT INTO o SELECT value FROM t;
)");

  await(out_, 2);
  stop(*engine);
  EXPECT_EQ(values(), (Texts{std::string(5000, 'a'), "b"}));
}

TEST_F(BadRecordTest, CsvAndTextGoInAndOut) {
  put("k", "7,\"a,\"\"b\"\"\",NA\r\n");
  put("k", "8,only two");
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

  await(out_, 2);
  await(letters_, 2);
  stop(*engine);

  EXPECT_EQ(values(), (Texts{"7|\"a,\"\"b\"\"\"|none", "none|none|none"}));
  EXPECT_EQ(values_of(read(letters_)), (Texts{"7,\"A,\"\"B\"\"\",NA\r\n", "8,ONLY TWO"}));
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
  put("i1", R"({"id":1,"campaign":1,"clicks":2,"shown":100,"cost_micros":300000})");
  put("i2", R"({"id":2,"campaign":2,"clicks":1,"shown":0,"cost_micros":10})");
  put("i3", "lost");
  put("i4", R"({"id":4,"campaign":2,"clicks":1,"shown":50,"cost_micros":40000})");
  ASSERT_TRUE(probe_->flush());

  EngineProcess engine(
      {"run", "impressions.sql", "--progress", "--set", "SERVERS=" + broker().bootstrap_servers()},
      folder_);
  ASSERT_TRUE(engine.await_ready()) << engine.said();

  ASSERT_TRUE(engine.await_line("4 in, 2 out")) << engine.said();

  std::ofstream(folder_ / "campaigns.jsonl", std::ios::app)
      << R"({"campaign":3,"advertiser":"Neu","rate_micros":1})" << '\n';
  ASSERT_TRUE(engine.await_line("table campaigns was read anew: 3 rows, from the next epoch on"))
      << engine.said();
  put("i5", R"({"id":5,"campaign":3,"clicks":5,"shown":10,"cost_micros":0})");
  ASSERT_TRUE(probe_->flush());
  await(out_, 3);
  stop(engine);

  EXPECT_EQ(values(), (Texts{"1,Nordwind Reisen,200000,20.0",
                             "4,\"Caf\u00e9, Bar & Co\",50000,20.0", "5,Neu,5,500.0"}));
  const auto letters = read("impressions_bad");
  ASSERT_EQ(letters.size(), 2U);
  EXPECT_EQ(letters[0].key, "i2");
  EXPECT_EQ(letters[1].value, "lost");
}

}  // namespace
}  // namespace millrace::support
