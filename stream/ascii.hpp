#pragma once

#include <algorithm>
#include <string>
#include <string_view>

// Letters and digits of ASCII, by no locale: keywords, names of columns, options and units. Text
// that people wrote has letter_case.hpp.

namespace millrace::stream {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

constexpr bool is_letter(char c) { return lower_letter(c) >= 'a' && lower_letter(c) <= 'z'; }

inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_letter(c);
  return result;
}

constexpr bool equals_ignoring_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower_letter, lower_letter);
}

constexpr bool starts_ignoring_case(std::string_view text, std::string_view begin) {
  return text.size() >= begin.size() && equals_ignoring_case(text.substr(0, begin.size()), begin);
}

}  // namespace millrace::stream
