#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

constexpr const char* kSchema =
    "a INT, b STRING, c STRUCT<x:INT,y:ARRAY<INT>>, t TIMESTAMP, d DOUBLE, f BOOLEAN";

ExpressionCase texts(const std::vector<const char*>& rows) {
  std::vector<std::vector<Value>> values;
  for (const char* row : rows)
    values.push_back({row == nullptr ? Value::null(TypeKind::kString) : Value::string(row)});
  return {{{"s", TypeKind::kString}}, std::move(values)};
}

Expr parsed(const char* schema) { return call("from_json", {col("s"), lit(schema)}); }
Expr field(const Expr& of, const char* name) { return call("field", {of, lit(name)}); }
Expr options(const char* name, const char* value) { return call("map", {lit(name), lit(value)}); }

TEST(FromJson, ReadsEveryField) {
  ExpressionCase rows = texts({R"({"a":1,"b":"x","c":{"x":2,"y":[1,2]},)"
                               R"("t":"2024-02-29T12:00:00Z","d":1.5,"f":true})"});
  const Expr all = parsed(kSchema);
  EXPECT_EQ(rows.type_of(all),
            "struct<a: int, b: string, c: struct<x: int, y: array<int>>, t: timestamp, d: double, "
            "f: boolean>");
  EXPECT_EQ(rows.value(field(all, "a")), "1");
  EXPECT_EQ(rows.value(field(all, "b")), "'x'");
  EXPECT_EQ(rows.value(field(field(all, "c"), "x")), "2");
  EXPECT_EQ(rows.value(field(field(all, "c"), "y")), "array[1, 2]");
  EXPECT_EQ(rows.value(call("to_json", {all})),
            R"('{"a":1,"b":"x","c":{"x":2,"y":[1,2]},"t":"2024-02-29T12:00:00.000Z","d":1.5,)"
            R"("f":true}')");
}

TEST(FromJson, ReadsEveryFormOfASchema) {
  ExpressionCase rows = texts({"{}"});
  for (const char* schema :
       {"a INT NOT NULL, `b c` VARCHAR(10) COMMENT 'the name, say', m MAP<STRING, ARRAY<INT>>",
        "a: integer not null comment \"x\", `b c`: char(3), m: map<varchar(5), array<int>>",
        "  A  Int  ,\n`b c` String not  null\tcomment 'it''s', m map < string , array < int > >",
        "struct<a: int NOT NULL, `b c`: character varying(7), m: map<string, array<int>>>",
        "STRUCT<a int, \"b c\" text, m map<text, int[]>>"}) {
    std::string type = rows.type_of(parsed(schema));
    if (type.starts_with("struct<A")) type[7] = 'a';
    EXPECT_EQ(type, "struct<a: int, \"b c\": string, m: map<string, array<int>>>") << schema;
  }
  EXPECT_EQ(rows.type_of(parsed("not int, comment string comment 'c', date date, `x``y` long")),
            "struct<not: int, comment: string, date: date, \"x`y\": bigint>");
  EXPECT_EQ(rows.type_of(parsed("array<struct<a: double precision not null, t: timestamp_ltz>>")),
            "array<struct<a: double, t: timestamp>>");
  EXPECT_EQ(rows.value(parsed("a int, b tinyint")).substr(0, 21), "unknown type: tinyint");
  EXPECT_EQ(rows.value(parsed("a int not b")),
            "not a type: struct<a int not b>: write NOT NULL; in from_json(s, 'a int not b')");
  ExpressionCase empty = texts({R"({"a":1})", "{}"});
  EXPECT_EQ(empty.values(field(parsed("a int not null"), "a")), (Texts{"1", "null"}));
}

// I-2
TEST(FromJson, MakesFieldsNullThatDoNotFit) {
  ExpressionCase rows =
      texts({R"({"a":1})", "{}", R"({"a":null})", R"({"a":"1"})", R"({"a":1.0})", R"({"a":1e2})",
             R"({"a":3000000000})", R"({"a":true})", R"({"a":-0})", R"({"A":1})",
             R"({"z":1,"a":2})", R"({"a":1,"a":2})"});
  EXPECT_EQ(
      rows.values(field(parsed(kSchema), "a")),
      (Texts{"1", "null", "null", "null", "null", "null", "null", "null", "0", "null", "2", "2"}));
  ExpressionCase partial = texts({R"({"a":"x","b":"kept"})"});
  EXPECT_EQ(partial.value(field(parsed(kSchema), "b")), "'kept'");
}

