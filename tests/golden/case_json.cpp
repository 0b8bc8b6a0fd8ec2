#include "tests/golden/case_json.hpp"

namespace millrace::golden {

namespace {

using formats::JsonValue;

std::string shortened(const JsonValue& json) {
  constexpr std::size_t kShown = 80;
  const std::string text = json.dump();
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

[[noreturn]] void refuse(const JsonValue& json, const std::string& wanted) {
  throw MalformedCase(wanted + " is expected, and there is " + shortened(json));
}

}  // namespace

const JsonValue& member_of(const JsonValue& json, std::string_view name) {
  const JsonValue* const found = json.find(name);
  if (found == nullptr) refuse(json, "a member " + std::string(name));
  return *found;
}

const std::string& text_in(const JsonValue& json) {
  if (!json.is_string()) refuse(json, "a text");
  return json.as_string();
}

const JsonValue::Array& list_in(const JsonValue& json) {
  if (!json.is_array()) refuse(json, "an array");
  return json.as_array();
}

const JsonValue::Object& object_in(const JsonValue& json) {
  if (!json.is_object()) refuse(json, "an object");
  return json.as_object();
}

const std::string& text_member(const JsonValue& json, std::string_view name) {
  return text_in(member_of(json, name));
}

const JsonValue::Array& list_member(const JsonValue& json, std::string_view name) {
  return list_in(member_of(json, name));
}

std::int64_t integer_in(const JsonValue& json) {
  if (!json.is_integer()) throw MalformedCase("a whole number is expected, not " + json.dump());
  return json.as_integer();
}

std::int64_t integer_in(const JsonValue& json, std::string_view name) {
  return integer_in(member_of(json, name));
}

}  // namespace millrace::golden
