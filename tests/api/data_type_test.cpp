#include "millrace/data_type.hpp"

#include "millrace/schema.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(DataType, ShowsItsSqlSpelling) {
  EXPECT_EQ(DataType(TypeKind::kInt32).to_string(), "int");
  EXPECT_EQ(DataType(TypeKind::kTimestamp).to_string(), "timestamp");
  EXPECT_EQ(DataType().to_string(), "null");
  EXPECT_EQ(DataType::array(
                DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}}))
                .to_string(),
            "array<struct<key: string, value: bytes>>");
}

TEST(DataType, EqualsByStructure) {
  EXPECT_EQ(DataType::array(TypeKind::kInt32), DataType::array(TypeKind::kInt32));
  EXPECT_FALSE(DataType::array(TypeKind::kInt32) == DataType::array(TypeKind::kInt64));
  EXPECT_FALSE(DataType(TypeKind::kInt32) == DataType(TypeKind::kDate));
}

TEST(DataType, ReadsSqlNamesInAnyCase) {
  EXPECT_EQ(*parse_type("BIGINT"), DataType(TypeKind::kInt64));
  EXPECT_EQ(*parse_type(" Double   Precision "), DataType(TypeKind::kDouble));
  EXPECT_EQ(*parse_type("text"), DataType(TypeKind::kString));
  EXPECT_EQ(*parse_type("int4"), DataType(TypeKind::kInt32));
}

TEST(DataType, RefusesAnUnknownNameWithTheNearest) {
  const auto type = parse_type("bigintt");
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(type.error().message,
            "unknown type: bigintt; nearest: bigint; accepted: boolean, int, bigint, double, "
            "string, bytes, date, timestamp");
}

TEST(Schema, FindsTheFirstColumnOfAName) {
  const Schema schema({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}, {"a", TypeKind::kInt64}});
  EXPECT_EQ(schema.find("a"), 0u);
  EXPECT_EQ(schema.find("A"), std::nullopt);
  EXPECT_EQ(schema.to_string(), "a int, b int, a bigint");
}

}  // namespace
}  // namespace millrace
