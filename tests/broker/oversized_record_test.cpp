// Records that are larger than their topic takes, where that is not known beforehand: compressed,
// a limit that is lowered while the query runs, topics that a column names, letters. The `millrace`
// binary on a real broker.

#include "tests/broker/topic_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <random>

namespace millrace::support {
namespace {

using Texts = std::vector<std::string>;

/// Bytes that no compression makes fewer.
std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

class OversizedRecordTest : public TopicTest {
 protected:
  void SetUp() override {
    TopicTest::SetUp();
    if (!broker().is_available()) return;
    in_ = create("in");
    letters_ = create("letters");
    std::string name = (std::filesystem::temp_directory_path() / "millrace-size.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  /// Copies values from in_ to out_; options as in CREATE TABLE, each beginning with a comma.
  std::unique_ptr<EngineProcess> copy(const std::string& source_options,
                                      const std::string& sink_options) {
    const std::string servers = "'" + broker().bootstrap_servers() + "'";
    std::ofstream(folder_ / "job.sql")
        << "SET checkpoint_location = 'chk';\nSET trigger = 'real_time 50 ms';\n"
        << "CREATE TABLE t (value bytea) WITH (connector = 'kafka', bootstrap_servers = " << servers
        << ", topic = '" << in_ << "', format = 'raw', starting_offsets = 'earliest'"
        << source_options << ");\n"
        << "CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = " << servers
        << ", topic = '" << out_ << "', format = 'raw'" << sink_options << ");\n"
        << "INSERT INTO o SELECT value FROM t;\n";
    return run();
  }
  std::unique_ptr<EngineProcess> run() {
    return std::make_unique<EngineProcess>(std::vector<std::string>{"run", "job.sql", "--progress"},
                                           folder_);
  }
  void put(const Texts& values) {
    for (const auto& value : values)
      ASSERT_TRUE(probe_->write(in_, {"k", value, {}, 0, -1, 1'700'000'000'123}));
    ASSERT_TRUE(probe_->flush());
  }
  Texts values() { return values_of(read(out_)); }

  std::string in_;
  std::string out_;
  std::string letters_;
  std::filesystem::path folder_;
};

// I-15
TEST_F(OversizedRecordTest, CompressedItIsJudgedByTheBrokerAndAlone) {
  out_ = create("small", 1, {{"max.message.bytes", "2000"}});
  const std::string fits(100'000, 'a');
  const std::string never = noise(5'000);
  put({"1", never, "2", fits, "3", never, "4"});

  const auto engine =
      copy(", on_bad_record = 'dead_letter', dead_letter_topic = '" + letters_ + "'",
           ", kafka_compression_type = 'gzip'");
  await(out_, 5);
  await(letters_, 2);
  EXPECT_TRUE(engine->await_line("2 bad of t (oversized)")) << engine->said();
  stop(*engine);

  EXPECT_EQ(values(), (Texts{"1", "2", fits, "3", "4"}));
  const auto letters = read(letters_);
  ASSERT_EQ(letters.size(), 2U);
  EXPECT_EQ(letters[0].value, never);
  EXPECT_EQ(letters[0].headers.back().second,
            "the record made from it has 5071 bytes before it is compressed, topic " + out_ +
                " takes 2000 (max.message.bytes), and the broker refuses it compressed too");
}

TEST_F(OversizedRecordTest, CompressedItStopsTheQueryNamingItsPlaceAndTheWaysOut) {
  out_ = create("small", 1, {{"max.message.bytes", "2000"}});
  put({"1", noise(5'000)});

  const auto engine = copy("", ", kafka_compression_type = 'gzip'");

  EXPECT_EQ(engine->wait(), 1);
  EXPECT_NE(engine->said().find("topic " + in_ +
                                ", partition 0, offset 1: the record made from it has 5071 bytes "
                                "before it is compressed, topic " +
                                out_ +
                                " takes 2000 (max.message.bytes), and the broker refuses it "
                                "compressed too. Raise that limit, leave such records out, or set "
                                "on_bad_record = 'skip' or 'dead_letter' at their source"),
            std::string::npos)
      << engine->said();
}

TEST_F(OversizedRecordTest, ALimitThatIsLoweredCountsFromTheNextLook) {
  out_ = create("lowered", 1);
  put({std::string(20'000, 'a')});
  const auto engine =
      copy(", on_bad_record = 'skip'", ", kafka_topic_metadata_refresh_interval_ms = '100'");
  await(out_, 1);

  ASSERT_TRUE(probe_->alter_topic(out_, {{"max.message.bytes", "2000"}}));
  EXPECT_TRUE(engine->await_line("topic " + out_ + " takes records of up to 2000 bytes now"))
      << engine->said();
  Texts small(200, std::string(100, 'c'));
  small.insert(small.begin(), std::string(20'000, 'b'));
  put(small);

  await(out_, 201);
  EXPECT_TRUE(engine->await_line("1 bad of t (oversized)")) << engine->said();
  stop(*engine);
  Texts expected(201, std::string(100, 'c'));
  expected[0] = std::string(20'000, 'a');
  EXPECT_EQ(values(), expected);
}

// What the client sends together must fit into each topic that a column names.
TEST_F(OversizedRecordTest, TopicsThatAColumnNamesKeepTheirLimits) {
  out_ = create("narrow", 1, {{"max.message.bytes", "1000"}});
  std::ofstream(folder_ / "job.sql")
      << "CREATE TABLE t (value text) WITH (connector = 'kafka', bootstrap_servers = '"
      << broker().bootstrap_servers() << "', topic = '" << in_
      << "', format = 'raw', starting_offsets = 'earliest', on_bad_record = 'skip');\n"
      << "CREATE TABLE o () WITH (connector = 'kafka', bootstrap_servers = '"
      << broker().bootstrap_servers() << "', topic_column = 'target', format = 'raw');\n"
      << "INSERT INTO o SELECT value, '" << out_ << "' AS target FROM t;\n";
  Texts small(300, std::string(100, 'c'));
  small[150] = std::string(1'000, 'b');
  put(small);

  const auto engine = run();
  await(out_, 299);
  EXPECT_TRUE(engine->await_line("1 bad of t (oversized)")) << engine->said();
  stop(*engine);

  EXPECT_EQ(values(), Texts(299, std::string(100, 'c')));
}

TEST_F(OversizedRecordTest, ALetterThatItsTopicDoesNotTakeGoesWithoutItsValue) {
  out_ = create("small", 1, {{"max.message.bytes", "1000"}});
  letters_ = create("small-letters", 1, {{"max.message.bytes", "1500"}});
  put({"1", std::string(3'000, 'b'), "2"});

  const auto engine =
      copy(", on_bad_record = 'dead_letter', dead_letter_topic = '" + letters_ + "'", "");
  await(out_, 2);
  await(letters_, 1);
  stop(*engine);

  EXPECT_EQ(values(), (Texts{"1", "2"}));
  const auto letters = read(letters_);
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].key, "k");
  EXPECT_EQ(letters[0].value, std::nullopt);
  EXPECT_EQ(letters[0].headers.back(),
            (KafkaProbeRecord::Header{"millrace.dead_letter.left_out", "value of 3000 bytes"}));
}

}  // namespace
}  // namespace millrace::support
