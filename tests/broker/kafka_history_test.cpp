// What a source makes of a partition's history on a real broker: where it begins, what is gone,
// what comes, what was never meant to be read.

#include "connectors/kafka_source.hpp"
#include "tests/broker/topic_fixture.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace millrace::connectors {
namespace {

using stream::Positions;
using support::KafkaTap;
using support::value_in;
using support::values_of;

class KafkaHistoryTest : public support::TopicTest {
 protected:
  /// Deletes a topic and makes it anew, with one partition.
  void recreate(const std::string& topic) {
    ASSERT_TRUE(probe_->delete_topic(topic));
    create_when_gone(topic);
  }
  // The broker may not be done with the old one yet.
  void create_when_gone(const std::string& topic) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!probe_->create_topic(topic, 1)) ASSERT_LT(std::chrono::steady_clock::now(), limit);
  }
  /// With a client that knows nothing of the old topic.
  void write_anew(const std::string& topic, const std::vector<KafkaProbeRecord>& records) {
    const auto writer = KafkaProbe::open(broker().bootstrap_servers()).value();
    for (const auto& record : records) ASSERT_TRUE(writer->write(topic, record));
    ASSERT_TRUE(writer->flush());
  }
  /// A source with these options, and no other way to say what it reads.
  std::unique_ptr<stream::Source> open(const Options& options) {
    stream::TableDefinition table{"clicks", "kafka", {}, options};
    table.options.set("bootstrap_servers", broker().bootstrap_servers());
    auto source =
        make_kafka_source({table, {}, {}}, {clock_, [this](LogLevel, std::string_view line) {
                                              const std::lock_guard lock(mutex_);
                                              lines_.emplace_back(line);
                                            }});
    EXPECT_TRUE(source.has_value()) << source.error().message;
    return std::move(*source);
  }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

  SystemClock clock_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

std::vector<KafkaProbeRecord> numbered(int count) {
  std::vector<KafkaProbeRecord> records;
  for (int i = 0; i < count; ++i) records.push_back(value_in(0, std::to_string(i)));
  return records;
}

using Texts = std::vector<std::string>;

Texts names_of(const std::vector<stream::NewPartition>& found) {
  Texts names;
  for (const auto& [partition, first] : found) names.push_back(partition.name);
  return names;
}

Texts names_of(const std::vector<stream::SourcePartition>& partitions) {
  Texts names;
  for (const auto& partition : partitions) names.push_back(partition.name);
  return names;
}

// -- what is read --

TEST_F(KafkaHistoryTest, ReadsTheTopicsWhoseWholeNameAPatternMatches) {
  const auto stem = broker().unique_topic("pattern");
  for (const auto* tail : {"-a", "-b", "-bb"}) ASSERT_TRUE(probe_->create_topic(stem + tail, 1));

  EXPECT_EQ(names_of(open({{"subscribe_pattern", stem + "-[ab]"}})->partitions().value()),
            Texts({stem + "-a-0", stem + "-b-0"}));
  const auto none = open({{"subscribe_pattern", stem}})->partitions();
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message, "source clicks: no topic matches subscribe_pattern = '" + stem +
                                      "'; it must match a topic's whole name");
}

TEST_F(KafkaHistoryTest, ReadsAssignedPartitionsAndNoOther) {
  const auto topic = create("assigned", 3);

  EXPECT_EQ(names_of(open({{"assign", R"({")" + topic + R"(":[2,0]})"}})->partitions().value()),
            Texts({topic + "-0", topic + "-2"}));
  const auto missing = open({{"assign", R"({")" + topic + R"(":[3]})"}})->partitions();
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, "source clicks: option assign names topic " + topic +
                                         ", partition 3; the topic has 3 of them, from 0 on");
}

TEST_F(KafkaHistoryTest, TellsOfEachPartitionThatComesOnce) {
  const auto stem = broker().unique_topic("growing");
  ASSERT_TRUE(probe_->create_topic(stem + "-a", 1));
  const auto source = open({{"subscribe_pattern", stem + "-.*"}});
  ASSERT_EQ(source->partitions().value().size(), 1U);
  EXPECT_EQ(names_of(source->new_partitions()), Texts());

  ASSERT_TRUE(probe_->grow_topic(stem + "-a", 2));
  EXPECT_EQ(names_of(source->new_partitions()), Texts({stem + "-a-1"}));
  ASSERT_TRUE(probe_->create_topic(stem + "-b", 1));
  EXPECT_EQ(names_of(source->new_partitions()), Texts({stem + "-b-0"}));
  EXPECT_EQ(names_of(source->new_partitions()), Texts());
}

TEST_F(KafkaHistoryTest, AStartIsAboutThePartitionsItFoundAndALaterOneIsNew) {
  const auto topic = create("growing-at-start", 1);
  const auto source = open({{"topic", topic}});
  ASSERT_EQ(names_of(source->partitions().value()), Texts({topic + "-0"}));

  ASSERT_TRUE(probe_->grow_topic(topic, 2));

  EXPECT_EQ(source->start_positions().value(), (Positions{{topic + "-0", 0}}));
  EXPECT_EQ(source->earliest_positions().value(), (Positions{{topic + "-0", 0}}));
  EXPECT_EQ(names_of(source->new_partitions()), Texts({topic + "-1"}));
}

