#include "formats/json_table_reader.hpp"

#include <gtest/gtest.h>

namespace millrace::formats {
namespace {

const SchemaRef kUsers =
    make_schema({{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}});

std::string problem(std::string_view text) {
  const auto table = read_json_table(kUsers, text, "users.jsonl");
  return table ? "" : table.error().message;
}

TEST(JsonTableReader, ReadsAnObjectALine) {
  const TableRows table = read_json_table(kUsers,
                                          "\xEF\xBB\xBF{\"user_id\":1,\"country\":\"d\\u0065\"}\n"
                                          "\r\n"
                                          "{\"country\":\"fr\",\"tier\":9}\r\n"
                                          "{\"user_id\":3}",
                                          "users.jsonl")
                              .value();

  ASSERT_EQ(table.rows, 3U);
  EXPECT_EQ(table.columns[0].value<std::int32_t>(0), 1);
  EXPECT_EQ(table.columns[1].text(0), "de");
  EXPECT_TRUE(table.columns[0].is_null(1));
  EXPECT_EQ(table.columns[1].text(1), "fr");
  EXPECT_EQ(table.columns[0].value<std::int32_t>(2), 3);
  EXPECT_TRUE(table.columns[1].is_null(2));
}

TEST(JsonTableReader, ReadsMoreLinesThanABatchHas) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "{\"user_id\":" + std::to_string(i) + "}\n";

  const TableRows table = read_json_table(kUsers, text, "users.jsonl").value();

  ASSERT_EQ(table.rows, 3000U);
  EXPECT_EQ(table.columns[0].value<std::int32_t>(2999), 2999);
}

TEST(JsonTableReader, SaysInWhichLineTheTextIsWrong) {
  EXPECT_EQ(problem("{\"user_id\":1}\n\n{\"user_id\":\"x\"}\n"),
            "users.jsonl, line 3: field \"user_id\" cannot be read as int: \"x\"");
  EXPECT_EQ(problem("{\"user_id\":1}\n[]"),
            "users.jsonl, line 2: the value is not a JSON object: it is not an object (byte 0)");
}

}  // namespace
}  // namespace millrace::formats
