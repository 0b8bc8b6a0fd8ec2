#include "stream/functions/murmur_hash.hpp"
#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

TEST(Hashes, AreSparks) {
  ExpressionCase rows({{"s", TypeKind::kString}},
                      {{Value::string("abc")}, {Value::string("")}, {Value::null()}});
  EXPECT_EQ(rows.values(call("xxhash64", {col("s")})),
            (Texts{"1423657621850124518", "-7444071767201028348", "42"}));
  EXPECT_EQ(rows.values(call("hash", {col("s")})), (Texts{"1322437556", "142593372", "42"}));
  EXPECT_EQ(rows.type_of(call("xxhash64", {col("s")})), "bigint");
  EXPECT_EQ(rows.type_of(call("hash", {col("s")})), "int");
}

TEST(Hashes, RunThroughSeveralValues) {
  const Value list = Value::array(TypeKind::kInt32, {Value::int32(123)});
  EXPECT_EQ(result_of("xxhash64", {lit("Spark"), lit(list), lit(2)}), "5602566077635097486");
  EXPECT_EQ(result_of("hash", {lit("Spark"), lit(list), lit(2)}), "-1321691492");
}

TEST(Hashes, LeaveNullsOut) {
  EXPECT_EQ(result_of("xxhash64", {lit(Value::null()), lit("abc"), lit(Value::null())}),
            "1423657621850124518");
  EXPECT_EQ(result_of("hash", {lit(Value::null(TypeKind::kDouble))}), "42");
}

TEST(Hashes, KnowOneZeroAndOneNan) {
  EXPECT_EQ(result_of("xxhash64", {lit(-0.0)}), result_of("xxhash64", {lit(0.0)}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(result_of("hash", {lit(-nan)}), result_of("hash", {lit(nan)}));
}

TEST(Hashes, TakeDecimalsByTheirPrecision) {
  EXPECT_EQ(result_of("xxhash64", {lit(Value::decimal(123, 10, 2))}),
            result_of("xxhash64", {lit(std::int64_t{123})}));
  EXPECT_EQ(result_of("xxhash64", {lit(Value::decimal(-129, 38, 2))}),
            result_of("xxhash64", {lit(Value::bytes("\xff\x7f"))}));
  EXPECT_EQ(result_of("xxhash64", {lit(Value::decimal(0, 20, 0))}),
            result_of("xxhash64", {lit(Value::bytes(std::string(1, '\0')))}));
}

TEST(Hashes, RefuseMaps) {
  const DataType map = DataType::map(TypeKind::kString, TypeKind::kInt32);
  ExpressionCase rows({{"m", map}}, {{Value::null(map)}});
  EXPECT_EQ(rows.type_of(call("hash", {col("m")})),
            "function hash does not take (map<string, int>); it takes: hash(value, ...), no map "
            "among them; in hash(m)");
}

TEST(Digests, AreHexadecimal) {
  ExpressionCase rows({{"s", TypeKind::kString}},
                      {{Value::string("abc")}, {Value::string("")}, {Value::null()}});
  EXPECT_EQ(
      rows.values(call("md5", {col("s")})),
      (Texts{"'900150983cd24fb0d6963f7d28e17f72'", "'d41d8cd98f00b204e9800998ecf8427e'", "null"}));
  const Texts sha256 = {"'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'",
                        "'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
                        "null"};
  EXPECT_EQ(rows.values(call("sha2", {col("s"), lit(256)})), sha256);
  EXPECT_EQ(rows.values(call("sha2", {col("s"), lit(0)})), sha256);
  EXPECT_EQ(rows.values(call("sha256", {col("s")})), sha256);
  EXPECT_EQ(rows.values(call("sha2", {col("s"), lit(100)})), (Texts{"null", "null", "null"}));
  EXPECT_EQ(result_of("sha1", {lit("Spark")}), "'85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c'");
  EXPECT_EQ(result_of("sha2", {lit("abc"), lit(224)}),
            "'23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7'");
  EXPECT_EQ(result_of("sha2", {lit("abc"), lit(384)}),
            "'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358bae"
            "ca134c825a7'");
  EXPECT_EQ(result_of("sha2", {lit("abc"), lit(512)}).substr(0, 33),
            "'ddaf35a193617abacc417349ae204131");
}

TEST(Digests, CheckSumsAreZlibs) {
  EXPECT_EQ(result_of("crc32", {lit("abc")}), "891568578");
  EXPECT_EQ(result_of("crc32", {lit("")}), "0");
  EXPECT_EQ(result_of("crc32", {lit("Spark")}), "1557323817");
}

TEST(KafkaPartition, IsThatOfTheJavaProducer) {
  EXPECT_EQ(static_cast<std::int32_t>(murmur2_of_key("21")), -973932308);
  EXPECT_EQ(static_cast<std::int32_t>(murmur2_of_key("foobar")), -790332482);
  EXPECT_EQ(static_cast<std::int32_t>(murmur2_of_key("a-little-bit-long-string")), -985981536);
  EXPECT_EQ(static_cast<std::int32_t>(murmur2_of_key("a-little-bit-longer-string")), -1486304829);
  EXPECT_EQ(static_cast<std::int32_t>(murmur2_of_key("abc")), 479470107);

  EXPECT_EQ(result_of("kafka_partition", {lit("abc"), lit(10)}), "7");
  EXPECT_EQ(result_of("kafka_partition", {lit("21"), lit(10)}), "0");
  EXPECT_EQ(result_of("kafka_partition", {lit(Value::null(TypeKind::kBytes)), lit(10)}), "null");
  EXPECT_EQ(result_of("kafka_partition", {lit("abc"), lit(0)}),
            "row 0: the number of partitions is not positive in kafka_partition('abc', 0)");
}

}  // namespace
}  // namespace millrace::stream
