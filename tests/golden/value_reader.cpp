#include "tests/golden/value_reader.hpp"

#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"
#include "tests/golden/case_json.hpp"

#include <algorithm>
#include <optional>

namespace millrace::golden {

namespace {

using formats::JsonValue;

tl::unexpected<Error> not_a(const DataType& type, const JsonValue& json) {
  return fail(ErrorCode::kInvalidArgument, json.dump() + " is no " + type.to_string());
}

std::optional<std::string> bytes_of(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) / 16];
    text += kDigits[static_cast<unsigned char>(byte) % 16];
  }
  return text;
}

std::optional<Value> read_number(const JsonValue& json, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      if (json.is_boolean()) return Value::boolean(json.as_boolean());
      return std::nullopt;
    case TypeKind::kInt32:
      if (json.is_integer() && json.as_integer() == static_cast<std::int32_t>(json.as_integer()))
        return Value::int32(static_cast<std::int32_t>(json.as_integer()));
      return std::nullopt;
    case TypeKind::kInt64:
      if (json.is_integer()) return Value::int64(json.as_integer());
      return std::nullopt;
    default:
      if (json.is_number()) return Value::real(json.as_number());
      if (!json.is_string()) return std::nullopt;
      if (const auto number = stream::read_double(json.as_string())) return Value::real(*number);
      return std::nullopt;
  }
}

template <typename T>
std::optional<Value> as_value(const DataType& type, const std::optional<T>& read) {
  if (!read) return std::nullopt;
  return Value(type, *read);
}

std::optional<Value> read_text(const std::string& text, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kString:
      return Value::string(text);
    case TypeKind::kBytes:
      return as_value(type, bytes_of(text));
    case TypeKind::kDate:
      return as_value(type, stream::read_date(text));
    case TypeKind::kTimestamp:
      return as_value(type, stream::read_timestamp(text));
    case TypeKind::kDecimal:
      return as_value(type, stream::read_decimal(text, type.precision(), type.scale()));
    case TypeKind::kInterval:
      return as_value(type, stream::read_interval(text));
    default:
      return std::nullopt;
  }
}

Result<Value> read_array(const JsonValue& json, const DataType& type) {
  if (!json.is_array()) return not_a(type, json);
  std::vector<Value> elements;
  for (const JsonValue& one : json.as_array()) {
    MILLRACE_ASSIGN(Value element, read_value(one, type.fields()[0].type));
    elements.push_back(std::move(element));
  }
  return Value(type, std::move(elements));
}

Result<Value> read_struct(const JsonValue& json, const DataType& type) {
  if (!json.is_object() || json.size() != type.fields().size()) return not_a(type, json);
  std::vector<Value> values;
  for (const Field& field : type.fields()) {
    const JsonValue* const member = json.find(field.name);
    if (member == nullptr) return not_a(type, json);
    MILLRACE_ASSIGN(Value value, read_value(*member, field.type));
    values.push_back(std::move(value));
  }
  return Value(type, std::move(values));
}

Result<Value> read_map(const JsonValue& json, const DataType& type) {
  if (!json.is_array()) return not_a(type, json);
  std::vector<Value> entries;
  for (const JsonValue& entry : json.as_array()) {
    if (!entry.is_array() || entry.size() != 2) return not_a(type, json);
    for (std::size_t i = 0; i < 2; ++i) {
      MILLRACE_ASSIGN(Value part, read_value(entry.as_array()[i], type.fields()[i].type));
      entries.push_back(std::move(part));
    }
  }
  return Value(type, std::move(entries));
}

// Any bytes, so not by the JSON writer, which wants UTF-8.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (static_cast<unsigned char>(letter) < ' ')
      result += "\\u00" + hex_of({&letter, 1});
    else
      result += letter;
  }
  return result + "\"";
}

std::string joined(const std::vector<std::string>& parts, char open, char close) {
  std::string text(1, open);
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  return text + close;
}

