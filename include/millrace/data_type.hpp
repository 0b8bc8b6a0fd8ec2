#pragma once

#include "millrace/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// What a column holds. Decimal, interval and map join with the wider expression library.
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
  kArray,      ///< any number of one element type
  kStruct,     ///< named fields
};

struct Field;

/// The type of a column: a kind and, for arrays and structs, the types inside. An immutable value;
/// copying is cheap (a shared pointer at most). Thread-safe.
class DataType {
 public:
  constexpr DataType() = default;
  /// A type without children. `kind` is neither kArray nor kStruct.
  DataType(TypeKind kind);  // NOLINT(google-explicit-constructor): a kind is a type

  static DataType array(DataType element);
  static DataType structure(std::vector<Field> fields);

  [[nodiscard]] TypeKind kind() const { return kind_; }
  [[nodiscard]] bool is(TypeKind kind) const { return kind_ == kind; }
  /// The children: an array's element (named "element"), a struct's fields, else none.
  [[nodiscard]] const std::vector<Field>& fields() const;
  /// The SQL spelling: "bigint", "array<struct<key: string, value: bytes>>".
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const DataType& left, const DataType& right);

 private:
  TypeKind kind_ = TypeKind::kNull;
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

/// True for int32, int64 and double.
[[nodiscard]] bool is_numeric(TypeKind kind);

/// Reads a type without children from its SQL name in any case ("BIGINT", "double precision",
/// "text", "timestamp"). Unknown names give kInvalidArgument with the accepted ones.
[[nodiscard]] Result<DataType> parse_type(std::string_view name);

}  // namespace millrace
