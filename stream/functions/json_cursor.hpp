#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::stream {

/// Walks one JSON text for the functions of expressions, as leniently as Spark's do: strings may
/// stand in single quotes, and what follows the first value is nobody's business. (Records are read
/// by formats, which accepts RFC 8259 and nothing else.) Every call passes what it names and is
/// false where that does not stand there; the walk is then over. Keeps its buffer from text to
/// text.
class JsonCursor {
 public:
  /// Open objects and arrays.
  static constexpr int kDepthMax = 1000;

  /// Stands before the text's first token; the text outlives the walk.
  void begin(std::string_view text) {
    text_ = text;
    at_ = 0;
    depth_ = 0;
  }

  /// The first byte of the next token; 0 at the end.
  [[nodiscard]] char peek();
  [[nodiscard]] bool take(char token);
  /// true, false, null, NaN: nothing may follow that would make a longer word of it.
  [[nodiscard]] bool take_word(std::string_view word);
  /// Whether a string stands there.
  [[nodiscard]] bool at_string() { return peek() == '"' || peek() == '\''; }
  [[nodiscard]] bool at_number() { return peek() == '-' || (peek() >= '0' && peek() <= '9'); }

  /// A string without its quotes and escapes, into `text`.
  [[nodiscard]] bool read_string(std::string& text) { return pass_string(&text); }
  /// A number as it is written; `is_integer` says that it has neither point nor exponent.
  [[nodiscard]] bool read_number(std::string_view& number, bool& is_integer);
  [[nodiscard]] bool skip_value() { return pass_value(nullptr); }
  /// Adds a value to `out`, written without blanks: its numbers with a point or exponent as doubles
  /// are, its strings with no more escapes than needed.
  [[nodiscard]] bool copy_value(std::string& out) { return pass_value(&out); }

  /// Where the cursor stands, to be returned to.
  [[nodiscard]] std::size_t place() const { return at_; }
  void return_to(std::size_t place) { at_ = place; }

  /// Calls `member(name)` for every member of an object; it passes the value and says whether to go
  /// on.
  template <typename Member>
  [[nodiscard]] bool each_member(std::string& name, const Member& member);
  /// Calls `element()` for every element of an array, to the same rules.
  template <typename Element>
  [[nodiscard]] bool each_element(const Element& element);

 private:
  [[nodiscard]] bool pass_string(std::string* text);
  [[nodiscard]] bool pass_escape(std::string* text);
  [[nodiscard]] bool read_unit(char32_t& unit);
  [[nodiscard]] std::size_t pass_digits();
  [[nodiscard]] bool pass_value(std::string* out);
  [[nodiscard]] bool pass_object(std::string* out);
  [[nodiscard]] bool pass_array(std::string* out);
  [[nodiscard]] bool pass_number(std::string* out);
  [[nodiscard]] bool pass_text(std::string* out);
  [[nodiscard]] bool pass_word(std::string* out);

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string string_;  ///< the string that is being copied
};

/// Adds a string with its quotes and the escapes that it needs.
void add_json_string(std::string_view text, std::string& out);

template <typename Member>
bool JsonCursor::each_member(std::string& name, const Member& member) {
  if (!take('{')) return false;
  if (take('}')) return true;
  if (++depth_ > kDepthMax) return false;
  do {
    if (!read_string(name) || !take(':') || !member()) return false;
  } while (take(','));
  --depth_;
  return take('}');
}

template <typename Element>
bool JsonCursor::each_element(const Element& element) {
  if (!take('[')) return false;
  if (take(']')) return true;
  if (++depth_ > kDepthMax) return false;
  do {
    if (!element()) return false;
  } while (take(','));
  --depth_;
  return take(']');
}

}  // namespace millrace::stream
