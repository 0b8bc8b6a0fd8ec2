#include "formats/csv_format.hpp"

#include "formats/format_registry.hpp"
#include "formats/text_format.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace millrace::formats {
namespace {

using Texts = std::vector<std::optional<std::string>>;

const std::vector<Field> kDeclared = {{"id", TypeKind::kInt64},
                                      {"name", TypeKind::kString},
                                      {"price", TypeKind::kDouble},
                                      {"at", TypeKind::kTimestamp}};

std::string shown(const Column& column, std::size_t row) {
  if (column.is_null(row)) return "null";
  switch (column.kind()) {
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return std::to_string(column.value<std::int64_t>(row));
    case TypeKind::kDouble:
      return std::to_string(column.value<double>(row));
    default:
      return "'" + std::string(column.text(row)) + "'";
  }
}

/// Decodes values of a table with the columns above, reading those of `fields`.
struct Decoded {
  std::vector<std::string> rows;  ///< "1, 'a'"
  std::vector<std::string> bad;   ///< "2 malformed: reason"
};

Decoded decode(const std::string& format, const std::vector<Field>& fields, const Texts& texts,
               const Options& options = {}) {
  stream::DecodeSpec spec;
  spec.format = format;
  spec.options = options;
  spec.fields = fields;
  spec.declared = kDeclared;
  const auto decoder = make_decoder(spec).value();
  Column values(TypeKind::kBytes);
  for (const auto& text : texts) {
    if (text)
      values.append(std::string_view(*text));
    else
      values.append_null();
  }
  BatchPool pool(make_schema(fields));
  Batch out = pool.take();
  std::vector<BadRow> bad;
  decoder->decode(values, out, out.arena(), bad);
  Decoded result;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i)
      line += (i == 0 ? "" : ", ") + shown(out.column(i), row);
    result.rows.push_back(line);
  }
  for (const BadRow& each : bad)
    result.bad.push_back(std::to_string(each.row) + " " + std::string(to_string(each.kind)) + ": " +
                         each.reason);
  return result;
}

std::vector<std::string> encode(const std::vector<Field>& fields, Batch& rows,
                                const Options& options = {}) {
  stream::EncodeSpec spec;
  spec.format = "csv";
  spec.options = options;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    spec.value_columns.push_back(i);
    spec.value_names.push_back(fields[i].name);
  }
  const auto encoder = make_encoder(spec).value();
  Column values(TypeKind::kBytes);
  encoder->encode(rows, values, rows.arena());
  std::vector<std::string> result;
  for (std::size_t row = 0; row < rows.rows(); ++row) result.emplace_back(values.text(row));
  return result;
}

TEST(CsvDecoder, ReadsFieldsByPosition) {
  const Decoded decoded = decode("csv", kDeclared,
                                 {"9007199254740993,\"a,\"\"b\"\"\nc\",1.5,1970-01-01T00:00:01Z",
                                  "2,,,\r\n", "3,\"\",-0.5,\n", std::nullopt});

  EXPECT_EQ(decoded.rows, (std::vector<std::string>{"9007199254740993, 'a,\"b\"\nc', 1.500000, "
                                                    "1000000",
                                                    "2, null, null, null", "3, '', -0.500000, null",
                                                    "null, null, null, null"}));
  EXPECT_TRUE(decoded.bad.empty());
}

TEST(CsvDecoder, SaysWhatIsWrongWhicheverFieldsAreRead) {
  const Texts texts = {"1,a,2",     "1,a,2,,5", "1,\"a,2,",      "1,\"a\"b,2,",
                       "1,\xFF,2,", "",         "1,a,2,\n1,a,2,"};
  const std::vector<std::string> reasons = {
      "0 malformed: the line has 3 fields where there should be 4",
      "1 malformed: the line has 5 fields where there should be 4",
      "2 malformed: the value is not a line of CSV: the quote of field 2 is not closed",
      "3 malformed: the value is not a line of CSV: text follows the closing quote of field 2",
      "4 malformed: the value is not valid UTF-8",
      "5 malformed: the line has 1 fields where there should be 4",
      "6 malformed: the value is more than one line of CSV"};

  EXPECT_EQ(decode("csv", kDeclared, texts).bad, reasons);
  EXPECT_EQ(decode("csv", {kDeclared[2]}, texts).bad, reasons);
  EXPECT_EQ(decode("csv", {}, texts).bad, reasons);
}

