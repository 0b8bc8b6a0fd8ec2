#include "connectors/kafka_source.hpp"

#include "connectors/kafka_mock.hpp"
#include "tests/support/kafka_records.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace millrace::connectors {
namespace {

using stream::Positions;
using support::kafka_table;
using support::KafkaTap;
using support::value_in;

// One mock cluster for all of these; each test has a topic of its own.
class KafkaSourceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { mock_ = KafkaMock::start().value().release(); }
  static void TearDownTestSuite() { delete mock_; }

  KafkaSourceTest() : probe_(KafkaProbe::open(mock_->bootstrap_servers()).value()) {}

  void create(const std::string& topic, int partitions) {
    ASSERT_TRUE(mock_->create_topic(topic, partitions));
  }
  void write(const std::string& topic, const std::vector<KafkaProbeRecord>& records) {
    for (const auto& record : records) ASSERT_TRUE(probe_->write(topic, record));
    ASSERT_TRUE(probe_->flush());
  }
  std::unique_ptr<stream::Source> open(const std::string& topic, const Options& more = {}) {
    auto source = make_kafka_source({kafka_table(mock_->bootstrap_servers(), topic, more), {}, {}},
                                    {clock_, nullptr});
    EXPECT_TRUE(source.has_value()) << source.error().message;
    return std::move(*source);
  }

  static inline KafkaMock* mock_ = nullptr;
  SystemClock clock_;
  std::unique_ptr<KafkaProbe> probe_;
};

std::vector<KafkaProbeRecord> numbered(int count) {
  std::vector<KafkaProbeRecord> records;
  for (int i = 0; i < count; ++i) records.push_back(value_in(0, std::to_string(i)));
  return records;
}

TEST_F(KafkaSourceTest, ATimeThatNoTimestampHoldsIsABadRecord) {
  create("times", 1);
  auto last = value_in(0, "last");
  last.timestamp_ms = 9'223'372'036'854'775;
  auto past = value_in(0, "past");
  past.timestamp_ms = 9'223'372'036'854'776;
  write("times", {last, past});

  auto source = open("times");
  KafkaTap tap(*source, {"times-0", "times", 0}, 0);

  EXPECT_EQ(tap.read(2, 1).size(), 1U);
  EXPECT_EQ(tap.error(),
            "topic times, partition 0, offset 1: the record's timestamp, 9223372036854776 ms, is "
            "more than a timestamp can hold (did its producer write nanoseconds?)");
}

TEST_F(KafkaSourceTest, NamesItsPartitions) {
  create("named", 2);

  const auto partitions = open("named")->partitions();

  ASSERT_TRUE(partitions.has_value());
  EXPECT_EQ(*partitions, std::vector<stream::SourcePartition>(
                             {{"named-0", "named", 0}, {"named-1", "named", 1}}));
}

TEST_F(KafkaSourceTest, ReadsSeveralTopics) {
  create("several-a", 1);
  create("several-b", 2);
  auto table = kafka_table(mock_->bootstrap_servers(), "x");
  table.options = {{"bootstrap_servers", mock_->bootstrap_servers()},
                   {"subscribe", "several-a, several-b"}};

  const auto source = make_kafka_source({table, {}, {}}, {clock_, nullptr});

  ASSERT_TRUE(source.has_value());
  EXPECT_EQ((*source)->partitions().value().size(), 3U);
}

