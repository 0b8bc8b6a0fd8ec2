#include "stream/functions/json_cursor.hpp"

#include "stream/ascii.hpp"
#include "stream/scalar_text.hpp"
#include "stream/utf8.hpp"

#include <array>
#include <cctype>

namespace millrace::stream {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What an escape of one letter stands for; 0 if it is none.
char escaped_byte(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
    case '/':
    case '\'':
      return letter;
    default:
      return '\0';
  }
}

constexpr bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

void add_character(char32_t character, std::string& text) {
  std::array<char, 4> bytes;
  text.append(bytes.data(), write_character(character, bytes.data()));
}

}  // namespace

char JsonCursor::peek() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonCursor::take(char token) {
  if (peek() != token || at_ == text_.size()) return false;
  ++at_;
  return true;
}

bool JsonCursor::take_word(std::string_view word) {
  (void)peek();
  if (!text_.substr(at_).starts_with(word)) return false;
  const std::size_t end = at_ + word.size();
  if (end < text_.size() && is_word_part(text_[end])) return false;
  at_ = end;
  return true;
}

std::size_t JsonCursor::pass_digits() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  return at_ - begin;
}

bool JsonCursor::read_number(std::string_view& number, bool& is_integer) {
  (void)peek();
  const std::size_t begin = at_;
  const auto passes = [this](char c) {
    return at_ < text_.size() && text_[at_] == c && ++at_ != 0;
  };
  passes('-');
  const bool has_zero = at_ < text_.size() && text_[at_] == '0';
  const std::size_t digits = pass_digits();
  if (digits == 0 || (has_zero && digits > 1)) return false;
  is_integer = true;
  if (passes('.')) {
    is_integer = false;
    if (pass_digits() == 0) return false;
  }
  if (passes('e') || passes('E')) {
    is_integer = false;
    if (!passes('+')) passes('-');
    if (pass_digits() == 0) return false;
  }
  number = text_.substr(begin, at_ - begin);
  return at_ == text_.size() || !is_word_part(text_[at_]);
}

bool JsonCursor::read_unit(char32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    if (at_ == text_.size()) return false;
    const char c = text_[at_];
    const auto letter = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (letter < 'a' || letter > 'f')) return false;
    unit = unit * 16 + static_cast<char32_t>(is_digit(c) ? c - '0' : letter - 'a' + 10);
  }
  return true;
}

/// Passes what stands behind a backslash.
bool JsonCursor::pass_escape(std::string* text) {
  if (at_ == text_.size()) return false;
  const char letter = text_[at_++];
  if (letter != 'u') {
    const char byte = escaped_byte(letter);
    if (text != nullptr) text->push_back(byte);
    return byte != '\0';
  }
  char32_t unit = 0;
  if (!read_unit(unit)) return false;
  if (is_high_surrogate(unit) && text_.substr(at_).starts_with("\\u")) {
    const std::size_t place = at_;
    char32_t low = 0;
    at_ += 2;
    if (!read_unit(low)) return false;
    if (is_low_surrogate(low))
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    else
      at_ = place;
  }
  if (text != nullptr) add_character(unit, *text);
  return true;
}

bool JsonCursor::pass_string(std::string* text) {
  if (!at_string()) return false;
  if (text != nullptr) text->clear();
  const char quote = text_[at_++];
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == quote) return true;
    if (static_cast<unsigned char>(c) < 0x20) return false;
    if (c == '\\') {
      if (!pass_escape(text)) return false;
    } else if (text != nullptr) {
      text->push_back(c);
    }
  }
  return false;
}

bool JsonCursor::pass_object(std::string* out) {
  bool is_first = true;
  if (out != nullptr) out->push_back('{');
  // The name is written before its value is read: one buffer does for all levels.
  const bool is_whole = each_member(string_, [&] {
    if (out != nullptr) {
      if (!is_first) out->push_back(',');
      is_first = false;
      add_json_string(string_, *out);
      out->push_back(':');
    }
    return pass_value(out);
  });
  if (out != nullptr) out->push_back('}');
  return is_whole;
}

bool JsonCursor::pass_array(std::string* out) {
  bool is_first = true;
  if (out != nullptr) out->push_back('[');
  const bool is_whole = each_element([&] {
    if (out != nullptr && !is_first) out->push_back(',');
    is_first = false;
    return pass_value(out);
  });
  if (out != nullptr) out->push_back(']');
  return is_whole;
}

bool JsonCursor::pass_number(std::string* out) {
  std::string_view number;
  bool is_integer = false;
  if (!read_number(number, is_integer)) return false;
  if (out == nullptr) return true;
  if (is_integer) {
    out->append(number);
    return true;
  }
  std::array<char, kScalarTextMax> text;
  const auto value = read_double(number);
  out->append(text.data(), write_double(value.value_or(0), text.data()));
  return true;
}

bool JsonCursor::pass_text(std::string* out) {
  if (out == nullptr) return pass_string(nullptr);
  if (!read_string(string_)) return false;
  add_json_string(string_, *out);
  return true;
}

bool JsonCursor::pass_word(std::string* out) {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (!take_word(word)) continue;
    if (out != nullptr) out->append(word);
    return true;
  }
  // Not JSON, but read all the same.
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity", "INF", "-INF"}) {
    if (!take_word(word)) continue;
    if (out != nullptr) add_json_string(word, *out);
    return true;
  }
  return false;
}

bool JsonCursor::pass_value(std::string* out) {
  if (peek() == '{') return pass_object(out);
  if (peek() == '[') return pass_array(out);
  if (at_string()) return pass_text(out);
  if (pass_word(out)) return true;
  return at_number() && pass_number(out);
}

void add_json_string(std::string_view text, std::string& out) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
  constexpr std::string_view kLetters = "bfnrt\"\\";
  out.push_back('"');
  for (const char c : text) {
    const std::size_t place = kShort.find(c);
    if (place != std::string_view::npos) {
      out.push_back('\\');
      out.push_back(kLetters[place]);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out.append("\\u00");
      out.push_back(kHexDigits[static_cast<unsigned char>(c) >> 4]);
      out.push_back(kHexDigits[static_cast<unsigned char>(c) & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

}  // namespace millrace::stream
