#pragma once

#include "millrace/column.hpp"

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace millrace::stream {

/// What holds a value of a kind in a column.
template <TypeKind kKind>
struct KindStorage;
template <>
struct KindStorage<TypeKind::kBoolean> {
  using Type = std::uint8_t;
};
template <>
struct KindStorage<TypeKind::kInt32> {
  using Type = std::int32_t;
};
template <>
struct KindStorage<TypeKind::kInt64> {
  using Type = std::int64_t;
};
template <>
struct KindStorage<TypeKind::kDouble> {
  using Type = double;
};
template <>
struct KindStorage<TypeKind::kString> {
  using Type = std::string_view;
};
template <>
struct KindStorage<TypeKind::kBytes> {
  using Type = std::string_view;
};
template <>
struct KindStorage<TypeKind::kDate> {
  using Type = std::int32_t;
};
template <>
struct KindStorage<TypeKind::kTimestamp> {
  using Type = std::int64_t;
};
template <>
struct KindStorage<TypeKind::kDecimal> {
  using Type = Decimal;
};
template <>
struct KindStorage<TypeKind::kInterval> {
  using Type = Interval;
};

template <TypeKind kKind>
using StoredAs = typename KindStorage<kKind>::Type;

/// What messages call the type of whole numbers that T holds.
template <typename T>
constexpr const char* integer_name() {
  static_assert(std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>);
  return std::is_same_v<T, std::int32_t> ? "int" : "bigint";
}

}  // namespace millrace::stream
