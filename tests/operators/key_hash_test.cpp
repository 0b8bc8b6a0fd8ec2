#include "operators/key_hash.hpp"

#include "millrace/value.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace millrace::operators {
namespace {

struct Pair {
  Value left;
  Value right;
};

/// Whether the two are one key; equal keys have to have equal hashes.
bool are_one_key(const Pair& pair) {
  Column column(pair.left.type);
  append_value(column, pair.left);
  append_value(column, pair.right);
  std::array<std::uint64_t, 2> hashes{};
  mix_hashes(column, hashes);
  const bool are_equal = are_keys_equal(column, 0, column, 1);
  if (are_equal) EXPECT_EQ(hashes[0], hashes[1]) << pair.left.to_string();
  if (!are_equal) EXPECT_NE(hashes[0], hashes[1]) << pair.left.to_string();
  return are_equal;
}

Value list(std::vector<Value> elements) {
  return Value::array(TypeKind::kDouble, std::move(elements));
}

TEST(KeyHash, KnowsEqualKeysOfEveryType) {
  EXPECT_TRUE(are_one_key({Value::decimal(150, 10, 2), Value::decimal(150, 10, 2)}));
  EXPECT_TRUE(are_one_key({Value::interval({1, 2, 3}), Value::interval({1, 2, 3})}));
  EXPECT_TRUE(are_one_key({Value::interval({0, 30, 0}), Value::interval({1, 0, 0})}));
  EXPECT_TRUE(are_one_key({list({Value::real(0.0), Value::real(std::nan("1"))}),
                           list({Value::real(-0.0), Value::real(std::nan("2"))})}));
  EXPECT_TRUE(are_one_key(
      {list({Value::null(TypeKind::kDouble)}), list({Value::null(TypeKind::kDouble)})}));
  EXPECT_TRUE(are_one_key({Value::structure({{"a", Value::string("x")}, {"b", list({})}}),
                           Value::structure({{"a", Value::string("x")}, {"b", list({})}})}));
}

TEST(KeyHash, TellsOtherKeysApart) {
  EXPECT_FALSE(are_one_key({Value::decimal(150, 38, 2), Value::decimal(Int128{150} << 64, 38, 2)}));
  EXPECT_FALSE(are_one_key({Value::interval({0, 31, 0}), Value::interval({1, 0, 0})}));
  EXPECT_FALSE(are_one_key({list({}), list({Value::null(TypeKind::kDouble)})}));
  EXPECT_FALSE(are_one_key(
      {list({Value::real(1), Value::real(2)}), list({Value::real(2), Value::real(1)})}));
  EXPECT_FALSE(are_one_key({Value::structure({{"a", Value::null(TypeKind::kInt32)}}),
                            Value::structure({{"a", Value::int32(0)}})}));
}

}  // namespace
}  // namespace millrace::operators