TEST(FromJson, TakesAnyValueAsText) {
  ExpressionCase rows =
      texts({R"({"b":5})", R"({"b":{"q":1}})", R"({"b":[1, 2]})", R"({"b":1.50})",
             R"({"b":"\u00e9\n\"\\ \ud83d\ude00"})", R"({"b":"\x"})", "{\"b\":\"tab\there\"}"});
  EXPECT_EQ(rows.values(field(parsed(kSchema), "b")),
            (Texts{"'5'", R"('{"q":1}')", "'[1,2]'", "'1.5'", "'é\n\"\\ 😀'", "null", "null"}));
}

TEST(FromJson, IsLenientAboutQuotesAndTheEndOnly) {
  ExpressionCase rows =
      texts({R"({"a":1)", "not json", "[]", R"([{"a":1},{"a":2}])", "5", "null", R"({"a":1} tail)",
             R"({"a":1}{"a":2})", "{'a':1}", "{a:1}", R"({"a":01})", R"({"a":1,})",
             "  {\"a\" : 1 }\n", R"({"a":+1})", "// c\n{\"a\":1}"});
  EXPECT_EQ(rows.values(field(parsed(kSchema), "a")),
            (Texts{"null", "null", "null", "null", "null", "null", "1", "1", "1", "null", "null",
                   "null", "1", "null", "null"}));
}

TEST(FromJson, IsNullForNoTextOnly) {
  ExpressionCase rows = texts({"", " ", nullptr, "bad", "null", "[]"});
  EXPECT_EQ(rows.values(parsed("a INT").is_null()),
            (Texts{"true", "true", "true", "false", "false", "false"}));
}

TEST(FromJson, ReadsArraysAndMaps) {
  ExpressionCase rows =
      texts({"[1,2,3]", "[]", R"([1,"x"])", "5", R"({"a":1})", nullptr, "[1,null]"});
  EXPECT_EQ(rows.values(parsed("ARRAY<INT>")),
            (Texts{"array[1, 2, 3]", "array[]", "null", "null", "null", "null", "array[1, null]"}));
  EXPECT_EQ(rows.values(call("item", {parsed("MAP<STRING, INT>"), lit("a")})),
            (Texts{"null", "null", "null", "null", "1", "null", "null"}));
}

TEST(FromJson, TakesAnObjectAsTheOnlyElement) {
  ExpressionCase rows = texts({R"([{"a":1},{"a":2}])", R"({"a":3})", R"([7])"});
  EXPECT_EQ(rows.values(field(parsed("array<struct<a int>>"), "a")),
            (Texts{"array[1, 2]", "array[3]", "null"}));
}

TEST(FromJson, ReadsDatesAndTimes) {
  ExpressionCase rows =
      texts({R"({"d":"2024-02-29","t":"2024-02-29T12:00:00.123456Z"})",
             R"({"d":"2024-02-29T10:00:00","t":"2024-02-29"})", R"({"d":"29/02/2024"})",
             R"({"d":19782})", R"({"t":"2024-02-29T12:00:00+01:00"})", R"({"t":1.5})",
             R"({"t":"2024-02-29T12:00"})", R"({"d":"2023-02-29"})"});
  const Expr text = call("to_json", {parsed("d DATE, t TIMESTAMP")});
  EXPECT_EQ(rows.values(text), (Texts{R"('{"d":"2024-02-29","t":"2024-02-29T12:00:00.123Z"}')",
                                      R"('{"d":"2024-02-29","t":"2024-02-29T00:00:00.000Z"}')",
                                      "'{}'", "'{}'", R"('{"t":"2024-02-29T11:00:00.000Z"}')",
                                      "'{}'", R"('{"t":"2024-02-29T12:00:00.000Z"}')", "'{}'"}));
}

TEST(FromJson, ReadsDatesAndTimesByPatterns) {
  ExpressionCase rows = texts({R"({"t":"29.02.2024 12:30","d":"29/2/2024"})",
                               R"({"t":"2024-02-29T12:30:00Z","d":"2024-02-29"})", R"({"t":60})"});
  const Expr patterns = call(
      "map", {lit("timestampFormat"), lit("dd.MM.yyyy HH:mm"), lit("DATEFORMAT"), lit("d/M/yyyy")});
  const Expr read = call("from_json", {col("s"), lit("t TIMESTAMP, d DATE"), patterns});
  EXPECT_EQ(rows.values(call("to_json", {read})),
            (Texts{R"('{"t":"2024-02-29T12:30:00.000Z","d":"2024-02-29"}')", "'{}'",
                   R"('{"t":"1970-01-01T00:01:00.000Z"}')"}));
  rows.under({*TimeZone::find("+02:00"), true});
  EXPECT_EQ(rows.values(field(read, "t").cast(TypeKind::kInt64))[0], "1709202600");
  EXPECT_EQ(rows.values(field(read, "d"))[0], "date '2024-02-29'");
}

