#include "connectors/kafka_sink.hpp"
#include "connectors/kafka_source.hpp"
#include "tests/broker/topic_fixture.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

// Source and sink on a real broker: what the mock cluster does not know (transactions, retention,
// duplicates dropped for idempotent producers, a broker that dies).

namespace millrace::connectors {
namespace {

using stream::Positions;
using support::kafka_table;
using support::KafkaRows;
using support::KafkaTap;
using support::Signal;
using support::value_in;
using support::values_of;

class KafkaConnectorTest : public support::TopicTest {
 protected:
  std::unique_ptr<stream::Source> open_source(const std::string& topic, const Options& more = {}) {
    auto source =
        make_kafka_source({kafka_table(broker().bootstrap_servers(), topic, more), {}, {}},
                          {clock_, [this](LogLevel, std::string_view line) { log(line); }});
    EXPECT_TRUE(source.has_value()) << source.error().message;
    return std::move(*source);
  }
  std::unique_ptr<stream::Sink> open_sink(const std::string& topic, const Options& more = {}) {
    auto sink =
        make_kafka_sink({kafka_table(broker().bootstrap_servers(), topic, more), "none", {}},
                        {clock_, [this](LogLevel, std::string_view line) { log(line); }});
    EXPECT_TRUE(sink.has_value()) << sink.error().message;
    (*sink)->set_events({.on_flushed = [this](Epoch) { flushed_.raise(); },
                         .on_failure =
                             [this](const Error& error) {
                               log("failure: " + error.message);
                               flushed_.raise();
                             },
                         .on_room = [this] { room_.raise(); }});
    return std::move(*sink);
  }
  void log(std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
  }
  // Lines that contain `text`.
  std::int64_t logged(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return std::ranges::count_if(
        lines_, [&](const auto& line) { return line.find(text) != std::string::npos; });
  }

  SystemClock clock_;
  KafkaRows rows_;
  Signal flushed_;
  Signal room_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST_F(KafkaConnectorTest, PassesTombstonesHeadersAndTimesThroughBothWays) {
  const auto in = create("fidelity-in", 1);
  const auto out = create("fidelity-out", 1);
  std::vector<KafkaProbeRecord> records = {
      {.key = "gone", .value = std::nullopt, .headers = {{"h", std::nullopt}, {"h", "2"}}},
      {.key = std::nullopt, .value = "", .headers = {}},
      {.key = "", .value = "v", .headers = {{"a", ""}, {"a", "1"}}},
  };
  for (auto& record : records) {
    record.partition = 0;
    record.timestamp_ms = 1'600'000'000'123;
  }
  write(in, records);

  const auto source = open_source(in);
  const auto taken = KafkaTap(*source, {in + "-0", in, 0}, 0).read(3);
  const auto sink = open_sink(out);
  ASSERT_TRUE(sink->prime());
  {
    const auto writer = sink->open_writer(rows_.schema()).value();
    ASSERT_TRUE(writer->write(rows_.batch(taken), Epoch(0)));
    sink->seal(Epoch(0));
    ASSERT_TRUE(flushed_.wait());
  }

  for (std::size_t i = 0; i < records.size(); ++i) records[i].offset = static_cast<int>(i);
  EXPECT_EQ(taken, records);
  EXPECT_EQ(read(out), records);
  sink->close();
}

TEST_F(KafkaConnectorTest, BeginsAtTheFirstOffsetThatIsLeft) {
  const auto topic = create("retention", 1);
  write(topic, std::vector<KafkaProbeRecord>(10, value_in(0, "v")));
  ASSERT_TRUE(probe_->delete_records(topic, 0, 4));

  EXPECT_EQ(open_source(topic, {{"starting_offsets", "earliest"}})->start_positions().value(),
            (Positions{{topic + "-0", 4}}));

  const auto source = open_source(topic);
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 1);
  EXPECT_TRUE(tap.read(1).empty());
  EXPECT_EQ(tap.error(),
            "topic " + topic +
                ", partition 0: the 3 records of offsets 1 to 3 are gone (retention?), "
                "the first one left is 4; fail_on_data_loss = 'false' goes on from "
                "there");
}

TEST_F(KafkaConnectorTest, RefusesToBeginWhereNoRecordIsOrWillBeNext) {
  const auto topic = create("range", 2);
  write(topic, std::vector<KafkaProbeRecord>(10, value_in(0, "v")));
  ASSERT_TRUE(probe_->delete_records(topic, 0, 4));
  const auto start_at = [&](const std::string& offset) {
    const auto source = open_source(
        topic, {{"starting_offsets", R"({")" + topic + R"(":{"0":)" + offset + R"(,"1":-1}})"}});
    const auto start = source->start_positions();
    return start ? std::to_string(start->at(topic + "-0")) : start.error().message;
  };

  EXPECT_EQ(start_at("4"), "4");
  EXPECT_EQ(start_at("10"), "10");
  EXPECT_EQ(start_at("11"), "source " + topic + ": option starting_offsets begins topic " + topic +
                                ", partition 0 at offset 11; its first record is 4, and the next "
                                "one to come will be 10");
  EXPECT_EQ(start_at("3"), "source " + topic + ": option starting_offsets begins topic " + topic +
                               ", partition 0 at offset 3; its first record is 4, and the next one "
                               "to come will be 10");
}

TEST_F(KafkaConnectorTest, ReachesItsLimitAcrossMarkersAndAbortedRecords) {
  const auto topic = create("markers", 1);
  write(topic, {value_in(0, "plain")});                                            // 0
  ASSERT_TRUE(probe_->write_transaction(topic, {value_in(0, "kept")}, true));      // 1, marker 2
  ASSERT_TRUE(probe_->write_transaction(topic, {value_in(0, "aborted")}, false));  // 3, marker 4
  const auto source = open_source(topic);
  const Positions end{{topic + "-0", 5}};
  // The broker answers the end of a transaction before it has written the marker.
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (source->end_positions().value() != end && std::chrono::steady_clock::now() < limit) {
  }
  ASSERT_EQ(source->end_positions().value(), end);
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);

