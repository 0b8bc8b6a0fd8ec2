#include "millrace/value.hpp"

#include "stream/scalar_text.hpp"

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

}  // namespace

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
  if (const auto* text = std::get_if<std::string>(&data))
    return type.is(TypeKind::kBytes) ? hexadecimal(*text) : quoted(*text);
  return "null";
}

}  // namespace millrace
