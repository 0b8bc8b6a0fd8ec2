#include "millrace/data_type.hpp"

#include "millrace/assert.hpp"
#include "millrace/column.hpp"

#include <utility>

namespace millrace {

DataType::DataType(TypeKind kind) : kind_(kind) {
  MILLRACE_ASSERT(kind != TypeKind::kDecimal && kind != TypeKind::kArray &&
                  kind != TypeKind::kStruct && kind != TypeKind::kMap);
}

DataType DataType::decimal(int precision, int scale) {
  MILLRACE_ASSERT(precision >= 1 && precision <= kPrecisionMax && scale >= 0 && scale <= precision);
  DataType type;
  type.kind_ = TypeKind::kDecimal;
  type.precision_ = static_cast<std::uint8_t>(precision);
  type.scale_ = static_cast<std::uint8_t>(scale);
  return type;
}

DataType DataType::array(DataType element) {
  DataType type;
  type.kind_ = TypeKind::kArray;
  type.fields_ = std::make_shared<const std::vector<Field>>(
      std::vector<Field>{Field{"element", std::move(element)}});
  return type;
}

DataType DataType::structure(std::vector<Field> fields) {
  DataType type;
  type.kind_ = TypeKind::kStruct;
  type.fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
  return type;
}

DataType DataType::map(DataType key, DataType value) {
  DataType type;
  type.kind_ = TypeKind::kMap;
  type.fields_ = std::make_shared<const std::vector<Field>>(
      std::vector<Field>{Field{"key", std::move(key)}, Field{"value", std::move(value)}});
  return type;
}

const std::vector<Field>& DataType::fields() const {
  static const std::vector<Field> none;
  return fields_ ? *fields_ : none;
}

bool operator==(const DataType& left, const DataType& right) {
  if (left.kind_ != right.kind_ || left.precision_ != right.precision_ ||
      left.scale_ != right.scale_)
    return false;
  return left.fields_ == right.fields_ || left.fields() == right.fields();
}

std::size_t width_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kNull:
    case TypeKind::kBoolean:
      return 1;
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return sizeof(std::int32_t);
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return sizeof(std::int64_t);
    case TypeKind::kDouble:
      return sizeof(double);
    case TypeKind::kString:
    case TypeKind::kBytes:
      return sizeof(std::string_view);
    case TypeKind::kDecimal:
      return sizeof(Decimal);
    case TypeKind::kInterval:
      return sizeof(Interval);
    case TypeKind::kArray:
    case TypeKind::kMap:
      return sizeof(ListEntry);
    case TypeKind::kStruct:
      return 0;
  }
  return 0;
}

bool is_numeric(TypeKind kind) {
  return kind == TypeKind::kInt32 || kind == TypeKind::kInt64 || kind == TypeKind::kDouble ||
         kind == TypeKind::kDecimal;
}

}  // namespace millrace