  EXPECT_EQ(values_of(tap.read_to(3)), std::vector<std::string>({"plain", "kept"}));
  EXPECT_EQ(tap.reader().position(), 3);
  EXPECT_EQ(values_of(tap.read_to(5)), std::vector<std::string>({}));
  EXPECT_EQ(tap.reader().position(), 5);

  write(topic, {value_in(0, "next")});
  EXPECT_EQ(values_of(tap.read(1)), std::vector<std::string>({"next"}));
  EXPECT_EQ(tap.reader().position(), 6);
}

TEST_F(KafkaConnectorTest, CreatesItsTopicWhenAllowed) {
  const auto topic = broker().unique_topic("created");
  const auto sink = open_sink(topic, {{"create_topics", "true"}, {"partitions", "3"}});

  const auto primed = sink->prime();

  ASSERT_TRUE(primed.has_value()) << primed.error().message;
  EXPECT_EQ(open_source(topic)->partitions().value().size(), 3U);
  sink->close();
}

TEST_F(KafkaConnectorTest, SaysThatATopicIsMissing) {
  const auto topic = create("present", 1);

  const auto primed = open_sink(topic + "x")->prime();

  ASSERT_FALSE(primed.has_value());
  EXPECT_EQ(primed.error().message, "sink " + topic + "x: topic not found at " +
                                        broker().bootstrap_servers() + ": " + topic +
                                        "x (the nearest is " + topic + ")");
}

TEST_F(KafkaConnectorTest, GoesOnByItselfWhenTheBrokerIsKilledAndComesBack) {
  constexpr int kRecords = 12'000;  // all of them fit into what a sink holds in flight
  const auto topic = create("killed", 2);
  const auto source = open_source(topic);
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);
  ASSERT_TRUE(source->prime());
  const auto sink = open_sink(topic);
  ASSERT_TRUE(sink->prime());
  auto writer = sink->open_writer(rows_.schema()).value();

  int next = 0;
  const auto write_some = [&](int count) {
    for (int end = next + count; next < end;) {
      while (!writer->is_ready()) ASSERT_TRUE(room_.wait());
      std::vector<KafkaProbeRecord> records;
      for (int i = 0; i < 100; ++i) records.push_back(value_in(0, std::to_string(next++)));
      ASSERT_TRUE(writer->write(rows_.batch(records), Epoch(0)));
    }
  };
  write_some(kRecords / 2);
  broker().kill();
  write_some(kRecords / 2);
  broker().restart();
  sink->seal(Epoch(0));
  const auto records = tap.read(kRecords);
  ASSERT_TRUE(flushed_.wait());

  ASSERT_EQ(records.size(), static_cast<std::size_t>(kRecords)) << tap.error();
  for (int i = 0; i < kRecords; ++i) ASSERT_EQ(records[i].value, std::to_string(i));
  EXPECT_EQ(sink->acknowledged(), kRecords);
  EXPECT_EQ(logged("failure"), 0);
  EXPECT_EQ(logged("sink " + topic + ": no broker of"), 1);
  EXPECT_EQ(logged("sink " + topic + ": a broker of"), 1);
  EXPECT_EQ(logged("source " + topic + ": no broker of"), 1);
  EXPECT_EQ(logged("source " + topic + ": a broker of"), 1);
  writer.reset();
  sink->close();
}

TEST_F(KafkaConnectorTest, WritesToAPartitionThatCameWhileItRan) {
  const auto topic = create("grown", 1);
  const auto sink = open_sink(topic);
  ASSERT_TRUE(sink->prime());
  {
    const auto writer = sink->open_writer(rows_.schema()).value();
    ASSERT_TRUE(writer->write(rows_.batch({value_in(0, "before")}), Epoch(0)));
    ASSERT_TRUE(probe_->grow_topic(topic, 3));

    const auto written = writer->write(rows_.batch({value_in(2, "after")}), Epoch(0));

    ASSERT_TRUE(written.has_value()) << written.error().message;
    sink->seal(Epoch(0));
    ASSERT_TRUE(flushed_.wait());
  }
  EXPECT_EQ(values_of(read(topic)), std::vector<std::string>({"before", "after"}));
  EXPECT_EQ(logged("failure"), 0);
  sink->close();
}

// The client waits a while for a topic that its broker does not know, since a broker that has just
// come back may learn of it yet; here not for long.
TEST_F(KafkaConnectorTest, SaysThatItsTopicWasDeleted) {
  const auto topic = create("deleted", 1);
  const auto source = open_source(topic, {{"kafka.topic.metadata.propagation.max.ms", "100"}});
  KafkaTap tap(*source, {topic + "-0", topic, 0}, 0);
  ASSERT_TRUE(source->prime());

  ASSERT_TRUE(probe_->delete_topic(topic));

  EXPECT_TRUE(tap.read(1).empty());
  EXPECT_EQ(tap.error(),
            "topic " + topic + ", partition 0 no longer exists; records from offset 0 on are lost");
}

}  // namespace
}  // namespace millrace::connectors
