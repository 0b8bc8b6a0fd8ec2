#include "formats/csv_reader.hpp"

#include <gtest/gtest.h>

namespace millrace::formats {
namespace {

const SchemaRef kUsers = make_schema(
    {{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}, {"tier", TypeKind::kInt32}});

TableRows read(const SchemaRef& schema, const CsvOptions& options, std::string_view text) {
  auto table = CsvReader(schema, options, "users.csv").read(text);
  EXPECT_TRUE(table.has_value()) << table.error().message;
  return std::move(*table);
}

std::string problem(const CsvOptions& options, std::string_view text) {
  const auto table = CsvReader(kUsers, options, "users.csv").read(text);
  return table ? "" : table.error().message;
}

TEST(CsvReader, ReadsColumnsByPositionWithoutAHeader) {
  const TableRows table = read(kUsers, {}, "1,de,2\r\n2,\"a,\"\"b\"\"\nc\",3\n\n3,,\n");

  ASSERT_EQ(table.rows, 3U);
  EXPECT_EQ(table.columns[0].value<std::int32_t>(2), 3);
  EXPECT_EQ(table.columns[1].text(0), "de");
  EXPECT_EQ(table.columns[1].text(1), "a,\"b\"\nc");
  EXPECT_TRUE(table.columns[1].is_null(2));
  EXPECT_EQ(table.columns[2].value<std::int32_t>(1), 3);
  EXPECT_TRUE(table.columns[2].is_null(2));
}

TEST(CsvReader, FindsColumnsByTheNamesOfTheHeader) {
  const TableRows table = read(kUsers, {.has_header = true, .syntax = {}},
                               "\xEF\xBB\xBFtier,other,user_id,country\n9,x,1,\"\"");

  ASSERT_EQ(table.rows, 1U);
  EXPECT_EQ(table.columns[0].value<std::int32_t>(0), 1);
  EXPECT_FALSE(table.columns[1].is_null(0));
  EXPECT_EQ(table.columns[1].text(0), "");
  EXPECT_EQ(table.columns[2].value<std::int32_t>(0), 9);
}

TEST(CsvReader, ReadsEveryType) {
  const SchemaRef schema = make_schema({{"t", TypeKind::kBoolean},
                                        {"l", TypeKind::kInt64},
                                        {"d", TypeKind::kDouble},
                                        {"y", TypeKind::kBytes},
                                        {"day", TypeKind::kDate},
                                        {"at", TypeKind::kTimestamp}});

  const TableRows table =
      read(schema,
           {.has_header = false,
            .syntax = {.delimiter = ';', .quote = '\'', .escape = {}, .null_value = {}}},
           "true;9007199254740993;1.5;'a;b';1970-01-02;1970-01-01 00:00:01");

  EXPECT_EQ(table.columns[0].value<std::uint8_t>(0), 1);
  EXPECT_EQ(table.columns[1].value<std::int64_t>(0), 9007199254740993);
  EXPECT_EQ(table.columns[2].value<double>(0), 1.5);
  EXPECT_EQ(table.columns[3].text(0), "a;b");
  EXPECT_EQ(table.columns[4].value<std::int32_t>(0), 1);
  EXPECT_EQ(table.columns[5].value<std::int64_t>(0), 1'000'000);
}

TEST(CsvReader, ReadsEmptyTables) {
  EXPECT_EQ(read(kUsers, {}, "").rows, 0U);
  EXPECT_EQ(read(kUsers, {.has_header = true, .syntax = {}}, "user_id,country,tier\n").rows, 0U);
}

TEST(CsvReader, SaysWhereTheTextIsWrong) {
  const CsvOptions header{.has_header = true, .syntax = {}};

  EXPECT_EQ(problem({}, "1,de,2\n2,fr,many\n"),
            "users.csv, line 2, column tier: cannot be read as int: many");
  EXPECT_EQ(problem({}, "1,\xff,2\n"), "users.csv, line 1, column country: not valid UTF-8");
  EXPECT_EQ(problem({}, "1,\"a\nb\",2\n2,fr\n"),
            "users.csv, line 3: 2 fields where there should be 3");
  EXPECT_EQ(problem({}, "1,\"de,2\n"), "users.csv, line 1: the quote of field 2 is not closed");
  EXPECT_EQ(problem({}, "1,\"de\"x,2\n"),
            "users.csv, line 1: text follows the closing quote of field 2");
  EXPECT_EQ(problem(header, "user_id,tier\n"),
            "users.csv, line 1: the header has no column country: user_id, tier");
  EXPECT_EQ(problem(header, "user_id,contry,tier,county2\n"),
            "users.csv, line 1: the header has no column country (the nearest is contry): user_id, "
            "contry, tier, county2");
  EXPECT_EQ(problem(header, "tier,tier\n"),
            "users.csv, line 1: the header names column tier twice");
  EXPECT_EQ(problem(header, ""), "users.csv, line 1: the header line is missing");
  EXPECT_EQ(problem({}, "2147483648,de,1"),
            "users.csv, line 1, column user_id: cannot be read as int: 2147483648");
}

TEST(CsvOptions, ReadsItsSettings) {
  const auto options = CsvOptions::parse({{"header", "true"}, {"delimiter", "\\t"}});
  ASSERT_TRUE(options.has_value());
  EXPECT_TRUE(options->has_header);
  EXPECT_EQ(options->syntax.delimiter, '\t');
  EXPECT_EQ(options->syntax.quote, '"');

  EXPECT_EQ(CsvOptions::parse({{"delimiter", "ab"}}).error().message,
            "option delimiter takes one character, not 'ab'");
  EXPECT_EQ(CsvOptions::parse({{"delimiter", "|"}, {"quote", "|"}}).error().message,
            "options delimiter and quote are the same: '|'");
}

}  // namespace
}  // namespace millrace::formats
