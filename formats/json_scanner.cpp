#include "formats/json_scanner.hpp"

#include "stream/ascii.hpp"

#include <bitset>

namespace millrace::formats {

namespace {

using stream::is_digit;

constexpr bool is_space(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/// What may stand right behind a number or a word.
constexpr bool ends_scalar(char byte) {
  return byte == ',' || byte == '}' || byte == ']' || is_space(byte);
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The four hex digits of a \u escape, or -1.
int hex4(const char* digits) {
  int result = 0;
  for (int i = 0; i < 4; ++i) {
    const char byte = digits[i];
    const int digit = is_digit(byte)               ? byte - '0'
                      : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                      : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                   : -1;
    if (digit < 0) return -1;
    result = result * 16 + digit;
  }
  return result;
}

/// The byte that a one-letter escape stands for, or 0.
constexpr char simple_escape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
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
    default:
      return '\0';
  }
}

char* write_utf8(int code_point, char* out) {
  const auto put = [&out](int byte) { *out++ = static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
  return out;
}

}  // namespace

bool JsonScanner::open(std::string_view text) {
  fault_ = JsonFault::kNone;
  fault_position_ = 0;
  text_ = text;
  cursor_ = end_ = nullptr;
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    return fail(JsonFault::kByteOrderMark);
  const JsonFault indexed = indexer_.index(text);
  if (indexed != JsonFault::kNone) return fail_at(indexed, text.data() + place_of(indexed, text));
  cursor_ = indexer_.tokens().data();
  end_ = cursor_ + indexer_.tokens().size();
  if (peek() != '{') return fail(JsonFault::kNotAnObject);
  ++cursor_;
  has_backslash_ = std::memchr(text.data(), '\\', text.size()) != nullptr;
  at_first_member_ = true;
  return true;
}

bool JsonScanner::raw_value(std::string_view& raw) {
  if (cursor_ == end_) return fail(JsonFault::kExpectedValue);
  const std::size_t begin = *cursor_;
  if (!skip_value()) return false;
  // The value's last byte is the last one before the next token that is no white space.
  std::size_t limit = cursor_ < end_ ? *cursor_ : text_.size();
  while (limit > begin && is_space(text_[limit - 1])) --limit;
  raw = text_.substr(begin, limit - begin);
  return true;
}

bool JsonScanner::read_any_number(Number& number) {
  const char* const begin = text_.data() + *cursor_;
  const char* const limit = text_.data() + text_.size();
  const char* at = begin;
  number = {};
  if (*at == '-') {
    number.is_negative = true;
    ++at;
  }
  const char* const integer = at;
  std::uint64_t significand = 0;
  for (; at < limit && is_digit(*at); ++at)
    significand = significand * 10 + static_cast<std::uint64_t>(*at - '0');
  number.digits = static_cast<int>(at - integer);
  if (number.digits == 0 || (number.digits > 1 && *integer == '0'))
    return fail(JsonFault::kBadNumber);
  number.is_integer = true;
  if (at < limit && *at == '.') {
    const char* const fraction = ++at;
    for (; at < limit && is_digit(*at); ++at)
      significand = significand * 10 + static_cast<std::uint64_t>(*at - '0');
    number.fraction_digits = static_cast<int>(at - fraction);
    if (number.fraction_digits == 0) return fail(JsonFault::kBadNumber);
    number.digits += number.fraction_digits;
    number.is_integer = false;
  }
  if (at < limit && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at < limit && (*at == '+' || *at == '-')) ++at;
    const char* const exponent = at;
    while (at < limit && is_digit(*at)) ++at;
    if (at == exponent) return fail(JsonFault::kBadNumber);
    number.has_exponent = true;
    number.is_integer = false;
  }
  if (at < limit && !ends_scalar(*at)) return fail(JsonFault::kBadNumber);
  number.significand = significand;
  number.text = {begin, static_cast<std::size_t>(at - begin)};
  ++cursor_;
  return true;
}

bool JsonScanner::read_word(std::string_view word) {
  const std::string_view rest = text_.substr(*cursor_);
  if (rest.substr(0, word.size()) != word) return fail(JsonFault::kBadLiteral);
  if (rest.size() > word.size() && !ends_scalar(rest[word.size()]))
    return fail(JsonFault::kBadLiteral);
  ++cursor_;
  return true;
}

char* JsonScanner::unescape(std::string_view raw, char* out) {
  return pass_escapes<true>(raw, out);
}

template <bool kWrite>
char* JsonScanner::pass_escapes(std::string_view raw, char* out) {
  const char* at = raw.data();
  const char* const limit = at + raw.size();
  const auto give_up = [this](JsonFault fault, const char* place) {
    fail_at(fault, place);
    return nullptr;
  };
  while (at < limit) {
    const auto* backslash =
        static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(limit - at)));
    const char* const plain_end = backslash == nullptr ? limit : backslash;
    if constexpr (kWrite) {
      std::memcpy(out, at, static_cast<std::size_t>(plain_end - at));
      out += plain_end - at;
    }
    if (backslash == nullptr) break;
    if (limit - backslash < 2) return give_up(JsonFault::kBadEscape, backslash);
    if (backslash[1] != 'u') {
      const char byte = simple_escape(backslash[1]);
      if (byte == '\0') return give_up(JsonFault::kBadEscape, backslash);
      if constexpr (kWrite) *out++ = byte;
      at = backslash + 2;
      continue;
    }
    int code_point = limit - backslash < 6 ? -1 : hex4(backslash + 2);
    if (code_point < 0) return give_up(JsonFault::kBadEscape, backslash);
    at = backslash + 6;
    if (code_point >= 0xD800 && code_point < 0xE000) {
      const bool has_second =
          code_point < 0xDC00 && limit - at >= 6 && at[0] == '\\' && at[1] == 'u';
      const int second = has_second ? hex4(at + 2) : -1;
      if (second < 0xDC00 || second > 0xDFFF) return give_up(JsonFault::kLoneSurrogate, backslash);
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (second - 0xDC00);
      at += 6;
    }
    if constexpr (kWrite) out = write_utf8(code_point, out);
  }
  // Never null for a good string, not even for an empty one that is only checked.
  return kWrite ? out : const_cast<char*>(limit);
}

