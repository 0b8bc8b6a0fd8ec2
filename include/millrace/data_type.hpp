#pragma once

#include "millrace/error.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// What a column holds.
enum class TypeKind : std::uint8_t {
  kNull,     ///< the type of a bare NULL literal; never the type of a stored column
  kBoolean,  ///< one byte, 0 or 1
  kInt32,
  kInt64,
  kDouble,     ///< IEEE 754 binary64
  kString,     ///< UTF-8
  kBytes,      ///< any bytes
  kDate,       ///< days since 1970-01-01, int32
  kTimestamp,  ///< µs since 1970-01-01 UTC, int64
  kDecimal,    ///< exact: a whole number of at most 38 digits, the last `scale` behind the point
  kInterval,   ///< a span of months, days and microseconds, kept apart
  kArray,      ///< any number of one element type
  kStruct,     ///< named fields
  kMap,        ///< any number of key and value pairs
};

/// The compiler's 128-bit integer, also where only standard types are welcome.
__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): for __extension__

/// The digits of a decimal; its type says how many of them lie behind the point. Of one scale,
/// decimals compare as their digits do.
struct Decimal {
  Int128 unscaled = 0;

  friend constexpr auto operator<=>(const Decimal&, const Decimal&) = default;
};

/// A span of calendar time. Months and days have no fixed length, so the three do not flow into
/// each other.
struct Interval {
  std::int32_t months = 0;
  std::int32_t days = 0;
  std::int64_t microseconds = 0;

  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

struct Field;

/// The type of a column: a kind with precision and scale for decimals, and with the types inside
/// for arrays, structs and maps. An immutable value; copying is cheap (a shared pointer at most).
/// Thread-safe.
class DataType {
 public:
  static constexpr int kPrecisionMax = 38;

  constexpr DataType() = default;
  /// A type that its kind alone describes: not kDecimal, kArray, kStruct or kMap.
  DataType(TypeKind kind);  // NOLINT(google-explicit-constructor): a kind is a type

  /// Numbers of `precision` digits (1 to 38), the last `scale` of them (0 to precision) behind the
  /// point.
  static DataType decimal(int precision, int scale);
  static DataType array(DataType element);
  static DataType structure(std::vector<Field> fields);
  static DataType map(DataType key, DataType value);

  [[nodiscard]] TypeKind kind() const { return kind_; }
  [[nodiscard]] bool is(TypeKind kind) const { return kind_ == kind; }
  /// Of a decimal; 0 for other kinds.
  [[nodiscard]] int precision() const { return precision_; }
  [[nodiscard]] int scale() const { return scale_; }
  /// The children: an array's element (named "element"), a struct's fields, a map's "key" and
  /// "value", else none.
  [[nodiscard]] const std::vector<Field>& fields() const;
  /// True for arrays, structs and maps.
  [[nodiscard]] bool is_nested() const { return fields_ != nullptr; }
  /// The SQL spelling, which `parse_type` reads: "bigint", "decimal(10,2)",
  /// "array<struct<key: string, value: bytes>>", "map<string, int>".
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const DataType& left, const DataType& right);

 private:
  TypeKind kind_ = TypeKind::kNull;
  std::uint8_t precision_ = 0;
  std::uint8_t scale_ = 0;
  std::shared_ptr<const std::vector<Field>> fields_;
};

/// A named, typed column of a schema or field of a struct.
struct Field {
  std::string name;
  DataType type;

  friend bool operator==(const Field&, const Field&) = default;
};

/// Bytes that one row takes in a column's value buffer (0 for structs, whose children hold it all).
[[nodiscard]] std::size_t width_of(TypeKind kind);

/// True for int32, int64, double and decimal.
[[nodiscard]] bool is_numeric(TypeKind kind);

/// Reads a type as `to_string` writes it and as SQL spells it, in any case: "BIGINT", "text",
/// "double precision", "numeric(10, 2)", "int[]", "array<int>", "map<string, int>",
/// "struct<a int, "b c": string>". decimal without numbers is decimal(10,0). Anything else gives
/// kInvalidArgument with what is wrong, unknown names with the accepted ones.
[[nodiscard]] Result<DataType> parse_type(std::string_view name);

}  // namespace millrace