TEST(FromJson, RefusesAPatternThatIsNone) {
  ExpressionCase rows = texts({"{}"});
  EXPECT_EQ(rows.value(call("from_json", {col("s"), lit("d DATE"), options("dateFormat", "EEE")})),
            "in a pattern of times the letter E is only for writing; in from_json(s, 'd DATE', "
            "map('dateFormat', 'EEE'))");
}

TEST(FromJson, FailsFastIfTold) {
  ExpressionCase rows = texts({R"({"a":1)"});
  const Expr strict = call("from_json", {col("s"), lit("a INT"), options("mode", "FAILFAST")});
  EXPECT_EQ(rows.value(strict),
            "row 0: a malformed JSON text in from_json(s, 'a INT', map('mode', 'FAILFAST'))");
}

TEST(FromJson, HasItsOptionsBeforeAnyRow) {
  ExpressionCase none = texts({});
  ExpressionCase rows = texts({R"({"a":)"});
  const Expr strict = call("from_json", {col("s"), lit("a INT"), options("mode", "FAILFAST")});
  EXPECT_EQ(values_after(strict, {&none, &rows}),
            (Texts{"row 0: a malformed JSON text in from_json(s, 'a INT', map('mode', "
                   "'FAILFAST'))"}));
  const Expr kept = call("from_json", {col("s"), lit("a INT, bad STRING"),
                                       options("columnNameOfCorruptRecord", "bad")});
  EXPECT_EQ(values_after(field(kept, "bad"), {&none, &rows}), (Texts{R"('{"a":')"}));
}

TEST(FromJson, KeepsCorruptTexts) {
  ExpressionCase rows = texts({R"({"a":1})", R"({"a":)", R"({"a":"x"})"});
  const Expr kept = call("from_json", {col("s"), lit("a INT, bad STRING"),
                                       options("columnNameOfCorruptRecord", "bad")});
  EXPECT_EQ(rows.values(field(kept, "bad")), (Texts{"null", R"('{"a":')", R"('{"a":"x"}')"}));
  EXPECT_EQ(rows.values(field(kept, "a")), (Texts{"1", "null", "null"}));
}

TEST(FromJson, RefusesOptionsThatItDoesNotKnow) {
  ExpressionCase rows = texts({"{}"});
  EXPECT_EQ(rows.value(call("from_json", {col("s"), lit("a INT"), options("mood", "x")})),
            "option mood is not supported; there are: mode, columnNameOfCorruptRecord, "
            "timestampFormat, dateFormat; in "
            "from_json(s, 'a INT', map('mood', 'x'))");
}

TEST(ToJson, LeavesNullFieldsOutUnlessTold) {
  ExpressionCase rows({{"a", TypeKind::kInt32}, {"b", TypeKind::kString}, {"d", TypeKind::kDouble}},
                      {{Value::int32(1), Value::string("x"), Value::real(1.5)},
                       {Value::null(TypeKind::kInt32), Value::null(TypeKind::kString),
                        Value::null(TypeKind::kDouble)},
                       {Value::int32(2), Value::string("q\"\\\né/"),
                        Value::real(std::numeric_limits<double>::quiet_NaN())},
                       {Value::int32(3), Value::string(""), Value::real(-0.0)},
                       {Value::int32(4), Value::string("\t\x01"), Value::real(1e21)}});
  const Expr row = call("struct", {col("a"), col("b"), col("d")});
  EXPECT_EQ(rows.values(call("to_json", {row})),
            (Texts{R"('{"a":1,"b":"x","d":1.5}')", "'{}'", R"('{"a":2,"b":"q\"\\\né/","d":"NaN"}')",
                   R"('{"a":3,"b":"","d":-0.0}')", R"('{"a":4,"b":"\t\u0001","d":1.0E21}')"}));
  EXPECT_EQ(rows.values(call("to_json", {row, options("ignoreNullFields", "false")}))[1],
            R"('{"a":null,"b":null,"d":null}')");
}

