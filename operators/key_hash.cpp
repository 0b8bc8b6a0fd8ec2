#include "operators/key_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cmath>
#include <limits>

namespace millrace::operators {

namespace {

/// One multiplication whose halves are folded: every bit of both reaches the low bits.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  const auto product =
      static_cast<unsigned __int128>(hash ^ 0x9E3779B97F4A7C15U) * (value ^ 0xD6E8FEB86659FD93U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Equal doubles have equal bits then.
double canonical(double value) {
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  return value == 0 ? 0.0 : value;
}

template <typename T, typename ToWord>
void mix_values(const Column& column, std::span<std::uint64_t> hashes, ToWord to_word) {
  const auto values = column.values<T>();
  for (std::size_t row = 0; row < hashes.size(); ++row)
    hashes[row] = mix(hashes[row], to_word(values[row]));
}

template <typename T>
bool are_equal(const Column& left, std::size_t left_row, const Column& right,
               std::size_t right_row) {
  return left.value<T>(left_row) == right.value<T>(right_row);
}

}  // namespace

void mix_hashes(const Column& column, std::span<std::uint64_t> hashes) {
  const auto number = [](auto value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return mix_values<std::uint8_t>(column, hashes, number);
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return mix_values<std::int32_t>(column, hashes, number);
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return mix_values<std::int64_t>(column, hashes, number);
    case TypeKind::kDouble:
      return mix_values<double>(column, hashes, [](double value) {
        return std::bit_cast<std::uint64_t>(canonical(value));
      });
    case TypeKind::kString:
    case TypeKind::kBytes:
      return mix_values<std::string_view>(column, hashes, [](std::string_view text) {
        return XXH3_64bits(text.data(), text.size());
      });
    case TypeKind::kDecimal:
      return mix_values<Decimal>(column, hashes, [](Decimal value) {
        return static_cast<std::uint64_t>(value.unscaled) ^
               static_cast<std::uint64_t>(value.unscaled >> 64) * 0x9E3779B97F4A7C15U;
      });
    default:
      MILLRACE_ASSERT(!"a key of arrays, structs or maps");
  }
}

bool are_keys_equal(const Column& left, std::size_t left_row, const Column& right,
                    std::size_t right_row) {
  switch (left.kind()) {
    case TypeKind::kBoolean:
      return are_equal<std::uint8_t>(left, left_row, right, right_row);
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return are_equal<std::int32_t>(left, left_row, right, right_row);
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return are_equal<std::int64_t>(left, left_row, right, right_row);
    case TypeKind::kDouble:
      return std::bit_cast<std::uint64_t>(canonical(left.value<double>(left_row))) ==
             std::bit_cast<std::uint64_t>(canonical(right.value<double>(right_row)));
    case TypeKind::kDecimal:
      return are_equal<Decimal>(left, left_row, right, right_row);
    default:
      return are_equal<std::string_view>(left, left_row, right, right_row);
  }
}

}  // namespace millrace::operators
