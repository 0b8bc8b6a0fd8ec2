#include "state/plan_record.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

using formats::JsonValue;

std::optional<std::string> difference(std::string_view there, std::string_view here) {
  return plan_difference(*JsonValue::parse(there), *JsonValue::parse(here));
}

TEST(PlanRecord, GivesBackWhatWasWritten) {
  const PlanRecord record{JsonValue::object().set("sources", JsonValue::object()),
                          JsonValue::object().set("version", "0.1.0")};

  EXPECT_EQ(decode_plan(encode(record)), record);
}

TEST(PlanRecord, IsRefusedWhenCutAtAnyByte) {
  const std::string bytes = encode(PlanRecord{JsonValue::object(), JsonValue::object()});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(decode_plan(std::string_view(bytes).substr(0, size))) << size;
  }
}

TEST(PlanDifference, IsNoneForEqualPlansInAnyOrderOfMembers) {
  EXPECT_EQ(difference("{}", "{}"), std::nullopt);
  EXPECT_EQ(difference(R"({"a":1,"b":{"c":[1,2]}})", R"({"b":{"c":[1,2]},"a":1})"), std::nullopt);
}

TEST(PlanDifference, NamesThePlaceAndBothValues) {
  EXPECT_EQ(difference(R"({"sources":{"clicks":{"topic":"clicks"}}})",
                       R"({"sources":{"clicks":{"topic":"trades"}}})"),
            "sources.clicks.topic is \"clicks\" there and \"trades\" here");
  EXPECT_EQ(difference(R"({"keys":["a","b"]})", R"({"keys":["a","c"]})"),
            "keys[1] is \"b\" there and \"c\" here");
  EXPECT_EQ(difference(R"({"groups":128})", R"({"groups":"128"})"),
            "groups is 128 there and \"128\" here");
}

TEST(PlanDifference, NamesWhatOnlyOneHas) {
  EXPECT_EQ(difference(R"({"sources":{"orders":{}}})", R"({"sources":{}})"),
            "sources.orders is there and not here");
  EXPECT_EQ(difference(R"({"sources":{}})", R"({"sources":{"orders":{}}})"),
            "sources.orders is here and not there");
  EXPECT_EQ(difference(R"({"keys":["a"]})", R"({"keys":[]})"),
            "keys has 1 elements there and 0 here");
}

}  // namespace
}  // namespace millrace::state
