#include "formats/json_decoder.hpp"

#include "millrace/value.hpp"

#include "formats/json_document.hpp"
#include "tests/formats/decoding.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace millrace::formats {
namespace {

const std::vector<Field> kB = {{"b", TypeKind::kInt64}};

std::string malformed(const std::string& fault, int byte) {
  return "the value is not a JSON object: " + fault + " (byte " + std::to_string(byte) + ")";
}

std::string nested(int levels) {
  // The record's own braces are one of the levels.
  return R"({"b":7,"a":)" + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
}

std::int64_t b_of(const std::string& text) {
  Decoding decoding(kB);
  const Batch rows = decoding.decode({text});
  EXPECT_TRUE(decoding.bad.empty()) << text << ": " << decoding.bad[0].reason;
  EXPECT_FALSE(rows.column(0).is_null(0)) << text;
  return rows.column(0).value<std::int64_t>(0);
}

// -- inputs that broke other systems -----------------------------------------------------------

// I-1
TEST(JsonDecoder, ReadsTheOtherFieldsBesideANumberTooLargeForInt64) {
  const std::string text = R"({"some":327267367867168100000,"b":7})";

  EXPECT_EQ(b_of(text), 7);
  EXPECT_EQ(verdict({{"some", TypeKind::kInt64}}, text),
            "field \"some\" cannot be read as bigint: 327267367867168100000");
  Decoding as_text({{"some", TypeKind::kString}});
  EXPECT_EQ(as_text.decode({text}).column(0).text(0), "327267367867168100000");
}

// I-2
TEST(JsonDecoder, KeepsTheLastOfTwoMembersOfOneName) {
  EXPECT_EQ(b_of(R"({"b":2,"b":123})"), 123);
  EXPECT_EQ(b_of(R"({"b":"two","b":123})"), 123);
  EXPECT_EQ(b_of(R"({"b":null,"b":123})"), 123);
  EXPECT_EQ(b_of(R"({"b":2,"\u0062":123})"), 123);
  EXPECT_EQ(verdict(kB, R"({"b":2,"b":"x"})"), "field \"b\" cannot be read as bigint: \"x\"");

  Decoding decoding(kB);
  EXPECT_TRUE(decoding.decode({R"({"b":2,"b":null})"}).column(0).is_null(0));
}

// I-2
TEST(JsonDecoder, KeepsTheLastOfTwoMembersOfOneNameInEveryType) {
  struct Case {
    DataType type;
    std::string first;  ///< does not fit
    std::string last;
  };
  const DataType inner = DataType::structure({{"x", TypeKind::kInt32}});
  const std::vector<Case> cases = {
      {TypeKind::kBoolean, "1", "true"},
      {TypeKind::kInt32, "3000000000", "7"},
      {TypeKind::kInt64, "\"x\"", "7"},
      {TypeKind::kDouble, "[]", "1.5"},
      {DataType::decimal(4, 1), "12345.6", "1.5"},
      {TypeKind::kDate, "\"x\"", "\"2026-01-31\""},
      {TypeKind::kTimestamp, "\"x\"", "\"2026-01-31 10:00:00\""},
      {TypeKind::kInterval, "\"x\"", "\"1 day\""},
      {TypeKind::kBytes, "\"?\"", "\"YQ==\""},
      {DataType::array(TypeKind::kInt32), "[\"x\"]", "[7]"},
      {DataType::map(TypeKind::kString, TypeKind::kInt32), "{\"k\":\"x\"}", "{\"k\":7}"},
      {inner, "{\"x\":\"x\"}", "{\"x\":7}"},
  };
  for (const Case& one : cases) {
    const std::string members = "{\"b\":" + one.first + ",\"b\":" + one.last + "}";
    SCOPED_TRACE(one.type.to_string());
    EXPECT_EQ(verdict({{"b", one.type}}, members), "");
    const DataType outer = DataType::structure({{"b", one.type}});
    EXPECT_EQ(verdict({{"o", outer}}, "{\"o\":" + members + "}"), "") << "in a struct";
    EXPECT_EQ(
        verdict({{"o", DataType::map(TypeKind::kString, one.type)}}, "{\"o\":" + members + "}"), "")
        << "in a map";
    EXPECT_EQ(verdict({{"o", DataType::array(outer)}}, "{\"o\":[" + members + "]}"), "")
        << "in an array";
    EXPECT_NE(verdict({{"o", outer}}, "{\"o\":{\"b\":" + one.last + ",\"b\":" + one.first + "}}"),
              "")
        << "the last does not fit";
  }
}

// I-2
TEST(JsonDecoder, AMapHasEveryKeyOnceWithItsLastValue) {
  Decoding decoding({{"m", DataType::map(TypeKind::kString, TypeKind::kInt32)}});

  const Batch few = decoding.decode({R"({"m":{"a":1,"b":2,"\u0061":3,"c":null,"c":4}})"});
  ASSERT_EQ(few.column(0).value<ListEntry>(0).length, 3U);
  EXPECT_EQ(few.column(0).child(0).text(0), "a");
  EXPECT_EQ(few.column(0).child(1).value<std::int32_t>(0), 3);
  EXPECT_EQ(few.column(0).child(0).text(1), "b");
  EXPECT_EQ(few.column(0).child(1).value<std::int32_t>(1), 2);
  EXPECT_EQ(few.column(0).child(0).text(2), "c");
  EXPECT_FALSE(few.column(0).child(1).is_null(2));
  EXPECT_EQ(few.column(0).child(1).value<std::int32_t>(2), 4);

  std::string many = "{\"m\":{";
  for (int round = 0; round < 2; ++round)
    for (int key = 0; key < 500; ++key)
      many += "\"k" + std::to_string(key) + "\":" + std::to_string(1000 * round + key) + ",";
  many.back() = '}';
  const Batch out = decoding.decode({many + "}"});
  ASSERT_EQ(out.column(0).value<ListEntry>(0).length, 500U);
  EXPECT_EQ(out.column(0).child(0).text(499), "k499");
  EXPECT_EQ(out.column(0).child(1).value<std::int32_t>(0), 1000);
  EXPECT_EQ(out.column(0).child(1).value<std::int32_t>(499), 1499);
}

// I-3
TEST(JsonDecoder, KeepsInt64Exact) {
  EXPECT_EQ(b_of(R"({"b":2882429806056571124})"), 2882429806056571124);
  EXPECT_EQ(b_of(R"({"b":9007199254740993})"), 9007199254740993);
  EXPECT_EQ(b_of(R"({"b":9223372036854775807})"), INT64_MAX);
  EXPECT_EQ(b_of(R"({"b":-9223372036854775808})"), INT64_MIN);
  EXPECT_NE(verdict(kB, R"({"b":9223372036854775808})"), "");
  EXPECT_NE(verdict(kB, R"({"b":-9223372036854775809})"), "");
  EXPECT_NE(verdict(kB, R"({"b":18446744073709551617})"), "");
}

// I-4
TEST(JsonDecoder, RefusesBytesThatAreNotUtf8) {
  EXPECT_EQ(verdict(kB, "{\"a\":\"\xFF\xFE\",\"b\":7}"), malformed("it is not valid UTF-8", 6));
  EXPECT_EQ(verdict(kB, "{\"é\":\"\xC3\",\"b\":7}"), malformed("it is not valid UTF-8", 7))
      << "cut in the middle of a character";
  EXPECT_EQ(verdict(kB, "{\"a\":\"" + std::string(1000, 'x') + "\xED\xA0\x80\"}"),
            malformed("it is not valid UTF-8", 1006))
      << "a surrogate";
}

struct Nasty {
  std::string text;
  std::string verdict;  ///< empty: accepted, and b is 7
};

std::vector<Nasty> nasty_records() {
  return {
      {R"({"b":7} xyz)", malformed("text follows the object", 8)},
      {R"({"b":7}{"b":8})", malformed("text follows the object", 7)},
      {R"({"b":7},)", malformed("text follows the object", 7)},
      {R"({"b":7,})", malformed("a member name was expected", 7)},
      {R"({,"b":7})", malformed("a member name was expected", 1)},
      {R"({"b":7,"a":tru})", malformed("a word is none of true, false and null", 11)},
      {R"({"b":7,"a":truex})", malformed("a word is none of true, false and null", 11)},
      {R"({"b":7,"a":NaN})", malformed("a word is none of true, false and null", 11)},
      {R"({"b":7,"a":Infinity})", malformed("a word is none of true, false and null", 11)},
      {R"({"\u0062":7})", ""},
      {"\xEF\xBB\xBF{\"b\":7}", malformed("it begins with a byte order mark", 0)},
      {R"({"b":7,"a":"\ud800"})", malformed("a string holds half of a surrogate pair", 12)},
      {R"({"b":7,"a":"\udc00\ud800"})", malformed("a string holds half of a surrogate pair", 12)},
      {R"({"b":7,"a":"\ud83d\ude00"})", ""},
      {R"({"b":7,"\ud800":1})", malformed("a string holds half of a surrogate pair", 8)},
      {nested(1024), ""},
      {nested(1025), malformed("it is nested deeper than 1024 levels", 1034)},
      {R"({"b":7,"a":"\x"})", malformed("a string holds an unknown escape", 12)},
      {R"({"b":7,"a":"\u12g4"})", malformed("a string holds an unknown escape", 12)},
      {R"({"b":7,"a":"\u12"})", malformed("a string holds an unknown escape", 12)},
      {"{\"b\":7,\"a\":\"\t\"}",
       malformed("a string holds a control character that is not escaped", 12)},
      {"{\"b\":7,\n\"a\":\"\\\"\x01\"}",
       malformed("a string holds a control character that is not escaped", 15)},
      {R"({"b":7,"a":"open})", malformed("a string is not closed", 11)},
      {R"({"b":7,"a":004})", malformed("a number is malformed", 11)},
      {R"({"b":7,"a":-})", malformed("a number is malformed", 11)},
      {R"({"b":7,"a":1.})", malformed("a number is malformed", 11)},
      {R"({"b":7,"a":.5})", malformed("a word is none of true, false and null", 11)},
      {R"({"b":7,"a":1e})", malformed("a number is malformed", 11)},
      {R"({"b":7,"a":+1})", malformed("a word is none of true, false and null", 11)},
      {R"({"b":7,"a":1x})", malformed("a number is malformed", 11)},
      {R"({"b":7,"a":7"x"})", malformed("a number is malformed", 11)},
      {R"({"b":7,"a":1e400})", ""},
      {R"({"b":7,"a":[1,2,]})", malformed("a value was expected", 16)},
      {R"({"b":7,"a":[1 2]})", malformed("a comma or a closing bracket was expected", 14)},
      {R"({"b":7,"a":[1}})", malformed("a comma or a closing bracket was expected", 13)},
      {R"({"b":7,"a":{"c":1]})", malformed("a comma or a closing brace was expected", 17)},
      {R"({"b":7,"a":{"c"}})", malformed("a colon was expected", 15)},
      {R"({"b":7,"a":{1:2}})", malformed("a member name was expected", 12)},
      {R"({"b":7,"a":})", malformed("a value was expected", 11)},
      {R"({"b":7 "a":1})", malformed("a comma or a closing brace was expected", 7)},
      {R"({"b" 7})", malformed("a colon was expected", 5)},
      {R"({"b":7)", malformed("a comma or a closing brace was expected", 6)},
      {R"({"b":7,"a":"x""y"})", malformed("a comma or a closing brace was expected", 14)},
      {R"({"b":7,"a":{"x":[{},[],{"y":[null,true,false,-0.5e-3]}]}})", ""},
      {" \r\n\t{ \"b\" : 7 , \"a\" : [ ] } \n", ""},
      {"", malformed("it is empty", 0)},
      {"   ", malformed("it is empty", 0)},
      {"[7]", malformed("it is not an object", 0)},
      {"7", malformed("it is not an object", 0)},
      {"null", malformed("it is not an object", 0)},
      {std::string("{\"b\":7}\0", 8), malformed("text follows the object", 7)},
  };
}