// -- where it begins --

TEST_F(KafkaHistoryTest, BeginsAtTheFirstRecordOfATime) {
  const auto topic = create("times", 2);
  write(topic, {value_in(0, "a", 1000), value_in(0, "b", 2000), value_in(0, "c", 3000),
                value_in(1, "d", 1500)});
  ASSERT_EQ(values_of(read(topic)), Texts({"a", "b", "c", "d"}));
  const auto begin = [&](const Options& more) -> Result<Positions> {
    Options options{{"topic", topic}};
    for (const auto& entry : more.entries()) options.set(entry.key, entry.value);
    return open(options)->start_positions();
  };

  EXPECT_EQ(begin({{"starting_timestamp", "1500"}}).value(),
            (Positions{{topic + "-0", 1}, {topic + "-1", 0}}));
  EXPECT_EQ(begin({{"starting_offsets_by_timestamp", R"({")" + topic + R"(":{"0":2001,"1":0}})"}})
                .value(),
            (Positions{{topic + "-0", 2}, {topic + "-1", 0}}));
  EXPECT_EQ(begin({{"starting_timestamp", "2000"}}).error().message,
            "source clicks: option starting_timestamp begins topic " + topic +
                ", partition 1 at time 2000 ms, and every record of it is older; to begin at its "
                "end then, set starting_offsets_by_timestamp_strategy = 'latest'");
  EXPECT_EQ(
      begin({{"starting_timestamp", "2000"}, {"starting_offsets_by_timestamp_strategy", "latest"}})
          .value(),
      (Positions{{topic + "-0", 1}, {topic + "-1", 1}}));
}

