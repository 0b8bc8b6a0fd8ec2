#pragma once

#include "millrace/assert.hpp"

#include "formats/digits.hpp"
#include "formats/json_indexer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace millrace::formats {

/// Walks the tokens of one JSON text from left to right and checks the whole grammar on the way:
/// every value is validated, whether it is read or skipped, so that whether a record is well-formed
/// never depends on who reads what (docs/design/004). Reads no byte behind the text; allocates
/// nothing.
///
/// The first fault ends the walk: calls return false, `fault` and `fault_position` say why and
/// where. One thread at a time.
class JsonScanner {
 public:
  /// Open objects and arrays, the record's own braces included.
  static constexpr std::size_t kDepthMax = 1024;

  /// The text of a number and what the grammar says of it.
  struct Number {
    std::string_view text;
    bool is_integer = false;  ///< neither fraction nor exponent
    bool is_negative = false;
    int digits = 0;           ///< of integer and fraction together
    int fraction_digits = 0;  ///< those behind the point
    bool has_exponent = false;
    std::uint64_t significand = 0;  ///< all digits as one integer, exact when digits <= 19
  };

  /// Begins a text that must be an object: stands inside its braces on success.
  [[nodiscard]] bool open(std::string_view text);
  /// Moves to the next member of the record and gives its name as written (between the quotes);
  /// `escaped` says that it holds escapes. False at the end of the record and at a fault.
  [[nodiscard]] bool next_member(std::string_view& name, bool& escaped);
  /// The first byte of the value that the scanner stands before.
  [[nodiscard]] char peek() const { return cursor_ < end_ ? text_[*cursor_] : '\0'; }
  /// Bytes of the text from `place` on.
  [[nodiscard]] std::size_t bytes_from(const char* place) const {
    return static_cast<std::size_t>(text_.data() + text_.size() - place);
  }

  /// Validates and passes a value of any kind.
  [[nodiscard]] bool skip_value();
  /// The same, and gives the value's bytes as they stand in the text.
  [[nodiscard]] bool raw_value(std::string_view& raw);
  /// Passes the string before which the scanner stands; `raw` is what is between the quotes. Its
  /// escapes, if any, are not checked: give it to `unescape`.
  [[nodiscard]] bool read_string(std::string_view& raw, bool& escaped);
  /// Passes a number; the caller has seen its first byte, a digit or '-'.
  [[nodiscard]] bool read_number(Number& number);
  /// Passes true, false or null; the caller has seen its first letter.
  [[nodiscard]] bool read_word(std::string_view word);

  /// Where the scanner stands, to be returned to: for a second walk over a value that `skip_value`
  /// or `raw_value` has validated.
  using Place = const std::uint32_t*;
  [[nodiscard]] Place place() const { return cursor_; }
  void return_to(Place place) { cursor_ = place; }
  /// Passes the bracket, comma or colon if it is the next token.
  [[nodiscard]] bool take(char token) {
    if (peek() != token) return false;
    ++cursor_;
    return true;
  }

  /// Turns the escapes of a string into bytes. `out` has room for raw.size() bytes. Gives the end
  /// of what was written, or null at a fault.
  [[nodiscard]] char* unescape(std::string_view raw, char* out);

  [[nodiscard]] JsonFault fault() const { return fault_; }
  /// Byte of the text at which the fault showed; 0 when the fault is of the whole text.
  [[nodiscard]] std::size_t fault_position() const { return fault_position_; }

 private:
  template <bool kWrite>
  char* pass_escapes(std::string_view raw, char* out);
  bool read_short_number(Number& number);
  bool read_any_number(Number& number);
  bool pass_container();
  bool pass_scalar();
  bool pass_name();
  bool fail(JsonFault fault);
  bool fail_at(JsonFault fault, const char* place);
  /// Where the next token begins: what the one at the cursor consists of, and perhaps white space
  /// behind it, ends there.
  [[nodiscard]] std::size_t token_limit() const {
    return cursor_ + 1 < end_ ? cursor_[1] : text_.size();
  }

