#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

constexpr std::int32_t kInt32Max = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kInt32Min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();

ExpressionCase one_row() {
  return ExpressionCase(
      {{"i", TypeKind::kInt32},
       {"imax", TypeKind::kInt32},
       {"imin", TypeKind::kInt32},
       {"l", TypeKind::kInt64},
       {"lmax", TypeKind::kInt64},
       {"lmin", TypeKind::kInt64},
       {"d", TypeKind::kDouble}},
      {{Value::int32(7), Value::int32(kInt32Max), Value::int32(kInt32Min), Value::int64(-7),
        Value::int64(kInt64Max), Value::int64(kInt64Min), Value::real(2.5)}});
}

TEST(Arithmetic, ComputesInTheWiderType) {
  ExpressionCase rows = one_row();
  EXPECT_EQ(rows.type_of(col("i") + col("i")), "int");
  EXPECT_EQ(rows.type_of(col("i") + col("l")), "bigint");
  EXPECT_EQ(rows.type_of(col("l") * col("d")), "double");
  EXPECT_EQ(rows.type_of(col("i") / col("i")), "double");
  EXPECT_EQ(rows.value(col("i") + col("l")), "0");
  EXPECT_EQ(rows.value(col("i") - col("d")), "4.5");
  EXPECT_EQ(rows.value(col("i") * col("l")), "-49");
  EXPECT_EQ(rows.value(col("i") / lit(2)), "3.5");
}

TEST(Arithmetic, GivesTheRemainderTheSignOfTheLeftSide) {
  ExpressionCase rows = one_row();
  EXPECT_EQ(rows.value(col("i") % lit(4)), "3");
  EXPECT_EQ(rows.value(col("l") % lit(4)), "-3");
  EXPECT_EQ(rows.value(col("i") % lit(-4)), "3");
  EXPECT_EQ(rows.value(col("d") % lit(2)), "0.5");
  EXPECT_EQ(rows.value(col("imin") % lit(-1)), "0");
  EXPECT_EQ(rows.value(col("lmin") % lit(-1)), "0");
}

TEST(Arithmetic, FailsOnOverflow) {
  ExpressionCase rows = one_row();
  EXPECT_EQ(rows.value(col("imax") + lit(1)), "row 0: int overflow: 2147483647 + 1 in imax + 1");
  EXPECT_EQ(rows.value(col("imin") - lit(1)), "row 0: int overflow: -2147483648 - 1 in imin - 1");
  EXPECT_EQ(rows.value(col("imin") * lit(-1)),
            "row 0: int overflow: -2147483648 * -1 in imin * -1");
  EXPECT_EQ(rows.value(call("-", {col("imin")})), "row 0: int overflow: -(-2147483648) in -imin");
  EXPECT_EQ(rows.value(col("lmax") + lit(1)),
            "row 0: bigint overflow: 9223372036854775807 + 1 in lmax + 1");
  EXPECT_EQ(rows.value(col("lmin") - col("lmax")),
            "row 0: bigint overflow: -9223372036854775808 - 9223372036854775807 in lmin - lmax");
  EXPECT_EQ(rows.value(col("lmax") * lit(2)),
            "row 0: bigint overflow: 9223372036854775807 * 2 in lmax * 2");
  EXPECT_EQ(rows.value(call("-", {col("lmin")})),
            "row 0: bigint overflow: -(-9223372036854775808) in -lmin");
}

TEST(Arithmetic, ReachesTheExtremesWithoutOverflow) {
  ExpressionCase rows = one_row();
  EXPECT_EQ(rows.value(col("imax") + col("imin")), "-1");
  EXPECT_EQ(rows.value(call("-", {col("imax")})), "-2147483647");
  EXPECT_EQ(rows.value(call("negative", {col("imax")})), "-2147483647");
  EXPECT_EQ(rows.value(col("lmax") + col("lmin")), "-1");
  EXPECT_EQ(rows.value(col("lmin") * lit(1)), "-9223372036854775808");
  EXPECT_EQ(rows.value(col("imax") * col("imax").cast(TypeKind::kInt64)), "4611686014132420609");
}

TEST(Arithmetic, FailsOnDivisionByZero) {
  ExpressionCase rows = one_row();
  EXPECT_EQ(rows.value(col("i") / lit(0)), "row 0: division by zero in i / 0");
  EXPECT_EQ(rows.value(col("d") / lit(0.0)), "row 0: division by zero in d / 0.0");
  EXPECT_EQ(rows.value(col("i") % lit(0)), "row 0: division by zero in i % 0");
  EXPECT_EQ(rows.value(col("l") % lit(0)), "row 0: division by zero in l % 0");
  EXPECT_EQ(rows.value(col("d") % lit(0.0)), "row 0: division by zero in d % 0.0");
}

TEST(Arithmetic, DoesNotFailUnderANull) {
  ExpressionCase rows({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}},
                      {{Value::null(), Value::int32(0)}, {Value::int32(1), Value::null()}});
  EXPECT_EQ(rows.values(col("a") / col("b")), (Texts{"null", "null"}));
  EXPECT_EQ(rows.values(col("a") % col("b")), (Texts{"null", "null"}));
  EXPECT_EQ(rows.values(col("a") + col("b")), (Texts{"null", "null"}));
}

TEST(Arithmetic, NamesTheLowestFailingRow) {
  ExpressionCase rows({{"a", TypeKind::kInt32}, {"b", TypeKind::kInt32}},
                      {{Value::int32(1), Value::int32(1)},
                       {Value::int32(kInt32Max), Value::int32(1)},
                       {Value::int32(1), Value::int32(0)}});
  EXPECT_EQ(rows.value((lit(1) / col("b")) + (col("a") + lit(1))),
            "row 1: int overflow: 2147483647 + 1 in a + 1");
}

TEST(Arithmetic, NamesTopicPartitionAndOffsetWhenTheBatchKnowsThem) {
  const Origin origin{"clicks", "topic clicks, partition 3", 3};
  ExpressionCase rows({{"a", TypeKind::kInt32}}, {{Value::int32(1)}, {Value::int32(0)}});
  rows.batch().resize(2);
  rows.batch().set_origin(&origin);
  rows.batch().positions()[1] = 1234;

  EXPECT_EQ(rows.value(lit(1) / col("a")),
            "topic clicks, partition 3, offset 1234: division by zero in 1 / a");
}

}  // namespace
}  // namespace millrace::stream