// I-19
TEST(JsonDecoder, GivesEveryNastyRecordItsLiteralVerdict) {
  for (const Nasty& nasty : nasty_records()) {
    EXPECT_EQ(verdict(kB, nasty.text), nasty.verdict) << nasty.text;
    if (nasty.verdict.empty()) {
      EXPECT_EQ(b_of(nasty.text), 7) << nasty.text;
    }
  }
}

// I-2, I-19
TEST(JsonDecoder, GivesTheSameVerdictWhicheverFieldsAreRead) {
  const std::vector<std::vector<Field>> readers = {
      {},
      {{"a", TypeKind::kString}},
      {{"none", TypeKind::kInt64}},
      {{"a", TypeKind::kString}, {"b", TypeKind::kString}, {"none", TypeKind::kBytes}},
  };
  for (const Nasty& nasty : nasty_records())
    for (const auto& fields : readers)
      EXPECT_EQ(verdict(fields, nasty.text), nasty.verdict)
          << nasty.text << " read as " << Schema(fields).to_string();
}

// The oracle is another parser. Records are good ones with a few bytes changed at random.
TEST(JsonDecoder, AgreesWithTheDocumentParserOnMutatedRecords) {
  const std::vector<std::string> seeds = {
      R"({"b":7,"a":[1,-2.5e3,"x\n\u00e9",{"c":null,"d":[true,false]}],"s":"\ud83d\ude00"})",
      R"({"a":{"b":{"c":[[],{},[0]]}},"b" : "q\"uote\\" , "n":-0})"};
  constexpr std::string_view kBytes = "{}[],:\"\\ntfu0123456789.-+eE \t\n\x01\x80\xC3x";
  Decoding reads_all({{"a", TypeKind::kString}, {"b", TypeKind::kString}});
  Decoding reads_nothing({});
  std::mt19937 random(301);
  int accepted = 0;
  for (int i = 0; i < 40'000; ++i) {
    std::string text = seeds[random() % seeds.size()];
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      const char byte = kBytes[random() % kBytes.size()];
      switch (random() % 3) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1);
      }
    }
    const auto document = JsonValue::parse(text);
    // Only that parser minds an exponent that no double can hold.
    if (!document && document.error().message.find("overflow") != std::string::npos) continue;
    const bool is_good = document.has_value() && document->is_object();
    accepted += is_good ? 1 : 0;
    reads_all.decode({text});
    reads_nothing.decode({text});
    ASSERT_EQ(reads_all.bad.empty(), is_good) << text;
    ASSERT_EQ(reads_nothing.bad.empty(), is_good) << text;
  }
  EXPECT_GT(accepted, 1'000);
}