TEST(ToJson, WritesTimesWithMilliseconds) {
  ExpressionCase rows({{"t", TypeKind::kTimestamp}},
                      {{Value::timestamp(1'709'208'000'120'000)}, {Value::timestamp(-1)}});
  EXPECT_EQ(
      rows.values(call("to_json", {call("struct", {col("t")})})),
      (Texts{R"('{"t":"2024-02-29T12:00:00.120Z"}')", R"('{"t":"1969-12-31T23:59:59.999Z"}')"}));
  rows.under({*TimeZone::find("+02:00"), true});
  EXPECT_EQ(rows.values(call("to_json", {call("struct", {col("t")})}))[0],
            R"('{"t":"2024-02-29T14:00:00.120+02:00"}')");
}

TEST(ToJson, WritesDatesAndTimesByPatterns) {
  ExpressionCase rows({{"t", TypeKind::kTimestamp}, {"d", TypeKind::kDate}},
                      {{Value::timestamp(1'709'208'000'120'000), Value::date(19'782)}});
  rows.under({*TimeZone::find("+02:00"), true});
  const Expr patterns = call("map", {lit("timestampFormat"), lit("dd.MM.yyyy HH:mm"),
                                     lit("dateFormat"), lit("EEE \"d\" MMM")});
  EXPECT_EQ(rows.value(call("to_json", {call("struct", {col("t"), col("d")}), patterns})),
            R"('{"t":"29.02.2024 14:00","d":"Thu \"29\" Feb"}')");
}

TEST(JsonParts, AreFoundByPath) {
  ExpressionCase rows = texts({R"({"a":{"b":[10,"x",{"c":null}]},"d e":1.50})", "[7]", "bad"});
  const auto at = [&](const char* path) {
    return rows.values(call("get_json_object", {col("s"), lit(path)}));
  };
  EXPECT_EQ(at("$.a.b[1]"), (Texts{"'x'", "null", "null"}));
  EXPECT_EQ(at("$.a"), (Texts{R"('{"b":[10,"x",{"c":null}]}')", "null", "null"}));
  EXPECT_EQ(at("$['d e']"), (Texts{"'1.5'", "null", "null"}));
  EXPECT_EQ(at("$[0]"), (Texts{"null", "'7'", "null"}));
  EXPECT_EQ(at("$.a.b[2].c"), (Texts{"null", "null", "null"}));
  EXPECT_EQ(at("a"), (Texts{"a JSON path is $ and then .name, ['name'] or [0], as often as needed; "
                            "in get_json_object(s, 'a')"}));
}

// I-2
TEST(JsonParts, OfSeveralMembersOfOneNameTheLastCounts) {
  ExpressionCase rows = texts({R"({"a":1,"a":2})", R"({"a":{"b":1},"a":{"b":2,"b":3}})",
                               R"({"a":1,"a":null})", R"({"a":1,"a":2,broken)"});
  EXPECT_EQ(rows.values(call("get_json_object", {col("s"), lit("$.a")})),
            (Texts{"'2'", R"('{"b":2,"b":3}')", "null", "'2'"}));
  EXPECT_EQ(rows.values(call("get_json_object", {col("s"), lit("$.a.b")})),
            (Texts{"null", "'3'", "null", "null"}));
  EXPECT_EQ(rows.values(call("json_object_keys", {col("s")}))[0], "array['a', 'a']");
}

// I-2
TEST(FromJson, KeepsTheLastOfSeveralMembersOfOneName) {
  ExpressionCase rows =
      texts({R"({"c":{"x":"bad","x":2}})", R"({"c":{"x":2,"x":3}})", R"({"c":{"x":2,"x":"bad"}})"});
  const Expr strict = call("from_json", {col("s"), lit(kSchema), options("mode", "FAILFAST")});
  ExpressionCase mended = texts({R"({"c":{"x":"bad","x":2}})"});
  EXPECT_EQ(mended.value(field(field(strict, "c"), "x")), "2")
      << "what did not count does not fail";
  EXPECT_EQ(rows.values(field(field(parsed(kSchema), "c"), "x")), (Texts{"2", "3", "null"}));

  ExpressionCase maps = texts({R"({"a":1,"b":2,"a":3})", R"({"a":"bad","a":4})"});
  const Expr map = parsed("MAP<STRING, INT>");
  EXPECT_EQ(maps.values(call("to_json", {map})), (Texts{R"('{"a":3,"b":2}')", R"('{"a":4}')"}));
  EXPECT_EQ(maps.values(call("cardinality", {map})), (Texts{"2", "1"}));
  EXPECT_EQ(maps.values(call("element_at", {map, lit("a")})), (Texts{"3", "4"}));
}

TEST(JsonParts, AreCounted) {
  ExpressionCase rows = texts({"[1,[2],{}]", "[]", R"({"a":1,"b":[2]})", "bad", nullptr});
  EXPECT_EQ(rows.values(call("json_array_length", {col("s")})),
            (Texts{"3", "0", "null", "null", "null"}));
  EXPECT_EQ(rows.values(call("json_object_keys", {col("s")})),
            (Texts{"null", "null", "array['a', 'b']", "null", "null"}));
}

}  // namespace
}  // namespace millrace::stream