std::string nested_text(const Value& value) {
  const auto& inner = std::get<std::vector<Value>>(value.data);
  const auto& fields = value.type.fields();
  std::vector<std::string> parts;
  switch (value.type.kind()) {
    case TypeKind::kStruct:
      for (std::size_t i = 0; i < inner.size(); ++i)
        parts.push_back(quoted(fields[i].name) + ": " + golden_text(inner[i]));
      return joined(parts, '{', '}');
    case TypeKind::kMap:
      for (std::size_t i = 0; i + 1 < inner.size(); i += 2)
        parts.push_back("[" + golden_text(inner[i]) + ", " + golden_text(inner[i + 1]) + "]");
      std::ranges::sort(parts);
      return joined(parts, '[', ']');
    default:
      for (const Value& element : inner) parts.push_back(golden_text(element));
      return joined(parts, '[', ']');
  }
}

}  // namespace

Result<DataType> read_type(std::string_view text) {
  if (text == "void") return DataType(TypeKind::kNull);
  auto type = parse_type(text);
  if (type) return type;
  return fail(ErrorCode::kNotSupported, "type " + std::string(text) + " is not built");
}

Result<Value> read_value(const JsonValue& json, const DataType& type) {
  if (json.is_null()) return Value::null(type);
  std::optional<Value> value;
  switch (type.kind()) {
    case TypeKind::kArray:
      return read_array(json, type);
    case TypeKind::kStruct:
      return read_struct(json, type);
    case TypeKind::kMap:
      return read_map(json, type);
    case TypeKind::kBoolean:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kDouble:
      value = read_number(json, type);
      break;
    default:
      if (json.is_string()) value = read_text(json.as_string(), type);
  }
  if (!value) return not_a(type, json);
  return std::move(*value);
}

Result<std::vector<Field>> read_schema(const JsonValue& json) {
  std::vector<Field> fields;
  for (const JsonValue& column : list_in(json)) {
    if (list_in(column).size() < 2) throw MalformedCase("a column of a schema is [name, type]");
    MILLRACE_ASSIGN(DataType type, read_type(text_in(column.as_array()[1])));
    fields.push_back({text_in(column.as_array()[0]), std::move(type)});
  }
  return fields;
}

Result<std::vector<Row>> read_rows(const JsonValue& json, const std::vector<Field>& columns) {
  std::vector<Row> rows;
  for (const JsonValue& row : list_in(json)) {
    if (!row.is_array() || row.size() != columns.size())
      return fail(ErrorCode::kInvalidArgument,
                  row.dump() + " is no row of " + std::to_string(columns.size()) + " columns");
    Row values;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      MILLRACE_ASSIGN(Value value, read_value(row.as_array()[i], columns[i].type));
      values.push_back(std::move(value));
    }
    rows.push_back(std::move(values));
  }
  return rows;
}

std::string golden_text(const Value& value) {
  if (value.is_null()) return "null";
  switch (value.type.kind()) {
    case TypeKind::kBytes:
      return quoted(hex_of(std::get<std::string>(value.data)));
    case TypeKind::kString:
      return quoted(std::get<std::string>(value.data));
    case TypeKind::kDouble:
      return stream::double_text(std::get<double>(value.data));
    case TypeKind::kDate:
      return stream::date_text(std::get<std::int32_t>(value.data));
    case TypeKind::kTimestamp:
      return stream::timestamp_text(std::get<std::int64_t>(value.data));
    case TypeKind::kDecimal:
      return stream::decimal_text(std::get<Decimal>(value.data), value.type.scale());
    case TypeKind::kArray:
    case TypeKind::kStruct:
    case TypeKind::kMap:
      return nested_text(value);
    default:
      return value.to_string();
  }
}

std::string golden_text(const Row& row) {
  std::vector<std::string> parts;
  for (const Value& value : row) parts.push_back(golden_text(value));
  return joined(parts, '[', ']');
}

}  // namespace millrace::golden
