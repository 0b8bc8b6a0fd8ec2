#include "connectors/kafka_sink.hpp"

#include "connectors/kafka_mock.hpp"
#include "tests/support/kafka_records.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace millrace::connectors {
namespace {

using support::kafka_table;
using support::KafkaRows;
using support::Signal;
using support::value_in;

// A sink with its events kept, on one mock cluster for all of these; each has a topic of its own.
class KafkaSinkTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { mock_ = KafkaMock::start().value().release(); }
  static void TearDownTestSuite() { delete mock_; }

  KafkaSinkTest() : probe_(KafkaProbe::open(mock_->bootstrap_servers()).value()) {}

  ~KafkaSinkTest() override {
    writer_.reset();
    if (sink_) sink_->close();
    mock_->clear_produce_answers();
    mock_->set_broker_up(true);
  }

  void open(const std::string& topic, const Options& more = {}) {
    auto sink = make_kafka_sink({kafka_table(mock_->bootstrap_servers(), topic, more), "none", {}},
                                {clock_, nullptr});
    ASSERT_TRUE(sink.has_value()) << sink.error().message;
    sink_ = std::move(*sink);
    sink_->set_events({.on_flushed =
                           [this](Epoch epoch) {
                             const std::lock_guard lock(mutex_);
                             flushed_.push_back(epoch.value);
                             signal_.raise();
                           },
                       .on_failure =
                           [this](const Error& error) {
                             const std::lock_guard lock(mutex_);
                             failures_.push_back(error.message);
                             signal_.raise();
                           },
                       .on_room = [this] { room_.raise(); }});
  }
  void open_writer() {
    const auto primed = sink_->prime();
    ASSERT_TRUE(primed.has_value()) << primed.error().message;
    auto writer = sink_->open_writer(rows_.schema());
    ASSERT_TRUE(writer.has_value()) << writer.error().message;
    writer_ = std::move(*writer);
  }
  void open_with_topic(const std::string& topic, int partitions) {
    ASSERT_TRUE(mock_->create_topic(topic, partitions));
    open(topic);
    open_writer();
  }
  Status write(const std::vector<KafkaProbeRecord>& records, std::int64_t epoch) {
    const Batch batch = rows_.batch(records);
    return writer_->write(batch, Epoch(epoch));
  }
  // What was flushed once so many epochs were, or something failed.
  std::vector<std::int64_t> await_flushed(std::size_t count) {
    while (true) {
      {
        const std::lock_guard lock(mutex_);
        if (flushed_.size() >= count || !failures_.empty()) return flushed_;
      }
      if (!signal_.wait()) return {};
    }
  }
  std::vector<std::string> await_failure() {
    await_flushed(SIZE_MAX);
    const std::lock_guard lock(mutex_);
    return failures_;
  }

  static inline KafkaMock* mock_ = nullptr;
  SystemClock clock_;
  std::unique_ptr<KafkaProbe> probe_;
  KafkaRows rows_;
  Signal signal_;
  Signal room_;
  std::mutex mutex_;
  std::vector<std::int64_t> flushed_;
  std::vector<std::string> failures_;
  std::unique_ptr<stream::Sink> sink_;
  std::unique_ptr<stream::SinkWriter> writer_;
};

TEST_F(KafkaSinkTest, AsksWhatBecomesOfARecordThatIsTooLargeAndGoesOn) {
  ASSERT_TRUE(mock_->create_topic("sizes", 1));
  open("sizes", {{"kafka.message.max.bytes", "1000"}});
  open_writer();
  std::vector<std::string> reasons;
  writer_->on_unwritable([&](const Batch& rows, std::size_t row, stream::BadRecordReason kind,
                             const std::string& reason) {
    EXPECT_EQ(kind, stream::BadRecordReason::kOversized);
    reasons.push_back(std::to_string(rows.column(0).text(row).size()) + ": " + reason);
    return Status();
  });

  ASSERT_TRUE(write({value_in(0, std::string(100, 'a')), value_in(0, std::string(2000, 'b')),
                     value_in(0, std::string(100, 'c'))},
                    0));
  sink_->seal(Epoch(0));

  EXPECT_EQ(await_flushed(1), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(reasons, (std::vector<std::string>{"2000: the record made from it has 2000 bytes, the "
                                               "client takes 1000 (kafka.message.max.bytes)"}));
  EXPECT_EQ(probe_->read_all("sizes").value().size(), 2U);
  EXPECT_EQ(sink_->acknowledged(), 2);
  EXPECT_EQ(sink_->in_flight(), 0);
}

TEST_F(KafkaSinkTest, ARecordThatIsTooLargeIsAFailureWhenNobodyIsAsked) {
  ASSERT_TRUE(mock_->create_topic("sizes-unasked", 1));
  open("sizes-unasked", {{"kafka.message.max.bytes", "1000"}});
  open_writer();

  const Status outcome = write({value_in(0, std::string(2000, 'b'))}, 0);

  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "topic sizes-unasked: a record (value of 2000 bytes) cannot be written: the record "
            "made from it has 2000 bytes, the client takes 1000 (kafka.message.max.bytes)");
}