// I-15
TEST_F(KafkaHistoryTest, ReadsARecordThatIsLargerThanAFetchMayBe) {
  const auto topic = create("large", 1);
  write(topic, {value_in(0, std::string(5'000, 'x')), value_in(0, "small")});
  const auto source = open({{"topic", topic}, {"kafka.fetch.message.max.bytes", "1000"}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);

  EXPECT_EQ(values_of(tap.read(2)), Texts({std::string(5'000, 'x'), "small"}));
}

// -- what is gone --

// I-10
TEST_F(KafkaHistoryTest, NamesTheLostRangeAtARestartOrGoesOnBehindIt) {
  const auto topic = create("retention", 1);
  write(topic, numbered(10));
  ASSERT_TRUE(probe_->delete_records(topic, 0, 4));
  const Positions before{{topic + "-0", 1}};

  const auto failed = open({{"topic", topic}})->surviving(before);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kDataLoss);
  const auto loss = "topic " + topic +
                    ", partition 0: the 3 records of offsets 1 to 3 are gone (retention?), the "
                    "first one left is 4; ";
  EXPECT_EQ(failed.error().message, loss + "fail_on_data_loss = 'false' goes on from there");

  EXPECT_EQ(open({{"topic", topic}, {"failOnDataLoss", "false"}})->surviving(before).value(),
            (Positions{{topic + "-0", 4}}));
  EXPECT_EQ(lines(), Texts({loss + "goes on from there"}));
}

TEST_F(KafkaHistoryTest, GoesOnBehindRecordsThatGoWhileItRuns) {
  const auto topic = create("retention-on", 1);
  write(topic, numbered(10));
  ASSERT_TRUE(probe_->delete_records(topic, 0, 4));
  const auto source = open({{"topic", topic}, {"fail_on_data_loss", "false"}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 1);

  EXPECT_EQ(values_of(tap.read(6)), Texts({"4", "5", "6", "7", "8", "9"})) << tap.error();

  EXPECT_EQ(lines(),
            Texts({"topic " + topic +
                   ", partition 0: 3 records are lost, of offsets 1 to 3 (retention?); goes "
                   "on from 4"}));
}

// I-9
TEST_F(KafkaHistoryTest, NoticesATopicThatWasCreatedAnew) {
  const auto topic = create("anew", 1);
  write(topic, numbered(10));
  const auto source = open({{"topic", topic}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);
  ASSERT_EQ(tap.read(10).size(), 10U);

  recreate(topic);
  write_anew(topic, numbered(5));

  const auto loss = "topic " + topic +
                    ", partition 0: offset 10 is past the end of the partition, 5; was the topic "
                    "created anew? Its first record is 0; fail_on_data_loss = 'false' goes on from "
                    "there";
  // The reader that runs may have seen that there was no topic for a moment.
  EXPECT_TRUE(tap.read(1).empty());
  EXPECT_TRUE(tap.error() == loss ||
              tap.error() == "topic " + topic +
                                 ", partition 0 no longer exists; records from offset 10 on are "
                                 "lost")
      << tap.error();
  const auto again = open({{"topic", topic}});
  KafkaTap later(*again, {topic + "-0", topic, 0}, 10);
  EXPECT_TRUE(later.read(1).empty());
  EXPECT_EQ(later.error(), loss);
  EXPECT_EQ(open({{"topic", topic}})->surviving({{topic + "-0", 10}}).error().message, loss);
  EXPECT_EQ(open({{"topic", topic}, {"fail_on_data_loss", "false"}})
                ->surviving({{topic + "-0", 10}})
                .value(),
            (Positions{{topic + "-0", 0}}));
}

// I-9
TEST_F(KafkaHistoryTest, GoesOnAtTheBeginningOfATopicThatWasCreatedAnewWhileItRan) {
  const auto topic = create("anew-on", 1);
  write(topic, numbered(10));
  const auto source = open({{"topic", topic}, {"fail_on_data_loss", "false"}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);
  ASSERT_EQ(tap.read(10).size(), 10U);

  recreate(topic);
  write_anew(topic, numbered(5));

  EXPECT_EQ(values_of(tap.read(5)), Texts({"0", "1", "2", "3", "4"})) << tap.error();
  write_anew(topic, {value_in(0, "next")});
  EXPECT_EQ(values_of(tap.read(1)), Texts({"next"})) << tap.error();
  EXPECT_EQ(tap.reader().position(), 6);
  // How it is noticed is a matter of moments: it was away, or it is too short.
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_TRUE(lines()[0].starts_with("topic " + topic +
                                     ", partition 0: what it held from offset 10 on is lost: the "))
      << lines()[0];
}

// That there is a topic of that name again, with any number of records, does not make it the old
// one.
TEST_F(KafkaHistoryTest, GoesOnAtTheBeginningAlsoOfALongerTopicWhenItSawTheOldOneGo) {
  const auto topic = create("anew-longer", 1);
  write(topic, numbered(2));
  const auto source = open({{"topic", topic}, {"fail_on_data_loss", "false"}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);
  ASSERT_EQ(tap.read(2).size(), 2U);
  ASSERT_TRUE(probe_->delete_topic(topic));
  tap.poll_until([this] { return !lines().empty(); });

  create_when_gone(topic);
  write_anew(topic, numbered(4));

  EXPECT_EQ(values_of(tap.read(4)), Texts({"0", "1", "2", "3"})) << tap.error();
  EXPECT_EQ(lines(), Texts({"topic " + topic +
                            ", partition 0: what it held from offset 2 on is lost: the topic was "
                            "deleted; goes on at the beginning of the next one of that name"}));
}

// -- what is not there --

// I-8
TEST_F(KafkaHistoryTest, GivesTheOneCommittedRecordBehindAHundredThousandAbortedOnes) {
  const auto topic = create("aborted", 1);
  const std::vector<KafkaProbeRecord> aborted(100'000, value_in(0, std::string(100, 'x')));
  ASSERT_TRUE(probe_->write_transaction(topic, aborted, false));
  ASSERT_TRUE(probe_->write_transaction(topic, {value_in(0, "kept")}, true));
  const auto source = open({{"topic", topic}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);

  EXPECT_EQ(values_of(tap.read(1)), Texts({"kept"}));
  EXPECT_EQ(tap.reader().position(), 100'002) << "the marker of the abort, and the record";

  const auto all = open({{"topic", topic}, {"kafka.isolation.level", "read_uncommitted"}});
  KafkaTap other(*all, {topic + "-0", topic, 0}, 0);
  EXPECT_EQ(other.read(100'001).size(), 100'001U);
}

// I-7
TEST_F(KafkaHistoryTest, AGoneMiddleIsNoLoss) {
  const auto topic = create("compacted", 1,
                            {{"cleanup.policy", "compact"},
                             {"segment.ms", "100"},
                             {"min.cleanable.dirty.ratio", "0.01"},
                             {"max.compaction.lag.ms", "1"}});
  const auto keyed = [](std::string key, std::string value) {
    auto record = value_in(0, std::move(value));
    record.key = std::move(key);
    return record;
  };
  write(topic,
        {keyed("a", "0"), keyed("b", "1"), keyed("c", "2"), keyed("c", "3"), keyed("c", "4"),
         keyed("c", "5"), keyed("d", "6"), keyed("d", "7"), keyed("d", "8"), keyed("d", "9")});
  // The segment that is written to is never compacted, so that another record must begin a new one.
  std::vector<KafkaProbeRecord> left;
  std::int64_t end = 10;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    write(topic, {keyed("last", "last")});
    ++end;
    left = read(topic);
    if (left.size() > 4 && left[2].offset == 5 && left[3].offset == 9) break;
  }
  ASSERT_GT(left.size(), 4U);
  ASSERT_EQ(left[2].offset, 5) << "the broker has not compacted";
  const auto source = open({{"topic", topic}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);

  EXPECT_EQ(values_of(tap.read_to(10)), Texts({"0", "1", "5", "9"}));
  EXPECT_EQ(tap.reader().position(), 10);
  tap.read_to(end);
  EXPECT_EQ(tap.reader().position(), end) << "an end that lies behind a gap is reached";

  KafkaTap inside(*source, {topic + "-0", topic, 0}, 3);
  EXPECT_EQ(values_of(inside.read_to(8)), Texts({"5"})) << "begun and ended in gaps";
}

}  // namespace
}  // namespace millrace::connectors