// -- types -------------------------------------------------------------------------------------

TEST(JsonDecoder, FillsEveryType) {
  Decoding decoding({{"t", TypeKind::kBoolean},
                     {"i", TypeKind::kInt32},
                     {"l", TypeKind::kInt64},
                     {"d", TypeKind::kDouble},
                     {"s", TypeKind::kString},
                     {"y", TypeKind::kBytes},
                     {"day", TypeKind::kDate},
                     {"at", TypeKind::kTimestamp}});

  const Batch rows = decoding.decode(
      {R"({"t":true,"i":-2147483648,"l":-1,"d":2.5,"s":"a\tb","y":"/wA=","day":"1970-01-02",)"
       R"("at":"1970-01-01T00:00:01.000002+00:00"})"});

  ASSERT_TRUE(decoding.bad.empty()) << decoding.bad[0].reason;
  EXPECT_EQ(rows.column(0).value<std::uint8_t>(0), 1);
  EXPECT_EQ(rows.column(1).value<std::int32_t>(0), INT32_MIN);
  EXPECT_EQ(rows.column(2).value<std::int64_t>(0), -1);
  EXPECT_EQ(rows.column(3).value<double>(0), 2.5);
  EXPECT_EQ(rows.column(4).text(0), "a\tb");
  EXPECT_EQ(rows.column(5).text(0), std::string_view("\xFF\0", 2));
  EXPECT_EQ(rows.column(6).value<std::int32_t>(0), 1);
  EXPECT_EQ(rows.column(7).value<std::int64_t>(0), 1'000'002);
}

