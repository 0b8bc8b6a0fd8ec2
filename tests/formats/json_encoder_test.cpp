#include "formats/json_encoder.hpp"

#include "millrace/value.hpp"

#include "formats/json_document.hpp"
#include "formats/json_text.hpp"
#include "stream/scalar_text.hpp"
#include "tests/formats/decoding.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace millrace::formats {
namespace {

/// Encodes all columns of the batch under their own names.
std::vector<std::string> encode(Batch& rows) {
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.column_count(); ++i) {
    columns.push_back(i);
    names.push_back(rows.schema().field(i).name);
  }
  JsonEncoder encoder(columns, names);
  Column values(TypeKind::kBytes);
  encoder.encode(rows, values, rows.arena());
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < values.size(); ++row) texts.emplace_back(values.text(row));
  return texts;
}

std::string double_text(double value) {
  Arena arena;
  ArenaText text(arena, 0);
  put_json_double(value, text);
  return std::string(text.finish());
}

std::string string_text(std::string_view value) {
  Arena arena;
  ArenaText text(arena, 0);
  put_json_string(value, text);
  return std::string(text.finish());
}

std::string timestamp_text(std::int64_t us) {
  Arena arena;
  ArenaText text(arena, 0);
  put_json_timestamp(us, text);
  return std::string(text.finish());
}

/// A value as the field of an object.
std::string encoded(const Value& value) {
  BatchPool pool(make_schema({{"f", value.type}}));
  Batch rows = pool.take();
  append_value(rows.column(0), value);
  rows.set_rows(1);
  return encode(rows)[0];
}

TEST(JsonEncoder, WritesDecimalsWithAllTheirDigits) {
  EXPECT_EQ(encoded(Value::decimal(-150, 10, 2)), R"({"f":-1.50})");
  EXPECT_EQ(encoded(Value::decimal(7, 38, 0)), R"({"f":7})");
  EXPECT_EQ(encoded(Value::decimal(5, 3, 3)), R"({"f":0.005})");
}

TEST(JsonEncoder, WritesIntervalsAsTextAndMapsAsObjects) {
  EXPECT_EQ(encoded(Value::interval({14, 3, 1'500'000})),
            R"({"f":"1 years 2 months 3 days 1.5 seconds"})");
  EXPECT_EQ(encoded(Value::map(TypeKind::kString, TypeKind::kInt32,
                               {{Value::string("a\""), Value::int32(1)},
                                {Value::string("b"), Value::null(TypeKind::kInt32)}})),
            R"({"f":{"a\"":1,"b":null}})");
  EXPECT_EQ(encoded(Value::map(TypeKind::kInt32, TypeKind::kBoolean,
                               {{Value::int32(-3), Value::boolean(true)}})),
            R"({"f":{"-3":true}})");
  EXPECT_EQ(encoded(Value::map(TypeKind::kString, TypeKind::kInt32, {})), R"({"f":{}})");
}

TEST(JsonEncoder, WritesWhatTheDecoderReads) {
  const DataType type = *parse_type(
      "struct<list: array<decimal(5,2)>, map: map<string, array<string>>, span: interval>");
  const std::string text =
      R"({"f":{"list":[1.50,null],"map":{"k":["x",null],"l":[]},"span":"1 days"}})";
  Decoding decoding({{"f", type}});
  Batch rows = decoding.decode({text});

  ASSERT_TRUE(decoding.bad.empty()) << decoding.bad[0].reason;
  EXPECT_EQ(encode(rows)[0], text);
}

TEST(JsonEncoder, WritesEveryTypeInTheOrderOfTheColumns) {
  BatchPool pool(make_schema({{"t", TypeKind::kBoolean},
                              {"i", TypeKind::kInt32},
                              {"l", TypeKind::kInt64},
                              {"d", TypeKind::kDouble},
                              {"s", TypeKind::kString},
                              {"y", TypeKind::kBytes},
                              {"day", TypeKind::kDate},
                              {"at", TypeKind::kTimestamp}}));
  Batch rows = pool.take();
  rows.resize(1);
  rows.column(0).values<std::uint8_t>()[0] = 1;
  rows.column(1).values<std::int32_t>()[0] = -5;
  rows.column(2).values<std::int64_t>()[0] = 2882429806056571124;
  rows.column(3).values<double>()[0] = 0.1;
  rows.column(4).values<std::string_view>()[0] = "a\"b";
  rows.column(5).values<std::string_view>()[0] = std::string_view("\xFF\0", 2);
  rows.column(6).values<std::int32_t>()[0] = 20454;
  rows.column(7).values<std::int64_t>()[0] = 1'767'225'600'000'000;

  EXPECT_EQ(encode(rows)[0],
            R"({"t":true,"i":-5,"l":2882429806056571124,"d":0.1,"s":"a\"b","y":"/wA=",)"
            R"("day":"2026-01-01","at":"2026-01-01T00:00:00.000Z"})");
}

TEST(JsonEncoder, LeavesNullsOut) {
  BatchPool pool(make_schema({{"a", TypeKind::kInt32}, {"b", TypeKind::kString}}));
  Batch rows = pool.take();
  rows.resize(3);
  rows.column(0).values<std::int32_t>()[1] = 1;
  rows.column(1).values<std::string_view>()[1] = "";
  rows.column(1).values<std::string_view>()[2] = "x";
  rows.column(0).set_null(0);
  rows.column(1).set_null(0);
  rows.column(0).set_null(2);

  EXPECT_EQ(encode(rows), (std::vector<std::string>{"{}", R"({"a":1,"b":""})", R"({"b":"x"})"}));
}

