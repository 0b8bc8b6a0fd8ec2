#include "connectors/kafka_subscription.hpp"

#include <gtest/gtest.h>

namespace millrace::connectors {
namespace {

std::string refusal(const Options& options) {
  const auto subscription = KafkaSubscription::parse(options);
  return subscription ? "accepted" : subscription.error().message;
}

TEST(KafkaSubscription, IsSaidByOneOption) {
  EXPECT_EQ(refusal({{"topic", "a"}}), "accepted");
  EXPECT_EQ(refusal({{"subscribe", "a, b"}}), "accepted");
  EXPECT_EQ(refusal({{"subscribePattern", "a.*"}}), "accepted");
  EXPECT_EQ(refusal({{"assign", R"({"a":[0,2],"b":[1]})"}}), "accepted");
  EXPECT_EQ(refusal({}),
            "a kafka source needs one of the options topic, subscribe, subscribe_pattern and "
            "assign");
  EXPECT_EQ(refusal({{"topic", "a"}, {"assign", R"({"a":[0]})"}}),
            "a kafka source takes one of the options topic and assign, not 2 of them");
}

TEST(KafkaSubscription, RefusesWhatCanMeanNothing) {
  EXPECT_EQ(refusal({{"topic", ""}}), "option topic is empty");
  EXPECT_EQ(refusal({{"subscribe", " , "}}), "option subscribe is empty");
  EXPECT_EQ(refusal({{"subscribe_pattern", ""}}), "option subscribe_pattern is empty");
  EXPECT_EQ(refusal({{"subscribe_pattern", "a("}}),
            "option subscribe_pattern: the regular expression 'a(' is not taken: missing ): a(");
  EXPECT_EQ(refusal({{"subscribe_pattern", "(?!b).*"}}),
            "option subscribe_pattern: the regular expression '(?!b).*' is not taken: look-ahead "
            "and look-behind are not supported");
  for (const auto* text : {"", "a", "[]", "{}", R"({"a":0})", R"({"a":[]})", R"({"a":[-1]})",
                           R"({"a":["0"]})", R"({"a":[99999999999]})"}) {
    EXPECT_EQ(refusal({{"assign", text}}),
              "option assign must be {\"topic\":[0,1]}, partitions of each topic, not " +
                  std::string(text));
  }
}

// A matcher that tries one way after the other would be at this for ever, or run out of stack.
TEST(KafkaSubscription, TakesPatternsThatOtherMatchersTakeTooLongOver) {
  EXPECT_EQ(refusal({{"subscribe_pattern", "(a+)+(a+)+(a+)+b"}}), "accepted");
  EXPECT_EQ(refusal({{"subscribe_pattern", "(.|a)*" + std::string(20'000, 'a')}}), "accepted");
}

TEST(KafkaSubscription, GrowsUnlessItsPartitionsAreAssigned) {
  EXPECT_TRUE(KafkaSubscription::parse({{"topic", "a"}})->may_grow());
  EXPECT_TRUE(KafkaSubscription::parse({{"subscribe_pattern", "a.*"}})->may_grow());
  EXPECT_FALSE(KafkaSubscription::parse({{"assign", R"({"a":[0]})"}})->may_grow());
}

}  // namespace
}  // namespace millrace::connectors