TEST(JsonDecoder, GivesNullForNullForAMissingMemberAndForANullValue) {
  Decoding decoding({{"b", TypeKind::kInt64}, {"s", TypeKind::kString}});

  const Batch rows =
      decoding.decode({R"({"b":1,"s":"x"})", R"({"b":null,"s":null})", "{}", std::nullopt});

  EXPECT_TRUE(decoding.bad.empty());
  ASSERT_EQ(rows.rows(), 4U);
  EXPECT_FALSE(rows.column(0).is_null(0));
  EXPECT_FALSE(rows.column(1).is_null(0));
  for (std::size_t row = 1; row < 4; ++row) {
    EXPECT_TRUE(rows.column(0).is_null(row)) << row;
    EXPECT_TRUE(rows.column(1).is_null(row)) << row;
  }
}

TEST(JsonDecoder, TakesOnlyIntegersForIntegerColumns) {
  for (const char* value : {"1.0", "1e3", "\"1\"", "true", "[1]", "{\"x\":1}"})
    EXPECT_EQ(verdict(kB, std::string("{\"b\":") + value + "}"),
              std::string("field \"b\" cannot be read as bigint: ") + value);
  EXPECT_EQ(verdict({{"b", TypeKind::kInt32}}, R"({"b":2147483648})"),
            "field \"b\" cannot be read as int: 2147483648");
  EXPECT_EQ(b_of(R"({"b":-0})"), 0);
}

