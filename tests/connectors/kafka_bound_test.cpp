#include "connectors/kafka_bound.hpp"

#include <gtest/gtest.h>

namespace millrace::connectors {
namespace {

using stream::SourcePartition;

const std::vector<SourcePartition> kTwo = {{"t-0", "t", 0}, {"t-1", "t", 1}};

std::string refusal(const Options& options) {
  const auto start = read_kafka_start(options);
  if (!start) return start.error().message;
  const auto points = wanted_points(*start, kTwo);
  return points ? "accepted" : points.error().message;
}

// Those of the two partitions; times are marked.
std::vector<std::string> wanted(const Options& options) {
  std::vector<std::string> shown;
  const auto start = read_kafka_start(options);
  EXPECT_TRUE(start.has_value()) << start.error().message;
  const auto points = wanted_points(*start, kTwo).value();
  for (const auto& [value, is_time] : points) {
    shown.push_back((is_time ? "time " : "") + std::to_string(value));
  }
  return shown;
}

using Texts = std::vector<std::string>;

TEST(KafkaStart, IsTheEndWhenNothingIsSaid) { EXPECT_EQ(wanted({}), Texts({"-1", "-1"})); }

TEST(KafkaStart, IsAWordForEveryPartition) {
  EXPECT_EQ(wanted({{"starting_offsets", "latest"}}), Texts({"-1", "-1"}));
  EXPECT_EQ(wanted({{"startingOffsets", "Earliest"}}), Texts({"-2", "-2"}));
}

TEST(KafkaStart, IsANumberForEachPartition) {
  EXPECT_EQ(wanted({{"starting_offsets", R"({"t":{"1":-2,"0":12}})"}}), Texts({"12", "-2"}));
}

TEST(KafkaStart, IsATimeForEveryPartitionOrForEach) {
  EXPECT_EQ(wanted({{"starting_timestamp", "1700000000123"}}),
            Texts({"time 1700000000123", "time 1700000000123"}));
  EXPECT_EQ(wanted({{"starting_offsets_by_timestamp", R"({"t":{"0":5,"1":0}})"}}),
            Texts({"time 5", "time 0"}));
}

TEST(KafkaStart, IsWhatComesFirstOfTimeTimesAndOffsets) {
  Options options{{"starting_offsets", "earliest"}};
  options.set("starting_offsets_by_timestamp", R"({"t":{"0":5,"1":6}})");
  EXPECT_EQ(wanted(options), Texts({"time 5", "time 6"}));
  options.set("starting_timestamp", "7");
  EXPECT_EQ(wanted(options), Texts({"time 7", "time 7"}));
}

TEST(KafkaStart, TakesTheEndForALaterTimeWhenToldTo) {
  EXPECT_FALSE(read_kafka_start({})->takes_end_for_later);
  EXPECT_TRUE(
      read_kafka_start({{"startingOffsetsByTimestampStrategy", "Latest"}})->takes_end_for_later);
  EXPECT_EQ(refusal({{"starting_offsets_by_timestamp_strategy", "earliest"}}),
            "option starting_offsets_by_timestamp_strategy must be error or latest, not earliest");
}

TEST(KafkaStart, MustNameEveryPartition) {
  EXPECT_EQ(refusal({{"starting_offsets", R"({"t":{"0":12}})"}}),
            "option starting_offsets must name every partition; topic t, partition 1 is missing");
  EXPECT_EQ(refusal({{"starting_offsets_by_timestamp", R"({"t":{"1":12}})"}}),
            "option starting_offsets_by_timestamp must name every partition; topic t, partition 0 "
            "is missing");
}

TEST(KafkaStart, MustNameNoOtherPartition) {
  EXPECT_EQ(refusal({{"starting_offsets", R"({"t":{"0":12,"1":0,"2":0}})"}}),
            "option starting_offsets names topic t, partition 2, which is not read by this table");
  EXPECT_EQ(refusal({{"starting_offsets", R"({"t":{"0":12,"1":0},"u":{"0":1}})"}}),
            "option starting_offsets names topic u, which is not read by this table; did you mean "
            "t?");
}

TEST(KafkaStart, AMisspeltTopicIsNamedBeforeWhatItLacks) {
  EXPECT_EQ(refusal({{"starting_offsets_by_timestamp", R"({"clicks":{"0":12}})"}}),
            "option starting_offsets_by_timestamp names topic clicks, which is not read by this "
            "table");
  EXPECT_EQ(refusal({{"starting_offsets", R"({"tt":{"0":12,"1":0}})"}}),
            "option starting_offsets names topic tt, which is not read by this table; did you mean "
            "t?");
}

TEST(KafkaStart, AMisspeltWordNamesTheNearest) {
  EXPECT_EQ(refusal({{"starting_offsets", "lastest"}}),
            "option starting_offsets cannot be 'lastest'; did you mean 'latest'?");
}

TEST(KafkaStart, RefusesAnythingElse) {
  for (const auto* text : {"", "first", "[]", "{}", R"({"t":3})", R"({"t":{"x":3}})",
                           R"({"t":{"0":-3}})", R"({"t":{"0":"1"}})", R"({"t":{"-1":1}})"}) {
    EXPECT_EQ(refusal({{"starting_offsets", text}}),
              "option starting_offsets must be earliest, latest or "
              "{\"topic\":{\"0\":12,\"1\":-2}} (-1 latest, -2 earliest), not " +
                  std::string(text));
  }
  EXPECT_EQ(refusal({{"starting_offsets_by_timestamp", R"({"t":{"0":-1}})"}}),
            "option starting_offsets_by_timestamp must be {\"topic\":{\"0\":1700000000123}}, in "
            "milliseconds since 1970, not {\"t\":{\"0\":-1}}");
  for (const auto* text : {"", "-1", "now", "2024-01-02", "17e3"}) {
    EXPECT_EQ(refusal({{"starting_timestamp", text}}),
              "option starting_timestamp must be milliseconds since 1970, as 1700000000123, not " +
                  std::string(text));
  }
}

TEST(KafkaStart, RefusesAWrongOneThatDoesNotCountToo) {
  EXPECT_NE(refusal({{"starting_timestamp", "5"}, {"starting_offsets", "first"}}), "accepted");
}

std::vector<std::string> wanted_end(const Options& options) {
  const auto end = read_kafka_end(options);
  if (!end) return {end.error().message};
  if (!*end) return {"none"};
  std::vector<std::string> shown;
  const auto points = wanted_points(**end, kTwo);
  if (!points) return {points.error().message};
  for (const auto& [value, is_time] : *points)
    shown.push_back((is_time ? "time " : "") + std::to_string(value));
  return shown;
}

TEST(KafkaEnd, IsNoneUnlessItIsSaid) {
  EXPECT_EQ(wanted_end({{"starting_offsets", "latest"}}), Texts({"none"}));
}

TEST(KafkaEnd, IsReadAsAStartIs) {
  EXPECT_EQ(wanted_end({{"endingOffsets", "Latest"}}), Texts({"-1", "-1"}));
  EXPECT_EQ(wanted_end({{"ending_offsets", R"({"t":{"1":-1,"0":12}})"}}), Texts({"12", "-1"}));
  EXPECT_EQ(wanted_end({{"ending_timestamp", "7"}}), Texts({"time 7", "time 7"}));
  EXPECT_EQ(wanted_end({{"ending_offsets_by_timestamp", R"({"t":{"0":5,"1":6}})"}}),
            Texts({"time 5", "time 6"}));
  EXPECT_EQ(wanted_end({{"ending_offsets", R"({"t":{"0":12}})"}}),
            Texts({"option ending_offsets must name every partition; topic t, partition 1 is "
                   "missing"}));
}

TEST(KafkaEnd, CannotBeTheBeginning) {
  for (const auto* text : {"earliest", R"({"t":{"0":-2,"1":5}})", ""}) {
    EXPECT_EQ(wanted_end({{"ending_offsets", text}}),
              Texts({"option ending_offsets must be latest or {\"topic\":{\"0\":12,\"1\":-1}} "
                     "(-1 latest), not " +
                     std::string(text)}));
  }
}

}  // namespace
}  // namespace millrace::connectors
