#pragma once

#include "millrace/data_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace millrace {

class Column;

/// One value with its type, owning its bytes: literals of expressions, tests, slow paths. Rows of
/// data live in columns instead.
struct Value {
  using Data = std::variant<std::monostate, bool, std::int32_t, std::int64_t, double, std::string,
                            Decimal, Interval, std::vector<Value>>;

  DataType type;
  /// Date in int32, timestamp in int64, bytes in string. In the vector: an array's elements, a
  /// struct's fields in the type's order, a map's keys and values in turn (k1, v1, k2, v2).
  Data data;

  Value() = default;
  Value(DataType value_type, Data value) : type(std::move(value_type)), data(std::move(value)) {}

  static Value null(DataType type = TypeKind::kNull) { return {std::move(type), std::monostate{}}; }
  static Value boolean(bool value) { return {TypeKind::kBoolean, value}; }
  static Value int32(std::int32_t value) { return {TypeKind::kInt32, value}; }
  static Value int64(std::int64_t value) { return {TypeKind::kInt64, value}; }
  static Value real(double value) { return {TypeKind::kDouble, value}; }
  static Value string(std::string value) { return {TypeKind::kString, std::move(value)}; }
  static Value bytes(std::string value) { return {TypeKind::kBytes, std::move(value)}; }
  static Value date(std::int32_t days) { return {TypeKind::kDate, days}; }
  static Value timestamp(std::int64_t microseconds) { return {TypeKind::kTimestamp, microseconds}; }
  /// From its digits and how many of them lie behind the point.
  static Value decimal(Int128 unscaled, int precision, int scale) {
    return {DataType::decimal(precision, scale), Decimal{unscaled}};
  }
  static Value interval(Interval value) { return {TypeKind::kInterval, value}; }
  static Value array(DataType element, std::vector<Value> elements);
  /// Of field names and values.
  static Value structure(std::vector<std::pair<std::string, Value>> fields);
  static Value map(DataType key, DataType value, std::vector<std::pair<Value, Value>> entries);

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data); }
  /// As SQL would write it: 'text', 1, true, null.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Value& left, const Value& right);
};

/// The value that a column holds in a row, with a copy of its bytes.
[[nodiscard]] Value value_of(const Column& column, std::size_t row);
/// Adds a row with a value of the column's type or a null. Texts stay where they are: the value
/// must outlive what is read from the column.
void append_value(Column& column, const Value& value);

}  // namespace millrace
