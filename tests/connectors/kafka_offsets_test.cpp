#include "connectors/kafka_offsets.hpp"

#include <gtest/gtest.h>

namespace millrace::connectors {
namespace {

using stream::SourcePartition;

const std::vector<SourcePartition> kTwo = {{"t-0", "t", 0}, {"t-1", "t", 1}};

std::string refusal(std::string_view text) {
  const auto start = parse_kafka_start(text);
  if (!start) return start.error().message;
  const auto wanted = wanted_offsets(*start, kTwo);
  return wanted ? "accepted" : wanted.error().message;
}

std::vector<std::int64_t> wanted(std::string_view text) {
  return parse_kafka_start(text)
      .and_then([](const KafkaStart& start) { return wanted_offsets(start, kTwo); })
      .value_or(std::vector<std::int64_t>{});
}

TEST(KafkaStart, IsAWordForEveryPartition) {
  EXPECT_EQ(wanted("latest"), std::vector<std::int64_t>({-1, -1}));
  EXPECT_EQ(wanted("Earliest"), std::vector<std::int64_t>({-2, -2}));
}

TEST(KafkaStart, IsANumberForEachPartition) {
  EXPECT_EQ(wanted(R"({"t":{"1":-2,"0":12}})"), std::vector<std::int64_t>({12, -2}));
}

TEST(KafkaStart, MustNameEveryPartition) {
  EXPECT_EQ(refusal(R"({"t":{"0":12}})"),
            "option starting_offsets must name every partition; topic t, partition 1 is missing");
}

TEST(KafkaStart, MustNameNoOtherPartition) {
  EXPECT_EQ(refusal(R"({"t":{"0":12,"1":0,"2":0}})"),
            "option starting_offsets names topic t, partition 2, which is not read by this table");
  EXPECT_EQ(refusal(R"({"t":{"0":12,"1":0},"u":{"0":1}})"),
            "option starting_offsets names topic u, partition 0, which is not read by this table");
}

TEST(KafkaStart, RefusesAnythingElse) {
  for (const auto* text : {"", "first", "[]", "{}", R"({"t":3})", R"({"t":{"x":3}})",
                           R"({"t":{"0":-3}})", R"({"t":{"0":"1"}})", R"({"t":{"-1":1}})"}) {
    EXPECT_EQ(refusal(text),
              "option starting_offsets must be earliest, latest or "
              "{\"topic\":{\"0\":12,\"1\":-2}} (-1 latest, -2 earliest), not " +
                  std::string(text));
  }
}

}  // namespace
}  // namespace millrace::connectors
