#pragma once

#include "formats/json_document.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// Reading a case that somebody else wrote: what is missing or of another kind ends the case with
// words, never the runner.

namespace millrace::golden {

/// Thrown by the readers below; run_case makes a verdict of it.
class MalformedCase : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The member of that name.
[[nodiscard]] const formats::JsonValue& member_of(const formats::JsonValue& json,
                                                  std::string_view name);
/// The value as a text, an array, or an object.
[[nodiscard]] const std::string& text_in(const formats::JsonValue& json);
[[nodiscard]] const formats::JsonValue::Array& list_in(const formats::JsonValue& json);
[[nodiscard]] const formats::JsonValue::Object& object_in(const formats::JsonValue& json);
/// The value as a whole number; the member of that name as one.
[[nodiscard]] std::int64_t integer_in(const formats::JsonValue& json);
[[nodiscard]] std::int64_t integer_in(const formats::JsonValue& json, std::string_view name);
/// The member of that name, as a text or an array.
[[nodiscard]] const std::string& text_member(const formats::JsonValue& json, std::string_view name);
[[nodiscard]] const formats::JsonValue::Array& list_member(const formats::JsonValue& json,
                                                           std::string_view name);

}  // namespace millrace::golden