// I-5, I-6
TEST_F(KafkaSinkTest, KeepsNullAndEmptyApartInKeysValuesAndHeaders) {
  open_with_topic("fidelity", 2);
  const std::string binary("\0\xff\n", 3);
  std::vector<KafkaProbeRecord> records = {
      {.key = std::nullopt, .value = std::nullopt, .headers = {}},
      {.key = "", .value = "", .headers = {{"h", std::nullopt}, {"h", ""}, {"h", "x"}}},
      {.key = binary, .value = binary, .headers = {{"b", binary}}},
      {.key = "k", .value = std::string(70'000, 'v'), .headers = {}},
  };
  for (auto& record : records) {
    record.partition = 1;
    record.timestamp_ms = 1'700'000'000'123;
  }

  ASSERT_TRUE(write(records, 0));
  sink_->seal(Epoch(0));
  await_flushed(1);

  auto written = probe_->read_all("fidelity").value();
  for (std::size_t i = 0; i < records.size(); ++i) records[i].offset = static_cast<int>(i);
  EXPECT_EQ(written, records);
}

TEST_F(KafkaSinkTest, PutsARecordWithoutKeyIntoThePartitionOfItsSource) {
  open_with_topic("keyless", 4);
  const Origin origin{"clicks", "topic clicks, partition 6", 6};
  Batch batch = rows_.batch({{.key = std::nullopt, .value = "a", .headers = {}},
                             {.key = std::nullopt, .value = "b", .headers = {}}});
  batch.set_origin(&origin);
  ASSERT_TRUE(writer_->write(batch, Epoch(0)));
  sink_->seal(Epoch(0));
  ASSERT_EQ(await_flushed(1), std::vector<std::int64_t>{0});

  const auto records = probe_->read_all("keyless").value();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].partition, 2) << "6 modulo 4";
  EXPECT_EQ(records[1].partition, 2);
  EXPECT_EQ(records[0].value, "a");
}

