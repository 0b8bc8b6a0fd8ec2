#pragma once

#include "millrace/data_type.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace millrace {

/// One scalar with its type: a literal, a table cell, an expected value in a test. Null is
/// std::monostate under any type. A plain value.
struct Value {
  using Data = std::variant<std::monostate, bool, std::int32_t, std::int64_t, double, std::string>;

  DataType type;
  Data data;  ///< date in int32, timestamp in int64, bytes in string

  Value() = default;
  Value(DataType value_type, Data value) : type(std::move(value_type)), data(std::move(value)) {}

  static Value null(DataType type = TypeKind::kNull) { return {std::move(type), std::monostate{}}; }
  static Value boolean(bool value) { return {TypeKind::kBoolean, value}; }
  static Value int32(std::int32_t value) { return {TypeKind::kInt32, value}; }
  static Value int64(std::int64_t value) { return {TypeKind::kInt64, value}; }
  static Value real(double value) { return {TypeKind::kDouble, value}; }
  static Value string(std::string value) { return {TypeKind::kString, std::move(value)}; }

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data); }
  /// As SQL would write it: 'text', 1, true, null.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Value&, const Value&) = default;
};

}  // namespace millrace
