#pragma once

#include "millrace/assert.hpp"
#include "millrace/data_type.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace millrace {

/// Where an array's elements, or a map's keys and values, lie in the column's children.
struct ListEntry {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

/// One typed column: a contiguous value buffer, a validity bitmap (bit set = present), and child
/// columns for arrays, structs and maps.
///
///   kind              value of a row (C++ type)
///   boolean           std::uint8_t, 0 or 1
///   int32, date       std::int32_t
///   int64, timestamp  std::int64_t
///   double            double
///   string, bytes     std::string_view into the batch's arena, a static table or a literal
///   decimal           Decimal
///   interval          Interval
///   array             ListEntry into child(0), whose rows are elements
///   map               ListEntry into child(0), the keys, and child(1), the values
///   struct            none; child(i) holds field i at the same row
///
/// The value under a null is unspecified but readable (a string_view there is never wild, a
/// ListEntry lies within the children). The fields of a null struct need not be null themselves.
/// Memory is kept across `resize`, so a recycled column does not allocate. Move-only; not
/// thread-safe.
class Column {
 public:
  explicit Column(DataType type);
  Column(Column&&) noexcept = default;
  Column& operator=(Column&&) noexcept = default;
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() = default;

  [[nodiscard]] const DataType& type() const { return type_; }
  [[nodiscard]] TypeKind kind() const { return type_.kind(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Sets the number of rows; every row becomes present with an unspecified value; children of a
  /// struct follow; of arrays and maps every row and the children become empty.
  void resize(std::size_t rows);
  /// Sets the number of rows to at most as many as were appended since the last `resize(0)`: they
  /// are as they were then. For a column that is filled once and shown in several sizes.
  void restore(std::size_t rows);

  /// The value buffer; T must be the kind's C++ type.
  template <typename T>
  [[nodiscard]] std::span<T> values() {
    MILLRACE_DEBUG_ASSERT(sizeof(T) == width_);
    return {reinterpret_cast<T*>(data_.get()), size_};
  }
  template <typename T>
  [[nodiscard]] std::span<const T> values() const {
    MILLRACE_DEBUG_ASSERT(sizeof(T) == width_);
    return {reinterpret_cast<const T*>(data_.get()), size_};
  }
  template <typename T>
  [[nodiscard]] const T& value(std::size_t row) const {
    return values<T>()[row];
  }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    return value<std::string_view>(row);
  }

  /// False promises that no row is null; true says only that one may be.
  [[nodiscard]] bool may_have_nulls() const { return may_have_nulls_; }
  [[nodiscard]] bool is_null(std::size_t row) const {
    return may_have_nulls_ && ((validity_[row / 64] >> (row % 64)) & 1U) == 0;
  }
  void set_null(std::size_t row);
  /// Makes every row null.
  void set_all_null();
  /// Bitmap words, valid when may_have_nulls(); bits past size() are unspecified.
  [[nodiscard]] std::span<const std::uint64_t> validity() const { return validity_; }
  /// The same for writing: marks the column as one that may have nulls, all rows as they were.
  std::span<std::uint64_t> mutable_validity();
  /// Takes over which rows are null from a column of the same size.
  void copy_validity(const Column& source);

  [[nodiscard]] std::size_t child_count() const { return children_.size(); }
  [[nodiscard]] Column& child(std::size_t index) { return children_[index]; }
  [[nodiscard]] const Column& child(std::size_t index) const { return children_[index]; }

  /// Adds one row at the end (slow path and tests; growing keeps earlier rows and nulls).
  template <typename T>
  void append(const T& value) {
    grow_by_one();
    values<T>()[size_ - 1] = value;
  }
  void append_null() {
    grow_by_one();
    set_null(size_ - 1);
  }
  /// Adds one row to a struct whose fields have got theirs already.
  void append_struct() { grow_by_one(); }
  /// Adds one row that is a copy of `source`'s row; strings are not copied, views are.
  void append_from(const Column& source, std::size_t row);
  /// Makes a row a copy of `source`'s, null or not. Elements that the row of an array or map had
  /// before stay in the children, where nothing refers to them.
  void assign(std::size_t row, const Column& source, std::size_t source_row);

  /// Keeps only the named rows, in place. `rows` ascends strictly.
  void gather(std::span<const std::uint32_t> rows);
  /// Becomes source[rows[0]], source[rows[1]], ... (any order, repeats allowed). Types are equal.
  /// String views are copied, not bytes; of children only what these rows refer to.
  void gather_from(const Column& source, std::span<const std::uint32_t> rows);
  /// Becomes a copy of `source`, of the same type. String views are copied, not bytes.
  void copy_from(const Column& source);

 private:
  void grow_by_one();
  void reserve(std::size_t rows);
  [[nodiscard]] std::size_t elements_end() const;
  void copy_elements(std::size_t row, const Column& source, std::size_t source_row);
  void gather_elements(const Column& source);

  DataType type_;
  std::size_t width_ = 0;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool may_have_nulls_ = false;
  std::unique_ptr<std::byte[]> data_;
  std::vector<std::uint64_t> validity_;
  std::vector<Column> children_;
  std::vector<std::uint32_t> element_rows_;  ///< scratch of gather_from
};

}  // namespace millrace