TEST(CsvDecoder, AValueThatDoesNotFitIsNullAlone) {
  const Decoded decoded = decode("csv", kDeclared, {"x,name,y,"});

  EXPECT_EQ(decoded.bad,
            (std::vector<std::string>{"0 field: field \"id\" cannot be read as bigint: x"}));
  EXPECT_EQ(decoded.rows, (std::vector<std::string>{"null, 'name', null, null"}));
}

TEST(CsvDecoder, TakesOtherSignsAndAnEscape) {
  EXPECT_EQ(decode("csv", kDeclared, {"1;'it\\'s; \\\\ \\n';NA;"},
                   {{"sep", ";"}, {"quote", "'"}, {"escape", "\\"}, {"nullValue", "NA"}})
                .rows,
            (std::vector<std::string>{"1, 'it's; \\ \\n', null, null"}));
}

TEST(CsvEncoder, WritesWhatTheDecoderReads) {
  const std::vector<Field> fields = {{"id", TypeKind::kInt64},
                                     {"name", TypeKind::kString},
                                     {"price", TypeKind::kDouble},
                                     {"at", TypeKind::kTimestamp}};
  BatchPool pool(make_schema(fields));
  Batch rows = pool.take();
  const std::vector<std::optional<std::string_view>> names = {"plain", "a,\"b\"\nc", "",
                                                              std::nullopt, "NA"};
  for (std::size_t row = 0; row < names.size(); ++row) {
    rows.column(0).append(std::int64_t{-7});
    if (names[row])
      rows.column(1).append(*names[row]);
    else
      rows.column(1).append_null();
    rows.column(2).append(0.1);
    rows.column(3).append(std::int64_t{1'500'000});
  }
  rows.set_rows(names.size());

  EXPECT_EQ(
      encode(fields, rows),
      (std::vector<std::string>{
          "-7,plain,0.1,1970-01-01T00:00:01.5Z", "-7,\"a,\"\"b\"\"\nc\",0.1,1970-01-01T00:00:01.5Z",
          "-7,\"\",0.1,1970-01-01T00:00:01.5Z", "-7,,0.1,1970-01-01T00:00:01.5Z",
          "-7,NA,0.1,1970-01-01T00:00:01.5Z"}));
  const Options other = {{"delimiter", "\\t"}, {"escape", "\\"}, {"null_value", "NA"}};
  EXPECT_EQ(encode(fields, rows, other)[1], "-7\t\"a,\\\"b\\\"\nc\"\t0.1\t1970-01-01T00:00:01.5Z");
  EXPECT_EQ(encode(fields, rows, other)[3], "-7\tNA\t0.1\t1970-01-01T00:00:01.5Z");
  EXPECT_EQ(encode(fields, rows, other)[4], "-7\t\"NA\"\t0.1\t1970-01-01T00:00:01.5Z");
}

TEST(CsvSyntax, RefusesSignsThatCannotBe) {
  const auto refusal = [](const Options& options) {
    return CsvSyntax::parse(options).error().message;
  };

  EXPECT_EQ(refusal({{"escape", "ab"}}), "option escape takes one character, not 'ab'");
  EXPECT_EQ(refusal({{"sep", "|"}, {"escape", "|"}}), "options sep and escape are the same: '|'");
  EXPECT_EQ(refusal({{"sep", "|"}, {"delimiter", "|"}}),
            "options delimiter and sep are the same: give one");
}

TEST(FormatRegistry, RefusesOptionsOfAnotherFormat) {
  stream::DecodeSpec spec;
  spec.format = "json";
  spec.options = {{"delimiter", ";"}};

  EXPECT_EQ(make_decoder(spec).error().message,
            "option delimiter is for format csv and does nothing with format json");
}

TEST(TextDecoder, GivesOneRowARecordWhateverLineEndsItHolds) {
  const std::vector<Field> value = {{"value", TypeKind::kString}};

  const Decoded decoded = decode("text", value, {"a\nb\r\n", "", std::nullopt, "\xC3\xA9", "\xFF"});

  EXPECT_EQ(decoded.rows,
            (std::vector<std::string>{"'a\nb\r\n'", "''", "null", "'\xC3\xA9'", "null"}));
  EXPECT_EQ(decoded.bad, (std::vector<std::string>{"4 malformed: the value is not valid UTF-8"}));
  EXPECT_EQ(decode("text", {}, {"\xFF"}).bad,
            (std::vector<std::string>{"0 malformed: the value is not valid UTF-8"}));
}

}  // namespace
}  // namespace millrace::formats