TEST_F(KafkaSinkTest, AcknowledgesEachRecordOnce) {
  open_with_topic("once", 4);
  for (int batch = 0; batch < 50; ++batch) {
    std::vector<KafkaProbeRecord> records;
    for (int i = 0; i < 100; ++i) records.push_back(value_in(i % 4, std::to_string(i)));
    ASSERT_TRUE(write(records, 0));
  }
  sink_->seal(Epoch(0));

  EXPECT_EQ(await_flushed(1), std::vector<std::int64_t>({0}));
  EXPECT_EQ(sink_->acknowledged(), 5'000);
  EXPECT_EQ(sink_->in_flight(), 0);
  EXPECT_EQ(sink_->acknowledge_latency().count, 5'000U);
  EXPECT_EQ(probe_->read_all("once").value().size(), 5'000U);
}

TEST_F(KafkaSinkTest, FlushesEpochsInOrderWhileLaterOnesFlow) {
  open_with_topic("epochs", 1);
  std::vector<std::int64_t> expected;
  for (std::int64_t epoch = 5; epoch < 205; ++epoch) {
    ASSERT_TRUE(write({value_in(0, "a"), value_in(0, "b")}, epoch));
    sink_->seal(Epoch(epoch));
    expected.push_back(epoch);
    // As the coordinator does: few epochs are sealed and not flushed.
    if (expected.size() > 4) await_flushed(expected.size() - 4);
  }

  EXPECT_EQ(await_flushed(expected.size()), expected);
  EXPECT_EQ(sink_->acknowledged(), 400);
}

// One request in flight here: with more, the broker's check of sequence numbers is what keeps the
// order, and the mock has none for a producer without transactions (tests/broker shows the rest).
TEST_F(KafkaSinkTest, KeepsTheOrderWhenEveryTenthRequestFails) {
  ASSERT_TRUE(mock_->create_topic("order", 1));
  open("order", {{"kafka.max.in.flight", "1"}});
  open_writer();
  for (int i = 0; i < 40; ++i) {
    mock_->push_produce_answer(KafkaMockError::kNone, 9);
    mock_->push_produce_answer(i % 2 == 0 ? KafkaMockError::kRequestTimedOut
                                          : KafkaMockError::kNotLeader);
  }

  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(write({value_in(0, std::to_string(i))}, 0));
    std::this_thread::yield();
  }
  sink_->seal(Epoch(0));
  await_flushed(1);

  const auto written = probe_->read_all("order").value();
  ASSERT_EQ(written.size(), 300U);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(written[i].value, std::to_string(i));
  EXPECT_EQ(sink_->acknowledged(), 300);
}

TEST_F(KafkaSinkTest, RefusesMoreWhileTheBrokerIsAwayAndSaysWhenThereIsRoom) {
  open_with_topic("room", 1);
  mock_->set_broker_up(false);
  std::int64_t written = 0;
  while (writer_->is_ready()) {
    std::vector<KafkaProbeRecord> records(1'000, value_in(0, "v"));
    ASSERT_TRUE(write(records, 0));
    written += 1'000;
    ASSERT_LT(written, 1'000'000);
  }
  EXPECT_EQ(sink_->in_flight(), written);
  EXPECT_EQ(written, 17'000);

  mock_->set_broker_up(true);

  EXPECT_TRUE(room_.wait());
  EXPECT_TRUE(writer_->is_ready());
  sink_->seal(Epoch(0));
  EXPECT_EQ(await_flushed(1), std::vector<std::int64_t>({0}));
  EXPECT_EQ(sink_->acknowledged(), written);
}

TEST_F(KafkaSinkTest, BoundsTheBytesInFlightToo) {
  open_with_topic("bytes", 1);
  mock_->set_broker_up(false);
  int written = 0;
  while (writer_->is_ready()) {
    ASSERT_TRUE(write({value_in(0, std::string(900'000, 'v'))}, 0));
    ++written;
    ASSERT_LT(written, 1'000);
  }

  EXPECT_EQ(written, 38);  // 32 MiB
}

TEST_F(KafkaSinkTest, FailsOnARecordThatIsTooLargeAndFlushesNothing) {
  ASSERT_TRUE(mock_->create_topic("large", 1));
  open("large", {{"kafka.message.max.bytes", "1000000"}});
  open_writer();

  const auto outcome = write(
      {value_in(0, "fits"), value_in(0, std::string(2'000'000, 'v')), value_in(0, "is not tried")},
      0);
  sink_->seal(Epoch(0));

  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(
      outcome.error().message,
      "topic large: a record (value of 2000000 bytes) cannot be written: the record made from "
      "it has 2000000 bytes, the client takes 1000000 (kafka.message.max.bytes)");
  while (sink_->in_flight() > 0) std::this_thread::yield();
  EXPECT_EQ(sink_->acknowledged(), 1);
  EXPECT_TRUE(flushed_.empty());
}

TEST_F(KafkaSinkTest, FailsOnAPartitionThatDoesNotExistNamingBothEndsAndCountsItOnce) {
  open_with_topic("partition", 2);
  const Origin origin{"clicks", "topic clicks, partition 3", 3};
  Batch batch = rows_.batch({value_in(7, "v")});
  batch.set_origin(&origin);
  batch.set_positions(std::vector<std::int64_t>{41});

  const auto outcome = writer_->write(batch, Epoch(0));

  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(
      outcome.error().message,
      "topic partition: a record (value of 1 bytes, made from topic clicks, partition 3, "
      "offset 41) cannot be written: the partition of the record made from it is 7, and topic "
      "partition has 2 of them, from 0 on");
  EXPECT_TRUE(failures_.empty()) << "one failure has one cause";
  EXPECT_EQ(sink_->in_flight(), 0);
  EXPECT_EQ(sink_->acknowledged(), 0);
}

TEST_F(KafkaSinkTest, ReportsARecordThatTheBrokerRefusesForGood) {
  open_with_topic("refused", 1);
  mock_->push_produce_answer(KafkaMockError::kTopicUnauthorized);
  KafkaProbeRecord record = value_in(0, "value");
  record.key = "user-1";

  ASSERT_TRUE(write({record}, 0));
  sink_->seal(Epoch(0));

  EXPECT_EQ(await_failure(),
            std::vector<std::string>({"topic refused, partition 0: a record (key user-1, value of "
                                      "5 bytes) cannot be written: Broker: Topic authorization "
                                      "failed"}));
  EXPECT_TRUE(flushed_.empty());
  EXPECT_EQ(sink_->in_flight(), 0);
}

TEST_F(KafkaSinkTest, FailsWhenTheFirstAcknowledgementOfAPartitionHasNoOffset) {
  open_with_topic("doubtful", 2);
  ASSERT_TRUE(write({value_in(1, "sure")}, 0));
  sink_->seal(Epoch(0));
  ASSERT_EQ(await_flushed(1), std::vector<std::int64_t>({0}));
  mock_->push_produce_answer(KafkaMockError::kDuplicate);

  ASSERT_TRUE(write({value_in(0, "perhaps lost")}, 1));
  sink_->seal(Epoch(1));

  EXPECT_EQ(await_failure(),
            std::vector<std::string>({"topic doubtful, partition 0: the first records written "
                                      "there may be lost: the broker took later ones before them, "
                                      "or its answer was lost; the open epoch runs again at the "
                                      "next start"}));
  EXPECT_EQ(flushed_, std::vector<std::int64_t>({0}));
  EXPECT_EQ(sink_->acknowledged(), 1);
  EXPECT_EQ(sink_->in_flight(), 0);
}

// The broker knows then what came before: the answer was lost, not the record.
TEST_F(KafkaSinkTest, TakesALaterAcknowledgementWithoutAnOffsetForAWrittenRecord) {
  open_with_topic("repeated", 1);
  ASSERT_TRUE(write({value_in(0, "sure")}, 0));
  sink_->seal(Epoch(0));
  ASSERT_EQ(await_flushed(1), std::vector<std::int64_t>({0}));
  mock_->push_produce_answer(KafkaMockError::kDuplicate);

  ASSERT_TRUE(write({value_in(0, "again")}, 1));
  sink_->seal(Epoch(1));

  EXPECT_EQ(await_flushed(2), std::vector<std::int64_t>({0, 1}));
  EXPECT_TRUE(failures_.empty());
  EXPECT_EQ(sink_->acknowledged(), 2);
}

TEST_F(KafkaSinkTest, BlamesNoRecordAloneForARequestThatIsTooLarge) {
  open_with_topic("large-request", 1);
  mock_->push_produce_answer(KafkaMockError::kTooLarge);

  ASSERT_TRUE(write({value_in(0, "small"), value_in(0, "perhaps large")}, 0));

  EXPECT_EQ(await_failure(),
            std::vector<std::string>(
                {"topic large-request, partition 0: a record (no key, value of 5 bytes) cannot be "
                 "written: Broker: Message size too large, it or one sent with it. Either "
                 "max.message.bytes of "
                 "the topic was lowered a moment ago: then the next start runs the epoch again, "
                 "and a record "
                 "that is too large goes as on_bad_record says. Or the brokers do not tell us that "
                 "limit: then "
                 "set kafka.batch.size to it"}));
}

TEST_F(KafkaSinkTest, NamesTheNearestWhenItsTopicIsMissing) {
  ASSERT_TRUE(mock_->create_topic("enriched", 1));
  open("enrichd");

  const auto primed = sink_->prime();

  ASSERT_FALSE(primed.has_value());
  EXPECT_EQ(primed.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(primed.error().message, "sink enrichd: topic not found at " +
                                        mock_->bootstrap_servers() +
                                        ": enrichd (the nearest is enriched)");
}

TEST_F(KafkaSinkTest, CallsNothingBackOnceClosed) {
  open_with_topic("closed", 1);
  mock_->set_broker_up(false);
  ASSERT_TRUE(write({value_in(0, "v")}, 0));
  sink_->seal(Epoch(0));
  writer_.reset();

  sink_->close();
  sink_->close();

  EXPECT_TRUE(flushed_.empty());
  EXPECT_TRUE(failures_.empty());
}

TEST_F(KafkaSinkTest, ChecksItsOptionsBeforeAnythingIsAsked) {
  const auto refusal = [](const Options& options) {
    const auto traits = kafka_sink_traits({"t", "kafka", {}, options});
    return traits ? "accepted" : traits.error().message;
  };

  EXPECT_EQ(refusal({{"bootstrap_servers", "h:1"}}),
            "a kafka sink needs the option topic, or topic_column with a column's name");
  EXPECT_EQ(refusal({{"bootstrap_servers", "h:1"}, {"topic", "a"}, {"partitions", "0"}}),
            "option partitions must be 1 to 10000, not 0");
  EXPECT_EQ(refusal({{"bootstrap_servers", "h:1"}, {"topic", "a"}, {"key_column", "k"}}),
            "accepted");
}

// What the client finds wrong only when it starts, after our interceptors were added.
TEST_F(KafkaSinkTest, AClientThatCannotStartIsRefused) {
  const SystemClock clock;
  const Options options{{"bootstrap_servers", "h:1"},
                        {"topic", "a"},
                        {"kafka.security.protocol", "ssl"},
                        {"kafka.ssl.key.pem", "no key"}};

  const auto sink = make_kafka_sink({{"t", "kafka", {}, options}, {}, {}}, {clock, nullptr});

  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().message.substr(0, 40), "sink t: the Kafka client cannot start: s");
}

}  // namespace
}  // namespace millrace::connectors
