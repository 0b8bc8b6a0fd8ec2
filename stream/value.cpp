#include "millrace/value.hpp"

#include "millrace/column.hpp"

#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"

#include <string_view>

namespace millrace {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c;
  }
  return result + "'";
}

std::string hexadecimal(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result = "x'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result + "'";
}

std::string nested_text(const DataType& type, const std::vector<Value>& values) {
  std::string text = type.is(TypeKind::kArray)    ? "array["
                     : type.is(TypeKind::kStruct) ? "row("
                                                  : "map(";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ", ";
    text += values[i].to_string();
  }
  return text + (type.is(TypeKind::kArray) ? "]" : ")");
}

std::vector<Value> nested_values(const Column& column, std::size_t row) {
  std::vector<Value> values;
  if (column.kind() == TypeKind::kStruct) {
    for (std::size_t i = 0; i < column.child_count(); ++i)
      values.push_back(value_of(column.child(i), row));
    return values;
  }
  const ListEntry entry = column.value<ListEntry>(row);
  for (std::uint32_t element = 0; element < entry.length; ++element) {
    for (std::size_t i = 0; i < column.child_count(); ++i)
      values.push_back(value_of(column.child(i), entry.offset + element));
  }
  return values;
}

void append_nested(Column& column, const std::vector<Value>& values) {
  const std::size_t children = column.child_count();
  if (column.kind() == TypeKind::kStruct) {
    for (std::size_t i = 0; i < children; ++i) append_value(column.child(i), values[i]);
    return column.append_struct();
  }
  const ListEntry entry{static_cast<std::uint32_t>(column.child(0).size()),
                        static_cast<std::uint32_t>(values.size() / children)};
  for (std::size_t i = 0; i < values.size(); ++i)
    append_value(column.child(i % children), values[i]);
  column.append(entry);
}

}  // namespace

Value Value::array(DataType element, std::vector<Value> elements) {
  return {DataType::array(std::move(element)), std::move(elements)};
}

Value Value::structure(std::vector<std::pair<std::string, Value>> fields) {
  std::vector<Field> types;
  std::vector<Value> values;
  for (auto& [name, value] : fields) {
    types.push_back({std::move(name), value.type});
    values.push_back(std::move(value));
  }
  return {DataType::structure(std::move(types)), std::move(values)};
}

Value Value::map(DataType key, DataType value, std::vector<std::pair<Value, Value>> entries) {
  std::vector<Value> values;
  for (auto& [entry_key, entry_value] : entries) {
    values.push_back(std::move(entry_key));
    values.push_back(std::move(entry_value));
  }
  return {DataType::map(std::move(key), std::move(value)), std::move(values)};
}

std::string Value::to_string() const {
  if (const auto* truth = std::get_if<bool>(&data)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int32_t>(&data)) {
    if (type.is(TypeKind::kDate)) return "date '" + stream::date_text(*number) + "'";
    return std::to_string(*number);
  }
  if (const auto* number = std::get_if<std::int64_t>(&data)) {
    if (type.is(TypeKind::kTimestamp)) return "timestamp '" + stream::timestamp_text(*number) + "'";
    return std::to_string(*number);
  }
  if (const auto* number = std::get_if<double>(&data)) return stream::double_text(*number);
  if (const auto* number = std::get_if<Decimal>(&data))
    return stream::decimal_text(*number, type.scale());
  if (const auto* span = std::get_if<Interval>(&data))
    return "interval '" + stream::interval_text(*span) + "'";
  if (const auto* text = std::get_if<std::string>(&data))
    return type.is(TypeKind::kBytes) ? hexadecimal(*text) : quoted(*text);
  if (const auto* values = std::get_if<std::vector<Value>>(&data))
    return nested_text(type, *values);
  return "null";
}

bool operator==(const Value& left, const Value& right) {
  return left.type == right.type && left.data == right.data;
}

Value value_of(const Column& column, std::size_t row) {
  if (column.is_null(row)) return Value::null(column.type());
  switch (column.kind()) {
    case TypeKind::kNull:
      return Value::null();
    case TypeKind::kBoolean:
      return Value::boolean(column.value<std::uint8_t>(row) != 0);
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return {column.type(), column.value<std::int32_t>(row)};
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return {column.type(), column.value<std::int64_t>(row)};
    case TypeKind::kDouble:
      return Value::real(column.value<double>(row));
    case TypeKind::kString:
    case TypeKind::kBytes:
      return {column.type(), std::string(column.text(row))};
    case TypeKind::kDecimal:
      return {column.type(), column.value<Decimal>(row)};
    case TypeKind::kInterval:
      return {column.type(), column.value<Interval>(row)};
    case TypeKind::kArray:
    case TypeKind::kStruct:
    case TypeKind::kMap:
      return {column.type(), nested_values(column, row)};
  }
  return {};
}

void append_value(Column& column, const Value& value) {
  if (value.is_null()) return column.append_null();
  MILLRACE_DEBUG_ASSERT(value.type == column.type());
  std::visit(
      [&column]<typename T>(const T& data) {
        if constexpr (std::is_same_v<T, std::string>)
          column.append(std::string_view(data));
        else if constexpr (std::is_same_v<T, bool>)
          column.append(static_cast<std::uint8_t>(data));
        else if constexpr (std::is_same_v<T, std::vector<Value>>)
          append_nested(column, data);
        else if constexpr (!std::is_same_v<T, std::monostate>)
          column.append(data);
      },
      value.data);
}

}  // namespace millrace