TEST(JsonDecoder, ParsesDoublesToTheNearest) {
  Decoding decoding({{"d", TypeKind::kDouble}});
  const std::vector<std::pair<std::string, double>> cases = {
      {"0.1", 0.1},
      {"-12.34", -12.34},
      {"7", 7.0},
      {"123456789012345", 123456789012345.0},
      {"0.30000000000000004", 0.30000000000000004},
      {"1e23", 1e23},
      {"9007199254740993", 9007199254740992.0},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"5e-324", 5e-324},
      {"1e-400", 0.0},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"\"Infinity\"", std::numeric_limits<double>::infinity()},
      {"\"-Infinity\"", -std::numeric_limits<double>::infinity()},
  };
  for (const auto& [text, value] : cases) {
    const Batch rows = decoding.decode({R"({"d":)" + text + "}"});
    ASSERT_TRUE(decoding.bad.empty()) << text;
    EXPECT_EQ(rows.column(0).value<double>(0), value) << text;
  }
  EXPECT_TRUE(std::signbit(decoding.decode({R"({"d":-0})"}).column(0).value<double>(0)));
  EXPECT_TRUE(std::isnan(decoding.decode({R"({"d":"NaN"})"}).column(0).value<double>(0)));
  EXPECT_EQ(verdict({{"d", TypeKind::kDouble}}, R"({"d":1e400})"),
            "field \"d\" cannot be read as double: 1e400");
  EXPECT_EQ(verdict({{"d", TypeKind::kDouble}}, R"({"d":"1.5"})"),
            "field \"d\" cannot be read as double: 1.5");
}

TEST(JsonDecoder, GivesTheTextOfOtherValuesToAStringColumn) {
  Decoding decoding({{"s", TypeKind::kString}});

  const Batch rows =
      decoding.decode({R"({"s":12.50})", R"({"s":true})", R"({"s": {"a" : [1]} })",
                       R"({"s":"\"\\\/\b\f\n\r\t\u0000\u00e9\u20ac\ud83d\ude00"})", R"({"s":""})"});

  EXPECT_EQ(rows.column(0).text(0), "12.50");
  EXPECT_EQ(rows.column(0).text(1), "true");
  EXPECT_EQ(rows.column(0).text(2), R"({"a" : [1]})");
  EXPECT_EQ(rows.column(0).text(3), std::string_view("\"\\/\b\f\n\r\t\0\xC3\xA9\xE2\x82\xAC\xF0\x9F"
                                                     "\x98\x80",
                                                     18));
  EXPECT_FALSE(rows.column(0).is_null(4));
  EXPECT_EQ(rows.column(0).text(4), "");
}