TEST_F(KafkaSourceTest, NamesTheNearestWhenATopicIsMissing) {
  create("weather", 1);

  const auto partitions = open("wether")->partitions();

  ASSERT_FALSE(partitions.has_value());
  EXPECT_EQ(partitions.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(partitions.error().message, "source wether: topic not found at " +
                                            mock_->bootstrap_servers() +
                                            ": wether (the nearest is weather)");
}

TEST_F(KafkaSourceTest, BeginsWhereTheOptionSays) {
  create("begin", 2);
  write("begin", {value_in(0, "a"), value_in(0, "b"), value_in(1, "c")});

  EXPECT_EQ(open("begin")->start_positions().value(), (Positions{{"begin-0", 2}, {"begin-1", 1}}));
  EXPECT_EQ(open("begin", {{"starting_offsets", "earliest"}})->start_positions().value(),
            (Positions{{"begin-0", 0}, {"begin-1", 0}}));
  EXPECT_EQ(open("begin", {{"startingOffsets", R"({"begin":{"0":1,"1":-1}})"}})
                ->start_positions()
                .value(),
            (Positions{{"begin-0", 1}, {"begin-1", 1}}));
  EXPECT_EQ(open("begin")->end_positions().value(), (Positions{{"begin-0", 2}, {"begin-1", 1}}));
  EXPECT_EQ(open("begin")->earliest_positions().value(),
            (Positions{{"begin-0", 0}, {"begin-1", 0}}));
}

TEST_F(KafkaSourceTest, SaysWhichTableAsksForWhatIsNotThere) {
  create("asked", 1);
  write("asked", {value_in(0, "a")});
  auto table = kafka_table(mock_->bootstrap_servers(), "asked");
  const auto problem = [&](const Options& options) {
    table.name = "clicks";
    table.options = options;
    table.options.set("bootstrap_servers", mock_->bootstrap_servers());
    const auto source = make_kafka_source({table, {}, {}}, {clock_, nullptr}).value();
    const auto start = source->start_positions();
    return start ? "none" : start.error().message;
  };

  EXPECT_EQ(problem({{"topic", "asked"}, {"starting_offsets", R"({"asked":{"0":5}})"}}),
            "source clicks: option starting_offsets begins topic asked, partition 0 at offset 5; "
            "its first record is 0, and the next one to come will be 1");
  EXPECT_EQ(problem({{"topic", "asked"}, {"starting_offsets", R"({"asked":{"1":5}})"}}),
            "source clicks: option starting_offsets must name every partition; topic asked, "
            "partition 0 is missing");
  EXPECT_EQ(problem({{"assign", R"({"asked":[0,1]})"}}),
            "source clicks: option assign names topic asked, partition 1; the topic has 1 of them, "
            "from 0 on");
  EXPECT_EQ(problem({{"subscribe_pattern", "aske"}}),
            "source clicks: no topic matches subscribe_pattern = 'aske'; it must match a topic's "
            "whole name");
}

// I-5, I-6
TEST_F(KafkaSourceTest, KeepsNullAndEmptyApartInKeysValuesAndHeaders) {
  create("fidelity", 1);
  const std::string binary("\0\xff\n", 3);
  std::vector<KafkaProbeRecord> records = {
      {.key = std::nullopt, .value = std::nullopt, .headers = {}},
      {.key = "", .value = "", .headers = {{"h", std::nullopt}, {"h", ""}, {"h", "x"}}},
      {.key = binary, .value = binary, .headers = {{"", binary}}},
      {.key = "k", .value = std::string(70'000, 'v'), .headers = {{"a", "1"}, {"b", "2"}}},
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].partition = 0;
    records[i].timestamp_ms = 1'700'000'000'000 + static_cast<std::int64_t>(i);
  }
  write("fidelity", records);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].offset = static_cast<int>(i);

  const auto source = open("fidelity");
  EXPECT_EQ(KafkaTap(*source, {"fidelity-0", "fidelity", 0}, 0).read(4), records);
}

TEST_F(KafkaSourceTest, GivesOnlyTheColumnsAskedForInTheirOrder) {
  create("columns", 1);
  write("columns", {value_in(0, "v")});
  const auto source = open("columns");

  const auto reader =
      source->open_reader({"columns-0", "columns", 0}, 0, {"timestampType", "VALUE", "topic"});

  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ((*reader)->schema()->to_string(), "timestampType int, value bytes, topic string");
}

TEST_F(KafkaSourceTest, RefusesAColumnThatARecordDoesNotHave) {
  create("wrong-column", 1);

  const auto reader =
      open("wrong-column")->open_reader({"wrong-column-0", "wrong-column", 0}, 0, {"price"});

  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().code, ErrorCode::kNotFound);
}