bool JsonScanner::pass_scalar() {
  switch (peek()) {
    case '"': {
      std::string_view raw;
      bool escaped = false;
      if (!read_string(raw, escaped)) return false;
      return !escaped || pass_escapes<false>(raw, nullptr) != nullptr;
    }
    case 't':
      return read_word("true");
    case 'f':
      return read_word("false");
    case 'n':
      return read_word("null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': {
      Number number;
      return read_number(number);
    }
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
    case '\0':
      return fail(JsonFault::kExpectedValue);
    default:
      return fail(JsonFault::kBadLiteral);
  }
}

bool JsonScanner::pass_name() {
  if (peek() != '"') return fail(JsonFault::kExpectedName);
  if (!pass_scalar()) return false;
  if (peek() != ':') return fail(JsonFault::kExpectedColon);
  ++cursor_;
  return true;
}

// Two states: before a value, and behind one. One bit per open container says which bracket closes
// it; the record's own braces are level 1 and not among them.
bool JsonScanner::pass_container() {
  std::bitset<kDepthMax> is_object;
  std::size_t depth = 0;
  for (;;) {
    const char opening = peek();
    if (opening == '{' || opening == '[') {
      if (depth + 1 == kDepthMax) return fail(JsonFault::kTooDeep);
      is_object[depth++] = opening == '{';
      ++cursor_;
      const bool is_empty = peek() == (opening == '{' ? '}' : ']');
      if (!is_empty) {
        if (opening == '{' && !pass_name()) return false;
        continue;
      }
    } else if (!pass_scalar()) {
      return false;
    }
    for (;;) {  // behind a value, or at the closing bracket of an empty container
      const bool in_object = is_object[depth - 1];
      const char next = peek();
      if (next == ',') {
        ++cursor_;
        if (in_object && !pass_name()) return false;
        break;
      }
      if (next != (in_object ? '}' : ']'))
        return fail(in_object ? JsonFault::kExpectedCommaOrBrace
                              : JsonFault::kExpectedCommaOrBracket);
      ++cursor_;
      if (--depth == 0) return true;
    }
  }
}

bool JsonScanner::fail(JsonFault fault) {
  const char* place = text_.data();
  if (cursor_ != nullptr) place += cursor_ < end_ ? *cursor_ : text_.size();
  return fail_at(fault, place);
}

bool JsonScanner::fail_at(JsonFault fault, const char* place) {
  fault_ = fault;
  fault_position_ = static_cast<std::size_t>(place - text_.data());
  return false;
}

}  // namespace millrace::formats
