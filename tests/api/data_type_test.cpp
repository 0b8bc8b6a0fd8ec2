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
            "string, bytes, date, timestamp, decimal(p,s), interval, array<t>, struct<name: t>, "
            "map<k, v>");
}

TEST(DataType, ReadsWhatItShows) {
  for (const char* text :
       {"decimal(38,18)", "interval", "array<array<int>>", "map<string, array<decimal(4,2)>>",
        "struct<a: int, \"b c\": struct<\"d\"\"\": double>>", "struct<>"}) {
    const auto type = parse_type(text);
    ASSERT_TRUE(type) << type.error().message;
    EXPECT_EQ(type->to_string(), text);
  }
}

TEST(DataType, ReadsTheSpellingsOfSql) {
  EXPECT_EQ(*parse_type("numeric(10, 2)"), DataType::decimal(10, 2));
  EXPECT_EQ(*parse_type("DECIMAL"), DataType::decimal(10, 0));
  EXPECT_EQ(*parse_type("dec(5)"), DataType::decimal(5, 0));
  EXPECT_EQ(*parse_type("int[]"), DataType::array(TypeKind::kInt32));
  EXPECT_EQ(*parse_type("Double Precision[3][]"),
            DataType::array(DataType::array(TypeKind::kDouble)));
  EXPECT_EQ(*parse_type("MAP<STRING,INT>"), DataType::map(TypeKind::kString, TypeKind::kInt32));
  EXPECT_EQ(*parse_type("STRUCT<Street text, Zip:int>"),
            DataType::structure({{"Street", TypeKind::kString}, {"Zip", TypeKind::kInt32}}));
}

TEST(DataType, SaysWhatIsWrongWithAText) {
  const auto problem = [](std::string_view text) { return parse_type(text).error().message; };
  EXPECT_EQ(problem("decimal(39,0)"),
            "not a type: decimal(39,0): the precision of a decimal is 1 to 38");
  EXPECT_EQ(problem("decimal(5,6)"),
            "not a type: decimal(5,6): the scale of a decimal is 0 to its precision");
  EXPECT_EQ(problem("decimal(5"), "not a type: decimal(5: write decimal(precision, scale)");
  EXPECT_EQ(problem("array"), "not a type: array: write array<type>");
  EXPECT_EQ(problem("map<int>"), "not a type: map<int>: write map<key type, value type>");
  EXPECT_EQ(problem("struct<a: int"), "not a type: struct<a: int: > is missing");
  EXPECT_EQ(problem("int) x"), "not a type: int) x: ') x' is left over");
  EXPECT_EQ(problem("varchar(20)"),
            "not a type: varchar(20): a length or precision is not supported");
}

TEST(DataType, RefusesTypesNestedWithoutEnd) {
  std::string text = "int";
  for (int i = 0; i < 1000; ++i) text = "array<" + text;
  EXPECT_NE(parse_type(text).error().message.find("it is nested too deeply"), std::string::npos);
}

TEST(Schema, FindsTheFirstColumnOfAName) {
  const Schema schema({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}, {"a", TypeKind::kInt64}});
  EXPECT_EQ(schema.find("a"), 0u);
  EXPECT_EQ(schema.find("A"), std::nullopt);
  EXPECT_EQ(schema.to_string(), "a int, b int, a bigint");
}

}  // namespace
}  // namespace millrace
