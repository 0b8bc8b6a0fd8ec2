#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace millrace::stream {
namespace {

Texts drawn(const Expr& expression, std::size_t rows) {
  ExpressionCase batch({{"n", TypeKind::kInt32}},
                       std::vector<std::vector<Value>>(rows, {Value::int32(1)}));
  return batch.values(expression);
}

TEST(Random, DrawsANewValueForEachRow) {
  const Texts values = drawn(call("rand", {}), 500);
  EXPECT_GT(std::set<std::string>(values.begin(), values.end()).size(), 490U);
  for (const std::string& value : values) {
    EXPECT_GE(std::stod(value), 0.0);
    EXPECT_LT(std::stod(value), 1.0);
  }
}

TEST(Random, BeginsWhereTheSeedSays) {
  EXPECT_EQ(drawn(call("rand", {lit(7)}), 5), drawn(call("rand", {lit(7)}), 5));
  EXPECT_NE(drawn(call("rand", {lit(7)}), 5), drawn(call("rand", {lit(8)}), 5));
  EXPECT_EQ(drawn(call("randn", {lit(7)}), 5), drawn(call("randn", {lit(7)}), 5));
}

TEST(Random, GivesSparksNumbersForASeed) {
  EXPECT_EQ(drawn(call("rand", {lit(0)}), 1), (Texts{"0.7604953758285915"}));
  EXPECT_EQ(drawn(call("rand", {lit(Value::null())}), 1), (Texts{"0.7604953758285915"}));
  EXPECT_EQ(drawn(call("randn", {lit(0)}), 1), (Texts{"1.6034991609278433"}));
}

TEST(Random, HasItsSeedBeforeAnyRow) {
  ExpressionCase none({{"n", TypeKind::kInt32}}, {});
  ExpressionCase one({{"n", TypeKind::kInt32}}, {{Value::int32(1)}});
  EXPECT_EQ(values_after(call("rand", {lit(7)}), {&none, &one}), drawn(call("rand", {lit(7)}), 1));
  EXPECT_EQ(drawn(call("rand", {lit(Value::null())}), 3), drawn(call("rand", {lit(0)}), 3));
}

TEST(Random, TakesNoSeedFromRows) {
  EXPECT_EQ(drawn(call("rand", {col("n")}), 1),
            (Texts{"function rand does not take (int); it takes: rand(), rand(bigint), a literal; "
                   "in rand(n)"}));
}

TEST(Uuid, IsOfVersionFourAndNeverTheSame) {
  const Texts values = drawn(call("uuid", {}), 200);
  EXPECT_EQ(std::set<std::string>(values.begin(), values.end()).size(), 200U);
  for (const std::string& quoted : values) {
    ASSERT_EQ(quoted.size(), 38U);
    const std::string value = quoted.substr(1, 36);
    EXPECT_EQ(value[8], '-');
    EXPECT_EQ(value[13], '-');
    EXPECT_EQ(value[14], '4');
    EXPECT_EQ(value[18], '-');
    EXPECT_NE(std::string("89ab").find(value[19]), std::string::npos);
    EXPECT_EQ(value[23], '-');
  }
}

TEST(Random, IsNotReproducible) {
  const FunctionRegistry& registry = FunctionRegistry::builtin();
  for (const char* name : {"rand", "random", "randn", "uuid"}) {
    for (const FunctionOverload* overload : registry.overloads(name))
      EXPECT_FALSE(overload->is_reproducible) << name;
  }
}

}  // namespace
}  // namespace millrace::stream
