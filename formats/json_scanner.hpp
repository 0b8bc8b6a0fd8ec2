#pragma once

#include "formats/json_indexer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace millrace::formats {

/// Walks the tokens of one JSON text from left to right and checks the whole grammar on the way:
/// every value is validated, whether it is read or skipped, so that the verdict on a record never
/// depends on who reads what. Reads no byte behind the text; allocates nothing.
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

  /// Validates and passes a value of any kind.
  [[nodiscard]] bool skip_value();
  /// The same, and gives the value's bytes as they stand in the text.
  [[nodiscard]] bool raw_value(std::string_view& raw);
  /// Passes the string before which the scanner stands; `raw` is what is between the quotes. Its
  /// escapes, if any, are not checked: give it to `unescape`.
  [[nodiscard]] bool read_string(std::string_view& raw, bool& escaped);
  /// Passes a number.
  [[nodiscard]] bool read_number(Number& number);
  /// Passes true, false or null; the caller has seen its first letter.
  [[nodiscard]] bool read_word(std::string_view word);

  /// Turns the escapes of a string into bytes. `out` has room for raw.size() bytes. Gives the end
  /// of what was written, or null at a fault.
  [[nodiscard]] char* unescape(std::string_view raw, char* out);

  [[nodiscard]] JsonFault fault() const { return fault_; }
  /// Byte of the text at which the fault showed; 0 when the fault is of the whole text.
  [[nodiscard]] std::size_t fault_position() const { return fault_position_; }

 private:
  template <bool kWrite>
  char* pass_escapes(std::string_view raw, char* out);
  bool pass_container();
  bool pass_scalar();
  bool pass_name();
  bool fail(JsonFault fault);
  bool fail_at(JsonFault fault, const char* place);
  /// The bytes behind the token, up to the next one, are white space from `byte` on.
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

}  // namespace millrace::formats