  JsonIndexer indexer_;
  std::string_view text_;
  const std::uint32_t* cursor_ = nullptr;
  const std::uint32_t* end_ = nullptr;
  bool has_backslash_ = false;  ///< anywhere in the text: most records have none
  bool at_first_member_ = false;
  JsonFault fault_ = JsonFault::kNone;
  std::size_t fault_position_ = 0;
};

// What runs for every member of every record is here, to be inlined into the decoder.

inline bool JsonScanner::next_member(std::string_view& name, bool& escaped) {
  const char next = peek();
  if (next == '}') {
    ++cursor_;
    return cursor_ == end_ ? false : fail(JsonFault::kTrailingText);
  }
  if (!at_first_member_) {
    if (next != ',') return fail(JsonFault::kExpectedCommaOrBrace);
    ++cursor_;
  }
  at_first_member_ = false;
  if (peek() != '"') return fail(JsonFault::kExpectedName);
  if (!read_string(name, escaped)) return false;
  if (peek() != ':') return fail(JsonFault::kExpectedColon);
  ++cursor_;
  return true;
}

inline bool JsonScanner::skip_value() {
  const char first = peek();
  if (first == '"' && !has_backslash_) {
    // The indexer has proved the rest, and whatever follows the closing quote is a token.
    ++cursor_;
    return true;
  }
  if (first == '{' || first == '[') return pass_container();
  Number number;
  return read_short_number(number) || pass_scalar();
}

inline bool JsonScanner::read_string(std::string_view& raw, bool& escaped) {
  const char* const begin = text_.data() + *cursor_ + 1;
  // The indexer has proved that the string is closed, and that a new token begins right behind it.
  const char* quote = text_.data() + token_limit() - 1;
  while (*quote != '"') --quote;
  MILLRACE_DEBUG_ASSERT(quote >= begin);
  raw = {begin, static_cast<std::size_t>(quote - begin)};
  escaped = has_backslash_ && std::memchr(raw.data(), '\\', raw.size()) != nullptr;
  ++cursor_;
  return true;
}

inline bool JsonScanner::read_number(Number& number) {
  return read_short_number(number) || read_any_number(number);
}

/// Passes integers of up to 16 digits and decimals of up to 7 that end where the next token begins.
/// False, with nothing passed, for anything else: other numbers, and what is no number.
inline bool JsonScanner::read_short_number(Number& number) {
  if (cursor_ == end_) return false;
  const char* const begin = text_.data() + *cursor_;
  const char* const limit = text_.data() + token_limit();
  const bool is_negative = *begin == '-';
  const char* const first = begin + (is_negative ? 1 : 0);
  const auto length = static_cast<std::size_t>(limit - first);
  // The words below are read backwards from the end, and must not begin before the text does.
  if (length - 1 >= 16 || limit - text_.data() < 16) return false;
  std::size_t fraction_digits = 0;
  std::size_t integer_digits = length;
  std::uint64_t word = load_digits_before(limit, length < 8 ? length : 8);
  std::uint64_t significand = 0;
  if (length > 8) {
    const std::uint64_t upper = load_digits_before(limit - 8, length - 8);
    if (!are_digits(upper) || !are_digits(word)) return false;
    significand = digits_to_number(upper) * 100'000'000 + digits_to_number(word);
  } else {
    const std::size_t point = find_point(word);
    if (point < 8) {
      fraction_digits = 7 - point;
      integer_digits = length - 1 - fraction_digits;
      if (fraction_digits == 0 || integer_digits - 1 >= 8) return false;
      word = drop_byte(word, point);
    }
    if (!are_digits(word)) return false;
    significand = digits_to_number(word);
  }
  if (*first == '0' && integer_digits > 1) return false;
  number.text = {begin, static_cast<std::size_t>(limit - begin)};
  number.is_integer = fraction_digits == 0;
  number.is_negative = is_negative;
  number.has_exponent = false;
  number.digits = static_cast<int>(integer_digits + fraction_digits);
  number.fraction_digits = static_cast<int>(fraction_digits);
  number.significand = significand;
  ++cursor_;
  return true;
}

}  // namespace millrace::formats
