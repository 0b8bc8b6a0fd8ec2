#include "millrace/column.hpp"
#include "millrace/value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

// Columns of any type against the plainest model of one: a list of values.

namespace millrace {
namespace {

constexpr int kDepthMax = 3;
constexpr std::size_t kRowsMax = 70;  // more than a word of the bitmap

std::size_t below(std::size_t limit) { return *rc::gen::inRange<std::size_t>(0, limit); }

DataType any_type(int depth = 0) {
  const bool may_nest = depth < kDepthMax;
  switch (below(may_nest ? 9 : 6)) {
    case 0:
      return TypeKind::kBoolean;
    case 1:
      return TypeKind::kInt32;
    case 2:
      return TypeKind::kInt64;
    case 3:
      return TypeKind::kString;
    case 4:
      return DataType::decimal(38, 10);
    case 5:
      return TypeKind::kInterval;
    case 6:
      return DataType::array(any_type(depth + 1));
    case 7:
      return DataType::map(any_type(depth + 1), any_type(depth + 1));
    default: {
      std::vector<Field> fields;
      for (std::size_t i = below(4); i > 0; --i)
        fields.push_back({"f" + std::to_string(i), any_type(depth + 1)});
      return DataType::structure(std::move(fields));
    }
  }
}

Value any_value(const DataType& type);

std::vector<Value> any_inside(const DataType& type) {
  std::vector<Value> values;
  const std::size_t rounds = type.is(TypeKind::kStruct) ? 1 : below(4);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Field& field : type.fields()) values.push_back(any_value(field.type));
  }
  return values;
}

Value any_value(const DataType& type) {
  if (below(5) == 0) return Value::null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value::boolean(*rc::gen::arbitrary<bool>());
    case TypeKind::kInt32:
      return Value::int32(*rc::gen::arbitrary<std::int32_t>());
    case TypeKind::kInt64:
      return Value::int64(*rc::gen::arbitrary<std::int64_t>());
    case TypeKind::kString:
      return Value::string(*rc::gen::arbitrary<std::string>());
    case TypeKind::kDecimal:
      return {type, Decimal{static_cast<Int128>(*rc::gen::arbitrary<std::int64_t>()) << 40}};
    case TypeKind::kInterval:
      return Value::interval({*rc::gen::arbitrary<std::int32_t>(),
                              *rc::gen::arbitrary<std::int32_t>(),
                              *rc::gen::arbitrary<std::int64_t>()});
    default:
      return {type, any_inside(type)};
  }
}

/// A column and what it should hold. The values own the texts that the column refers to.
class Model {
 public:
  explicit Model(const DataType& type) : column_(type) {}

  void fill() {
    column_.resize(0);
    for (const Value& value : values_) append_value(column_, value);
  }
  void fill_anew() {
    values_.clear();
    for (std::size_t i = below(kRowsMax); i > 0; --i) values_.push_back(any_value(column_.type()));
    fill();
  }

  [[nodiscard]] std::vector<std::uint32_t> any_rows(bool ascending) const {
    std::vector<std::uint32_t> rows;
    if (values_.empty()) return rows;
    if (ascending) {
      for (std::uint32_t row = 0; row < values_.size(); ++row) {
        if (below(2) == 0) rows.push_back(row);
      }
      return rows;
    }
    for (std::size_t i = below(kRowsMax); i > 0; --i)
      rows.push_back(static_cast<std::uint32_t>(below(values_.size())));
    return rows;
  }

  void gather() {
    const auto rows = any_rows(true);
    column_.gather(rows);
    keep(values_, rows);
  }
  void gather_from(const Model& source) {
    const auto rows = source.any_rows(false);
    column_.gather_from(source.column_, rows);
    values_ = source.values_;
    keep(values_, rows);
  }
  void copy_from(const Model& source) {
    column_.copy_from(source.column_);
    values_ = source.values_;
  }
  void append_from(const Model& source) {
    for (const std::uint32_t row : source.any_rows(false)) {
      column_.append_from(source.column_, row);
      values_.push_back(source.values_[row]);
    }
  }
  void assign_from(const Model& source) {
    if (values_.empty()) return;
    for (const std::uint32_t from : source.any_rows(false)) {
      const std::size_t to = below(values_.size());
      column_.assign(to, source.column_, from);
      values_[to] = source.values_[from];
    }
  }
  void set_null() {
    if (values_.empty()) return;
    const std::size_t row = below(values_.size());
    column_.set_null(row);
    values_[row] = Value::null(column_.type());
  }

  void check() const {
    RC_ASSERT(column_.size() == values_.size());
    for (std::size_t row = 0; row < values_.size(); ++row)
      RC_ASSERT(value_of(column_, row).to_string() == values_[row].to_string());
  }

 private:
  static void keep(std::vector<Value>& values, const std::vector<std::uint32_t>& rows) {
    std::vector<Value> kept;
    for (const std::uint32_t row : rows) kept.push_back(values[row]);
    values = std::move(kept);
  }

  Column column_;
  std::vector<Value> values_;
};

RC_GTEST_PROP(ColumnProperty, HoldsWhatAListOfValuesWouldHold, ()) {
  const DataType type = any_type();
  Model source(type);
  source.fill_anew();
  // What a text of the column refers to is the source's: it has to stay as it is.
  Model target(type);
  for (std::size_t steps = below(8); steps > 0; --steps) {
    switch (below(6)) {
      case 0:
        target.gather();
        break;
      case 1:
        target.gather_from(source);
        break;
      case 2:
        target.copy_from(source);
        break;
      case 3:
        target.append_from(source);
        break;
      case 4:
        target.assign_from(source);
        break;
      default:
        target.set_null();
        break;
    }
    target.check();
  }
  source.check();
}

}  // namespace
}  // namespace millrace
