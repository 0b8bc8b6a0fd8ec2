#include "operators/key_hash.hpp"

#include "stream/value_order.hpp"
#include "stream/xx_hash.hpp"

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

std::uint64_t word_of(Int128 value) {
  return static_cast<std::uint64_t>(value) ^
         static_cast<std::uint64_t>(value >> 64) * 0x9E3779B97F4A7C15U;
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

void mix_row(const Column& column, std::size_t row, std::uint64_t& hash);

/// A null inside of a key is equal to another one.
void mix_inside(const Column& column, std::size_t row, std::uint64_t& hash) {
  constexpr std::uint64_t kNull = 0x5851F42D4C957F2D;
  if (column.is_null(row))
    hash = mix(hash, kNull);
  else
    mix_row(column, row, hash);
}

/// One row of any type, the slow way: keys of arrays and structs.
void mix_row(const Column& column, std::size_t row, std::uint64_t& hash) {
  switch (column.kind()) {
    case TypeKind::kNull:
    case TypeKind::kBoolean:
      return void(hash = mix(hash, column.value<std::uint8_t>(row)));
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return void(hash = mix(hash, static_cast<std::uint64_t>(column.value<std::int32_t>(row))));
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return void(hash = mix(hash, static_cast<std::uint64_t>(column.value<std::int64_t>(row))));
    case TypeKind::kDouble:
      return void(
          hash = mix(hash, std::bit_cast<std::uint64_t>(canonical(column.value<double>(row)))));
    case TypeKind::kString:
    case TypeKind::kBytes:
      return void(hash = mix(hash, stream::xxh3(column.text(row))));
    case TypeKind::kDecimal:
      return void(hash = mix(hash, word_of(column.value<Decimal>(row).unscaled)));
    case TypeKind::kInterval:
      return void(hash = mix(hash, word_of(stream::length_of(column.value<Interval>(row)))));
    case TypeKind::kStruct:
      for (std::size_t i = 0; i < column.child_count(); ++i) mix_inside(column.child(i), row, hash);
      return;
    case TypeKind::kArray:
    case TypeKind::kMap: {
      const auto entry = column.value<ListEntry>(row);
      hash = mix(hash, entry.length);
      for (std::uint32_t i = 0; i < entry.length; ++i)
        mix_inside(column.child(0), entry.offset + i, hash);
      return;
    }
  }
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
      return mix_values<std::string_view>(column, hashes,
                                          [](std::string_view text) { return stream::xxh3(text); });
    case TypeKind::kDecimal:
      return mix_values<Decimal>(column, hashes,
                                 [](Decimal value) { return word_of(value.unscaled); });
    default:
      MILLRACE_ASSERT(stream::has_equality(column.type()));
      for (std::size_t row = 0; row < hashes.size(); ++row) mix_row(column, row, hashes[row]);
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
    case TypeKind::kString:
    case TypeKind::kBytes:
      return are_equal<std::string_view>(left, left_row, right, right_row);
    default:
      return stream::compare_values(left, left_row, right, right_row) == 0;
  }
}

void level_null_hashes(const Column& column, std::span<std::uint64_t> hashes) {
  constexpr std::uint64_t kNullHash = 0x2545F4914F6CDD1DU;
  if (!column.may_have_nulls()) return;
  for (std::size_t row = 0; row < hashes.size(); ++row)
    if (column.is_null(row)) hashes[row] = kNullHash;
}

bool are_keys_same(const Column& left, std::size_t left_row, const Column& right,
                   std::size_t right_row) {
  const bool is_left_null = left.is_null(left_row), is_right_null = right.is_null(right_row);
  if (is_left_null || is_right_null) return is_left_null && is_right_null;
  return are_keys_equal(left, left_row, right, right_row);
}

}  // namespace millrace::operators