TEST(JsonDecoder, ReadsTimestampsWithOffsetsAndSeconds) {
  Decoding decoding({{"at", TypeKind::kTimestamp}});

  const Batch rows = decoding.decode({R"({"at":"1970-01-01 02:00:00+02:00"})", R"({"at":60})",
                                      R"({"at":"1970-01-02"})", R"({"at":-1})"});

  ASSERT_TRUE(decoding.bad.empty()) << decoding.bad[0].reason;
  EXPECT_EQ(rows.column(0).value<std::int64_t>(0), 0);
  EXPECT_EQ(rows.column(0).value<std::int64_t>(1), 60'000'000);
  EXPECT_EQ(rows.column(0).value<std::int64_t>(2), 86'400'000'000);
  EXPECT_EQ(rows.column(0).value<std::int64_t>(3), -1'000'000);
  EXPECT_EQ(verdict({{"at", TypeKind::kTimestamp}}, R"({"at":"yesterday"})"),
            "field \"at\" cannot be read as timestamp: yesterday");
  EXPECT_EQ(verdict({{"at", TypeKind::kDate}}, R"({"at":"2025-02-29"})"),
            "field \"at\" cannot be read as date: 2025-02-29");
  EXPECT_EQ(verdict({{"at", TypeKind::kBytes}}, R"({"at":"a"})"),
            "field \"at\" cannot be read as bytes: a");
}

// -- batches -----------------------------------------------------------------------------------

TEST(JsonDecoder, FindsFieldsWhateverOrderTheMembersComeIn) {
  Decoding decoding({{"a", TypeKind::kInt64}, {"b", TypeKind::kInt64}, {"c", TypeKind::kInt64}});

  const Batch rows =
      decoding.decode({R"({"a":1,"b":2,"c":3})", R"({"c":3,"x":0,"b":2,"y":[1],"a":1})",
                       R"({"b":2,"a":1,"c":3,"aa":9,"":9})", R"({"a":1,"b":2,"c":3})"});

  ASSERT_TRUE(decoding.bad.empty());
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      EXPECT_EQ(rows.column(column).value<std::int64_t>(row),
                static_cast<std::int64_t>(column) + 1);
}

TEST(JsonDecoder, FindsFieldsAmongMoreMembersThanItRemembers) {
  std::string text = "{";
  for (int i = 0; i < 300; ++i)
    text += "\"member" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  text += "\"" + std::string(70'000, 'n') + "\":5,\"b\":7}";

  EXPECT_EQ(b_of(text), 7);
  Decoding decoding({{"member299", TypeKind::kInt32}});
  EXPECT_EQ(decoding.decode({text}).column(0).value<std::int32_t>(0), 299);
}

TEST(JsonDecoder, NamesEveryBadRowOfABatchAndKeepsTheOthers) {
  Decoding decoding(kB);
  std::vector<std::optional<std::string>> texts(1024, R"({"b":7})");
  texts[3] = "{";
  texts[1023] = R"({"b":"x"})";

  const Batch rows = decoding.decode(texts);

  ASSERT_EQ(decoding.bad.size(), 2U);
  EXPECT_EQ(decoding.bad[0].row, 3U);
  EXPECT_EQ(decoding.bad[1].row, 1023U);
  EXPECT_EQ(decoding.bad[1].reason, "field \"b\" cannot be read as bigint: \"x\"");
  EXPECT_TRUE(rows.column(0).is_null(3));
  EXPECT_FALSE(rows.column(0).is_null(4));
  EXPECT_EQ(rows.column(0).value<std::int64_t>(1022), 7);
}

TEST(JsonDecoder, DecodesAnEmptyBatch) {
  Decoding decoding(kB);
  EXPECT_EQ(decoding.decode({}).rows(), 0U);
}

// I-1
TEST(JsonDecoder, ReadsDecimalsDigitByDigit) {
  const std::vector<Field> fields{{"d", DataType::decimal(38, 2)}};
  Decoding decoding(fields);
  const Batch rows = decoding.decode(
      {R"({"d":327267367867168100000})", R"({"d":"0.125"})", R"({"d":-1.5e3})", R"({"d":null})"});

  ASSERT_TRUE(decoding.bad.empty());
  EXPECT_EQ(value_of(rows.column(0), 0).to_string(), "327267367867168100000.00");
  EXPECT_EQ(value_of(rows.column(0), 1).to_string(), "0.13");
  EXPECT_EQ(value_of(rows.column(0), 2).to_string(), "-1500.00");
  EXPECT_TRUE(rows.column(0).is_null(3));
  EXPECT_EQ(verdict({{"d", DataType::decimal(3, 2)}}, R"({"d":10})"),
            "field \"d\" cannot be read as decimal(3,2): 10");
  EXPECT_EQ(verdict({{"d", DataType::decimal(3, 2)}}, R"({"d":"x"})"),
            "field \"d\" cannot be read as decimal(3,2): x");
}

/// What a text's field `f` of the type is read as, or why the record is bad.
std::string read_as(std::string_view type, const std::string& text) {
  Decoding decoding({{"f", *parse_type(type)}});
  const Batch rows = decoding.decode({text});
  return decoding.bad.empty() ? value_of(rows.column(0), 0).to_string() : decoding.bad[0].reason;
}

TEST(JsonDecoder, ReadsWhatIsNested) {
  EXPECT_EQ(read_as("array<int>", R"({"f":[1, null ,3]})"), "array[1, null, 3]");
  EXPECT_EQ(read_as("array<int>", R"({"f":[]})"), "array[]");
  EXPECT_EQ(read_as("array<int>", R"({"f":null})"), "null");
  EXPECT_EQ(read_as("array<array<string>>", R"({"f":[["a\n",{"x":1}],[]]})"),
            "array[array['a\n', '{\"x\":1}'], array[]]");
  EXPECT_EQ(read_as("map<string, double>", R"({"f":{"a":1.5,"b":null,"c":"NaN"}})"),
            "map('a', 1.5, 'b', null, 'c', NaN)");
  EXPECT_EQ(read_as("struct<a: int, b: struct<c: date>, d: boolean>",
                    R"({"f":{"b":{"c":"2024-02-29","z":[{}]},"a":1,"a":2}})"),
            "row(2, row(date '2024-02-29'), null)");
  EXPECT_EQ(read_as("array<struct<t: timestamp, i: interval, b: bytes, n: decimal(4,1)>>",
                    R"({"f":[{"t":1,"i":"2 days","b":"YQ==","n":"7"},null]})"),
            "array[row(timestamp '1970-01-01 00:00:01', interval '2 days', x'61', 7.0), null]");
}

TEST(JsonDecoder, NamesTheFieldWhoseInsideDoesNotFit) {
  EXPECT_EQ(read_as("array<int>", R"({"f":[1,"x"]})"),
            "field \"f\" cannot be read as array<int>: [1,\"x\"]");
  EXPECT_EQ(read_as("map<string, int>", R"({"f":[1]})"),
            "field \"f\" cannot be read as map<string, int>: [1]");
  EXPECT_EQ(read_as("struct<a: int>", R"({"f":{"a":2147483648}})"),
            "field \"f\" cannot be read as struct<a: int>: {\"a\":2147483648}");
}

TEST(JsonDecoder, JudgesARecordAlikeWhetherItReadsWhatIsNestedOrNot) {
  std::string deep = R"({"f":)";
  for (int i = 0; i < 1022; ++i) deep += '[';
  for (const std::string& text :
       {deep + "]", deep + "[[", std::string(R"({"f":[1,]})"), std::string(R"({"f":{"a" 1}})"),
        std::string(R"({"f":["\u12"]})"), std::string(R"({"f":[1 2]})")}) {
    EXPECT_NE(verdict({{"other", TypeKind::kInt32}}, text), "") << text;
    EXPECT_EQ(verdict({{"f", *parse_type("array<string>")}}, text),
              verdict({{"other", TypeKind::kInt32}}, text))
        << text;
  }
}

TEST(JsonDecoder, KeepsTheRowsOfNestedColumnsApart) {
  Decoding decoding({{"f", DataType::array(TypeKind::kInt32)}});
  const Batch rows = decoding.decode(
      {R"({"f":[1,2]})", R"({"f":[3,"x"]})", std::nullopt, R"({"f":[4]})", R"({})"});

  EXPECT_EQ(value_of(rows.column(0), 0).to_string(), "array[1, 2]");
  EXPECT_TRUE(rows.column(0).is_null(1));
  EXPECT_TRUE(rows.column(0).is_null(2));
  EXPECT_EQ(value_of(rows.column(0), 3).to_string(), "array[4]");
  EXPECT_TRUE(rows.column(0).is_null(4));
}

TEST(JsonDecoder, RefusesTypesThatItCannotFill) {
  const auto decoder =
      JsonDecoder::make({{"m", DataType::map(TypeKind::kInt32, TypeKind::kString)}});
  ASSERT_FALSE(decoder.has_value());
  EXPECT_EQ(decoder.error().message,
            "column \"m\" of type map<int, string> cannot be read from JSON: the keys of its maps "
            "are no strings");
}

}  // namespace
}  // namespace millrace::formats
