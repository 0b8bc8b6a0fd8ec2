// A source that drops replays: records by which a writer says that they were there before.

#include "connectors/kafka_mock.hpp"
#include "connectors/kafka_source.hpp"
#include "formats/record_position.hpp"
#include "tests/support/kafka_records.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::connectors {
namespace {

using support::kafka_table;
using support::KafkaTap;
using support::value_in;

class KafkaReplayTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(mock_->create_topic("out", 1)); }

  /// Records, each made of the source's record at that offset; -1: nobody says of what.
  void write(const std::vector<std::int64_t>& offsets) {
    for (const std::int64_t offset : offsets) {
      KafkaProbeRecord record = value_in(0, "of " + std::to_string(offset));
      if (offset >= 0) {
        formats::RecordPosition position;
        position.mark.offset = offset;
        formats::RecordPositionBytes bytes;
        formats::encode(position, bytes);
        record.headers = {{"millrace", std::string(bytes.data(), bytes.size())}};
      }
      ASSERT_TRUE(probe_->write("out", record));
    }
    ASSERT_TRUE(probe_->flush());
  }
  std::unique_ptr<stream::Source> open(const char* drops = "true") {
    return make_kafka_source(
               {kafka_table(mock_->bootstrap_servers(), "out", {{"drop_replays", drops}}), {}, {}},
               {clock_,
                [this](LogLevel, std::string_view line) {
                  const std::lock_guard lock(mutex_);
                  lines_.emplace_back(line);
                }})
        .value();
  }
  static std::vector<std::string> values_of(const std::vector<KafkaProbeRecord>& records) {
    std::vector<std::string> values;
    for (const KafkaProbeRecord& record : records) values.push_back(*record.value);
    return values;
  }
  using Values = std::vector<std::string>;

  SystemClock clock_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::unique_ptr<KafkaMock> mock_ = KafkaMock::start().value();
  std::unique_ptr<KafkaProbe> probe_ = KafkaProbe::open(mock_->bootstrap_servers()).value();
};

TEST_F(KafkaReplayTest, DropsThemOnlyWhenAskedAndSaysSoOnce) {
  write({3, 4, 3, -1, 4, 5, -1, 5});
  {
    const auto source = open();
    KafkaTap tap(*source, {"out-0", "out", 0}, 0);
    EXPECT_EQ(values_of(tap.read_to(8)), (Values{"of 3", "of 4", "of -1", "of 5", "of -1"}));
    EXPECT_EQ(tap.reader().position(), 8) << "behind the replay at the end";
  }
  EXPECT_EQ(lines_, Values{"topic out, partition 0, offset 2: a record that was there before, and "
                           "is dropped; so are those that follow, without a word (drop_replays)"});
  const auto source = open("false");
  KafkaTap tap(*source, {"out-0", "out", 0}, 0);
  EXPECT_EQ(tap.read_to(8).size(), 8U);
  EXPECT_EQ(tap.reader().memo(), "");
}

TEST_F(KafkaReplayTest, StandsBehindABatchOfNothingButReplays) {
  write({3, 3, 3, 3});
  const auto source = open();
  KafkaTap tap(*source, {"out-0", "out", 0}, 0);
  EXPECT_EQ(values_of(tap.read_to(1)), Values{"of 3"});
  EXPECT_EQ(tap.read_to(3).size(), 0U);
  EXPECT_EQ(tap.reader().position(), 3);
}

// An epoch ends at 4: what the next life knows is what was known there, not what came behind.
TEST_F(KafkaReplayTest, GoesOnAfterARestartWithWhatItKnewThen) {
  write({3, 4, 5, 6, 3, 4, 5, 6, 7});
  std::string memo;
  {
    const auto source = open();
    KafkaTap tap(*source, {"out-0", "out", 0}, 0);
    EXPECT_EQ(tap.read_to(2).size(), 2U);
    memo = tap.reader().memo();
    EXPECT_EQ(tap.read_to(4).size(), 2U);
  }
  EXPECT_EQ(memo, "00000000000000000000000000000000/0/0000000000000000=0:4:0");
  const auto source = open();
  KafkaTap tap(*source, {"out-0", "out", 0}, 2);
  ASSERT_TRUE(tap.reader().recall(memo));
  EXPECT_EQ(values_of(tap.read_to(9)), (Values{"of 5", "of 6", "of 7"}));

  const Status damaged = tap.reader().recall("x");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().message,
            "topic out, partition 0: the checkpoint's numbers by which replays are dropped are "
            "damaged: no position of a writer's record: x");
}

}  // namespace
}  // namespace millrace::connectors