TEST_F(KafkaSourceTest, KeepsWhatABatchHasNoRoomForUntilTheNextPoll) {
  create("rows-max", 1);
  write("rows-max", numbered(100));
  const auto source = open("rows-max");
  KafkaTap tap(*source, {"rows-max-0", "rows-max", 0}, 0);

  const auto records = tap.read(100, 7);

  ASSERT_EQ(records.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(records[i].value, std::to_string(i));
}

TEST_F(KafkaSourceTest, EndsABatchAtItsLimitOfBytesButGivesALargerRecordWhole) {
  create("bytes-max", 1);
  const std::string half(kBatchBytesMax / 2 + 1, 'h');
  const std::string large(kBatchBytesMax * 2, 'l');
  write("bytes-max", {value_in(0, half), value_in(0, half), value_in(0, large)});
  const auto source = open("bytes-max");
  KafkaTap tap(*source, {"bytes-max-0", "bytes-max", 0}, 0);

  EXPECT_EQ(tap.read(1).size(), 1U);
  EXPECT_EQ(tap.read(1).size(), 1U);
  EXPECT_EQ(tap.read(1).at(0).value, large);
}

TEST_F(KafkaSourceTest, StopsAtTheLimitAndGoesOnBehindIt) {
  create("limit", 1);
  write("limit", numbered(10));
  const auto source = open("limit");
  KafkaTap tap(*source, {"limit-0", "limit", 0}, 2);

  const auto before = tap.read_to(5);
  EXPECT_EQ(before.size(), 3U);
  EXPECT_EQ(before.front().value, "2");
  EXPECT_EQ(tap.reader().position(), 5);
  EXPECT_EQ(tap.read_to(5).size(), 0U);

  const auto behind = tap.read_to(10);
  EXPECT_EQ(behind.size(), 5U);
  EXPECT_EQ(behind.front().value, "5");
  EXPECT_EQ(tap.reader().position(), 10);
}

TEST_F(KafkaSourceTest, WakesAnIdleReaderForARecordThatArrivesLater) {
  create("later", 1);
  const auto source = open("later");
  KafkaTap tap(*source, {"later-0", "later", 0}, 0);
  ASSERT_TRUE(source->prime());

  for (int i = 0; i < 20; ++i) {
    write("later", {value_in(0, std::to_string(i))});
    const auto records = tap.read(1);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].value, std::to_string(i));
  }
  EXPECT_EQ(source->fetch_latency().count, 20U);
}

TEST_F(KafkaSourceTest, SaysWhichOffsetIsNoLongerThere) {
  create("range", 1);
  write("range", numbered(3));
  const auto source = open("range");
  KafkaTap tap(*source, {"range-0", "range", 0}, 1000);

  EXPECT_TRUE(tap.read(1).empty());

  EXPECT_EQ(tap.error(),
            "topic range, partition 0: offset 1000 is past the end of the partition, 3; was the "
            "topic created anew? Its first record is 0; fail_on_data_loss = 'false' goes on from "
            "there");
}

TEST_F(KafkaSourceTest, ChecksItsOptionsBeforeAnythingIsAsked) {
  const auto refusal = [](const Options& options) {
    const auto traits = kafka_source_traits({"t", "kafka", {}, options});
    return traits ? "accepted" : traits.error().message;
  };

  EXPECT_EQ(refusal({{"bootstrap_servers", "h:1"}}),
            "a kafka source needs one of the options topic, subscribe, subscribe_pattern and "
            "assign");
  EXPECT_EQ(refusal({{"bootstrap_servers", "h:1"}, {"topic", "a"}, {"starting_offset", "b"}})
                    .find("starting_offsets") != std::string::npos,
            true);
  EXPECT_EQ(refusal({{"bootstrap_servers", "h:1"}, {"topic", "a"}, {"includeHeaders", "true"}}),
            "accepted");
}

TEST_F(KafkaSourceTest, SaysWhyAnOptionOfOtherEnginesMeansNothing) {
  const auto refusal = [](std::string_view option) {
    Options options{{"bootstrap_servers", "h:1"}, {"topic", "a"}};
    options.set(option, "10");
    return kafka_source_traits({"t", "kafka", {}, options}).error().message;
  };

  EXPECT_EQ(refusal("minPartitions"),
            "option min_partitions does nothing for a kafka source: one task reads a partition, so "
            "that its order is kept, and takes records as they come");
  EXPECT_EQ(refusal("groupIdPrefix"),
            "option group_id_prefix does nothing for a kafka source: no consumer group is used: "
            "positions are kept in the checkpoint");
}

TEST_F(KafkaSourceTest, SaysHowFarItIsBehind) {
  create("lag", 2);
  write("lag", numbered(5));
  const auto source = open("lag");
  KafkaTap first(*source, {"lag-0", "lag", 0}, 0);
  KafkaTap second(*source, {"lag-1", "lag", 1}, 0);
  ASSERT_TRUE(source->prime());
  // Known once each partition's first answer is there, also the one without a record.
  const auto begin = std::chrono::steady_clock::now();
  while (!source->lag() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(30))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(source->lag(), 5);

  ASSERT_EQ(first.read(2, 2).size(), 2U);

  EXPECT_EQ(source->lag(), 3);
}

}  // namespace
}  // namespace millrace::connectors
