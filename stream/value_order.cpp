#include "stream/value_order.hpp"

#include "stream/calendar.hpp"
#include "stream/decimal.hpp"

#include <algorithm>

namespace millrace::stream {

namespace {

std::weak_ordering compare_doubles(double left, double right) {
  const bool left_is_nan = left != left;
  const bool right_is_nan = right != right;
  if (left_is_nan || right_is_nan) return left_is_nan <=> right_is_nan;
  if (left < right) return std::weak_ordering::less;
  return left > right ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

std::weak_ordering compare_arrays(const Column& left, std::size_t left_row, const Column& right,
                                  std::size_t right_row) {
  const auto a = left.value<ListEntry>(left_row);
  const auto b = right.value<ListEntry>(right_row);
  for (std::uint32_t i = 0; i < std::min(a.length, b.length); ++i) {
    const auto order = compare_nullable(left.child(0), a.offset + i, right.child(0), b.offset + i);
    if (order != 0) return order;
  }
  return a.length <=> b.length;
}

std::weak_ordering compare_structs(const Column& left, std::size_t left_row, const Column& right,
                                   std::size_t right_row) {
  for (std::size_t i = 0; i < left.child_count(); ++i) {
    const auto order = compare_nullable(left.child(i), left_row, right.child(i), right_row);
    if (order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

template <typename T>
std::weak_ordering compare_as(const Column& left, std::size_t left_row, const Column& right,
                              std::size_t right_row) {
  return left.value<T>(left_row) <=> right.value<T>(right_row);
}

bool all_inside(const DataType& type, bool (*holds)(const DataType&)) {
  return std::ranges::all_of(type.fields(),
                             [holds](const Field& field) { return holds(field.type); });
}

}  // namespace

bool has_order(const DataType& type) {
  return !type.is(TypeKind::kMap) && all_inside(type, has_order);
}

bool has_equality(const DataType& type) {
  return !type.is(TypeKind::kMap) && all_inside(type, has_equality);
}

Int128 length_of(const Interval& interval) {
  constexpr std::int64_t kDaysPerMonth = 30;
  const std::int64_t days = interval.months * kDaysPerMonth + interval.days;
  return Int128{days} * kMicrosPerDay + interval.microseconds;
}

std::weak_ordering compare_values(const Column& left, std::size_t left_row, const Column& right,
                                  std::size_t right_row) {
  switch (left.kind()) {
    case TypeKind::kNull:
    case TypeKind::kBoolean:
      return compare_as<std::uint8_t>(left, left_row, right, right_row);
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return compare_as<std::int32_t>(left, left_row, right, right_row);
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return compare_as<std::int64_t>(left, left_row, right, right_row);
    case TypeKind::kDouble:
      return compare_doubles(left.value<double>(left_row), right.value<double>(right_row));
    case TypeKind::kString:
    case TypeKind::kBytes:
      return compare_as<std::string_view>(left, left_row, right, right_row);
    case TypeKind::kDecimal:
      return compare({left.value<Decimal>(left_row), left.type().scale()},
                     {right.value<Decimal>(right_row), right.type().scale()});
    case TypeKind::kInterval:
      return length_of(left.value<Interval>(left_row)) <=>
             length_of(right.value<Interval>(right_row));
    case TypeKind::kArray:
    case TypeKind::kMap:
      return compare_arrays(left, left_row, right, right_row);
    case TypeKind::kStruct:
      return compare_structs(left, left_row, right, right_row);
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering compare_nullable(const Column& left, std::size_t left_row, const Column& right,
                                    std::size_t right_row) {
  const bool left_is_there = !left.is_null(left_row);
  const bool right_is_there = !right.is_null(right_row);
  if (!left_is_there || !right_is_there) return left_is_there <=> right_is_there;
  return compare_values(left, left_row, right, right_row);
}

}  // namespace millrace::stream
