#include "stream/type_coercion.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

using enum TypeKind;

const DataType kMoney = DataType::decimal(10, 2);

std::string shown(const std::optional<DataType>& type) { return type ? type->to_string() : "none"; }

/// Two types, and what they come to in each way: as values, in a comparison, in a list.
struct Meeting {
  DataType left;
  DataType right;
  const char* value;
  const char* compared;
  const char* like;
};

void expect_meetings(const std::vector<Meeting>& meetings, CoercionPolicy policy) {
  for (const Meeting& each : meetings) {
    for (const auto& [left, right] :
         {std::pair(each.left, each.right), std::pair(each.right, each.left)}) {
      const std::string pair = left.to_string() + " and " + right.to_string();
      EXPECT_EQ(shown(wider_type(left, right, policy)), each.value) << pair;
      EXPECT_EQ(shown(compared_type(left, right, policy)), each.compared) << pair;
      EXPECT_EQ(shown(wider_type_of_likes(left, right, policy)), each.like) << pair;
    }
  }
}

std::vector<Meeting> meetings_without_text() {
  return {
      {kInt32, kInt32, "int", "int", "int"},
      {kInt32, kNull, "int", "int", "int"},
      {kString, kNull, "string", "string", "string"},
      {kInt32, kInt64, "bigint", "bigint", "bigint"},
      {kInt64, kDouble, "double", "double", "double"},
      {kInt32, kMoney, "decimal(12,2)", "decimal(12,2)", "decimal(12,2)"},
      {kMoney, kDouble, "double", "double", "double"},
      {kDate, kTimestamp, "timestamp", "timestamp", "timestamp"},
      {kBoolean, kInt32, "none", "none", "none"},
      {kDate, kInt32, "none", "none", "none"},
      {kBytes, kInt32, "none", "none", "none"},
  };
}

TEST(TypeCoercion, OfOtherTypesThanTextIsTheSameByBothPolicies) {
  expect_meetings(meetings_without_text(), CoercionPolicy::kAnsi);
  expect_meetings(meetings_without_text(), CoercionPolicy::kLegacy);
}

TEST(TypeCoercion, ByAnsiReadsTheText) {
  expect_meetings(
      {
          {kString, kInt32, "bigint", "bigint", "bigint"},
          {kString, kInt64, "bigint", "bigint", "bigint"},
          {kString, kDouble, "double", "double", "double"},
          {kString, kMoney, "double", "double", "double"},
          {kString, kBoolean, "boolean", "boolean", "boolean"},
          {kString, kDate, "date", "date", "date"},
          {kString, kTimestamp, "timestamp", "timestamp", "timestamp"},
          {kString, kBytes, "bytes", "bytes", "bytes"},
          {kString, kInterval, "none", "none", "none"},
          {DataType::array(kString), DataType::array(kInt32), "array<bigint>", "array<bigint>",
           "array<bigint>"},
      },
      CoercionPolicy::kAnsi);
}

TEST(TypeCoercion, ByLegacyMakesTextsOfValuesAndReadsThemInComparisons) {
  expect_meetings(
      {
          {kString, kInt32, "string", "int", "none"},
          {kString, kInt64, "string", "bigint", "none"},
          {kString, kDouble, "string", "double", "none"},
          {kString, kMoney, "string", "double", "none"},
          {kString, kBoolean, "none", "boolean", "none"},
          {kString, kDate, "string", "date", "none"},
          {kString, kTimestamp, "string", "timestamp", "none"},
          {kString, kBytes, "none", "bytes", "none"},
          {kString, kInterval, "none", "none", "none"},
          {DataType::array(kString), DataType::array(kInt32), "array<string>", "none", "none"},
          {DataType::map(kString, kInt32), DataType::map(kInt32, kString), "map<string, string>",
           "none", "none"},
      },
      CoercionPolicy::kLegacy);
}

TEST(TypeCoercion, ByLegacyTakesTextsFirst) {
  const std::vector<Argument> arguments = {{kDate}, {kInt32}, {kString}};
  EXPECT_EQ(shown(common_type(Arguments(arguments, CoercionPolicy::kLegacy))), "string");
  EXPECT_EQ(shown(common_type(Arguments(arguments, CoercionPolicy::kAnsi))), "none");
  EXPECT_EQ(shown(common_type_of_likes(Arguments(arguments, CoercionPolicy::kLegacy))), "none");
}

TEST(TypeCoercion, ByLegacyTakesATextAsADoubleSoonerThanAsAnyOtherNumber) {
  const Argument text{kString};
  const auto cost = [&](TypeKind kind, CoercionPolicy policy) {
    return *implicit_cast_cost(text, kind, policy);
  };
  EXPECT_LT(cost(kDouble, CoercionPolicy::kLegacy) + 3, cost(kInt64, CoercionPolicy::kLegacy));
  EXPECT_LT(cost(kInt64, CoercionPolicy::kAnsi), cost(kDouble, CoercionPolicy::kAnsi) + 3);
}

TEST(TypeCoercion, ByLegacyTakesBytesAsTextWithoutACast) {
  const Argument bytes{kBytes};
  EXPECT_TRUE(implicit_cast_cost(bytes, kString, CoercionPolicy::kLegacy));
  EXPECT_FALSE(implicit_cast_cost(bytes, kString, CoercionPolicy::kAnsi));
}

}  // namespace
}  // namespace millrace::stream