TEST(JsonEncoder, EscapesNamesOnceAndForAll) {
  BatchPool pool(make_schema({{"a\"\n", TypeKind::kInt32}}));
  Batch rows = pool.take();
  rows.resize(1);
  rows.column(0).values<std::int32_t>()[0] = 1;

  EXPECT_EQ(encode(rows)[0], R"({"a\"\n":1})");
}

TEST(JsonEncoder, WritesArraysAndStructs) {
  const DataType header =
      DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}});
  BatchPool pool(make_schema({{"headers", DataType::array(header)}}));
  Batch rows = pool.take();
  rows.resize(2);
  Column& headers = rows.column(0);
  headers.values<ListEntry>()[0] = {0, 2};
  headers.values<ListEntry>()[1] = {2, 0};
  Column& entries = headers.child(0);
  entries.resize(2);
  entries.child(0).values<std::string_view>()[0] = "trace";
  entries.child(0).values<std::string_view>()[1] = "trace";
  entries.child(1).values<std::string_view>()[0] = "";
  entries.child(1).set_null(1);

  EXPECT_EQ(encode(rows),
            (std::vector<std::string>{R"({"headers":[{"key":"trace","value":""},{"key":"trace"}]})",
                                      R"({"headers":[]})"}));
}

TEST(JsonEncoder, GrowsForTextOfAnySize) {
  BatchPool pool(make_schema({{"a", TypeKind::kString}, {"b", TypeKind::kString}}));
  Batch rows = pool.take();
  rows.resize(2);
  const std::string plain(64 * 1024, 'x');
  const std::string controls(64 * 1024, '\x01');
  rows.column(0).values<std::string_view>()[0] = plain;
  rows.column(1).values<std::string_view>()[0] = controls;
  rows.column(0).values<std::string_view>()[1] = "y";
  rows.column(1).values<std::string_view>()[1] = "z";

  const std::vector<std::string> texts = encode(rows);

  const auto document = JsonValue::parse(texts[0]);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->get_string("a").value(), plain);
  EXPECT_EQ(document->get_string("b").value(), controls);
  EXPECT_EQ(texts[1], R"({"a":"y","b":"z"})");
}

TEST(JsonText, EscapesWhatMustBeEscapedAndNoMore) {
  EXPECT_EQ(string_text(std::string_view("\"\\/\b\f\n\r\t\0\x1F\x7F", 11)),
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7F\"");
  EXPECT_EQ(string_text("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
            "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
  EXPECT_EQ(string_text("0123456789abcdef\"0123456789abcdef"),
            "\"0123456789abcdef\\\"0123456789abcdef\"");
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(string_text("a\xFF\xFEz"), "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\"");
  EXPECT_EQ(string_text("\xC3"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(string_text("\xE2\x82z"), "\"\xEF\xBF\xBD\xEF\xBF\xBDz\"");
  // Half of a surrogate pair and an overlong form, as bytes.
  EXPECT_EQ(string_text("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  EXPECT_EQ(string_text("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonText, WritesDoublesShortest) {
  EXPECT_EQ(double_text(12.34), "12.34");
  EXPECT_EQ(double_text(-0.25), "-0.25");
  EXPECT_EQ(double_text(100), "100.0");
  EXPECT_EQ(double_text(0), "0.0");
  EXPECT_EQ(double_text(-0.0), "-0.0");
  EXPECT_EQ(double_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(double_text(std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
  EXPECT_EQ(double_text(std::numeric_limits<double>::infinity()), "\"Infinity\"");
  EXPECT_EQ(double_text(-std::numeric_limits<double>::infinity()), "\"-Infinity\"");
}

// The short way for few decimals must never differ from the general one.
TEST(JsonText, WritesFewDecimalsAsTheGeneralWayDoes) {
  std::mt19937_64 random(301);
  for (int i = 0; i < 200'000; ++i) {
    const auto digits = static_cast<double>(random() % 100'000'000'000);
    double value = digits / std::pow(10.0, static_cast<double>(random() % 8));
    if (i % 3 == 0) value = std::nextafter(value, 1e300);
    if (i % 2 == 0) value = -value;
    ASSERT_EQ(double_text(value), stream::double_text(value));
  }
}

TEST(JsonText, WritesDoublesThatReadBackAsThemselves) {
  std::mt19937_64 random(302);
  Decoding decoding({{"d", TypeKind::kDouble}});
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const Batch rows = decoding.decode({"{\"d\":" + double_text(value) + "}"});
    ASSERT_TRUE(decoding.bad.empty()) << double_text(value);
    ASSERT_EQ(rows.column(0).value<double>(0), value) << double_text(value);
  }
}

TEST(JsonText, WritesTimestampsWithAsManyDigitsAsTheyNeed) {
  EXPECT_EQ(timestamp_text(0), "\"1970-01-01T00:00:00.000Z\"");
  EXPECT_EQ(timestamp_text(1'000), "\"1970-01-01T00:00:00.001Z\"");
  EXPECT_EQ(timestamp_text(1), "\"1970-01-01T00:00:00.000001Z\"");
  EXPECT_EQ(timestamp_text(-1), "\"1969-12-31T23:59:59.999999Z\"");
  EXPECT_EQ(timestamp_text(1'709'209'845'120'000), "\"2024-02-29T12:30:45.120Z\"");
}

}  // namespace
}  // namespace millrace::formats
