#include "stream/ascii.hpp"
#include "stream/base64.hpp"
#include "stream/functions/character_set.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/utf8.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>

// Bytes as texts and texts as bytes: character sets, base64, hexadecimal digits, URLs.

namespace millrace::stream {

namespace {

// --- character sets
// -------------------------------------------------------------------------------

std::optional<CharacterSet> read_set(Row& row, std::string_view name) {
  const auto set = parse_character_set(name);
  if (!set) {
    row.raise([&] {
      return "unknown character set: '" + std::string(name) +
             "'; there are: " + std::string(kCharacterSetNames);
    });
  }
  return set;
}

std::string_view encode(Row& row, std::string_view text, std::string_view set_name) {
  const auto set = read_set(row, set_name);
  if (!set) return {};
  const std::size_t room = encoded_size_max(text);
  char* const out = row.allocate(room);
  const auto size = write_encoded(text, *set, out);
  if (!size)
    row.raise([&] { return "the text has a character that is not in " + std::string(set_name); });
  return row.finish(out, room, size.value_or(0));
}

std::string_view decode(Row& row, std::string_view bytes, std::string_view set_name) {
  const auto set = read_set(row, set_name);
  if (!set) return {};
  const std::size_t room = decoded_size_max(bytes);
  char* const out = row.allocate(room);
  const auto size = write_decoded(bytes, *set, out);
  if (!size)
    row.raise([&] {
      return std::to_string(bytes.size()) + " bytes are no text in " + std::string(set_name);
    });
  return row.finish(out, room, size.value_or(0));
}

// --- base64
// ---------------------------------------------------------------------------------------

std::string_view to_base64(Row& row, std::string_view bytes) {
  const std::size_t size = base64_encoded_size(bytes.size());
  char* const begin = row.allocate(size);
  base64_encode(bytes, begin);
  return {begin, size};
}

/// Writes what the digits before the padding hold; nothing if their number is impossible.
std::optional<std::size_t> write_base64(std::string_view digits, char* out) {
  char* const begin = out;
  std::uint32_t bits = 0;
  std::size_t count = 0;
  for (const char c : digits) {
    const std::uint8_t value = base64_digit(c);
    if (value == kNoBase64Digit) continue;
    bits = bits << 6 | value;
    if (++count % 4 != 0) continue;
    for (const int shift : {16, 8, 0}) *out++ = static_cast<char>(bits >> shift);
    bits = 0;
  }
  if (count % 4 == 1) return std::nullopt;
  if (count % 4 == 2) *out++ = static_cast<char>(bits >> 4);
  if (count % 4 == 3) {
    *out++ = static_cast<char>(bits >> 10);
    *out++ = static_cast<char>(bits >> 2);
  }
  return static_cast<std::size_t>(out - begin);
}

bool is_base64_digit(char c) { return base64_digit(c) != kNoBase64Digit; }

/// As MIME reads it: what is neither digit nor padding is passed over, padding may be missing, and
/// no digit may stand behind it.
std::optional<std::size_t> write_mime(std::string_view text, char* out) {
  const std::size_t padding = std::min(text.find('='), text.size());
  const std::string_view digits = text.substr(0, padding);
  const std::string_view behind = text.substr(padding);
  const auto count = std::ranges::count_if(digits, is_base64_digit) % 4;
  if (!behind.empty() && (count == 0 || (count == 2 && !behind.starts_with("=="))))
    return std::nullopt;
  if (std::ranges::any_of(behind, is_base64_digit)) return std::nullopt;
  return write_base64(digits, out);
}

/// The strict form: digits, then padding to a multiple of four or none at all, and white space.
bool is_strict_base64(std::string_view text) {
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '=') {
      ++padding;
    } else if (is_base64_digit(c)) {
      if (padding > 0) return false;
      ++digits;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      return false;
    }
  }
  if (padding > 0) return padding <= 2 && (digits + padding) % 4 == 0;
  return digits % 4 != 1;
}

std::string_view from_base64(Row& row, std::string_view text) {
  char* const out = row.allocate(text.size());
  const auto size = write_mime(text, out);
  if (!size) row.raise("the text is not base64");
  return row.finish(out, text.size(), size.value_or(0));
}

// --- hexadecimal
// ----------------------------------------------------------------------------------

constexpr std::string_view kHex = "0123456789ABCDEF";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string_view hex_of_bytes(Row& row, std::string_view bytes) {
  char* const begin = row.allocate(bytes.size() * 2);
  char* out = begin;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    *out++ = kHex[value >> 4];
    *out++ = kHex[value & 15U];
  }
  return {begin, bytes.size() * 2};
}

std::string_view hex_of_number(Row& row, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  const std::size_t size = std::max<std::size_t>(1, (std::bit_width(bits) + 3) / 4);
  char* const begin = row.allocate(size);
  for (std::size_t i = 0; i < size; ++i) begin[i] = kHex[(bits >> (4 * (size - 1 - i))) & 15U];
  return {begin, size};
}

/// Writes the bytes; false if a character is no digit. An odd number of digits lacks a 0 in front.
bool write_unhex(std::string_view text, char* out) {
  const std::size_t odd = text.size() % 2;
  for (std::size_t i = 0; i < text.size() + odd; i += 2) {
    const int high = i == 0 && odd == 1 ? 0 : hex_value(text[i - odd]);
    const int low = hex_value(text[i + 1 - odd]);
    if (high < 0 || low < 0) return false;
    *out++ = static_cast<char>(high << 4 | low);
  }
  return true;
}

std::string_view unhex(Row& row, std::string_view text) {
  const std::size_t size = (text.size() + 1) / 2;
  char* const out = row.allocate(size);
  if (!write_unhex(text, out)) row.set_null();
  return {out, size};
}

// --- to_binary
// ------------------------------------------------------------------------------------

/// What the text stands for in the format; nothing, and a reason, if that cannot be.
std::optional<std::string_view> binary_of(Row& row, std::string_view text, std::string_view format,
                                          const char*& reason) {
  if (equals_ignoring_case(format, "utf-8") || equals_ignoring_case(format, "utf8")) return text;
  char* const out = row.allocate(text.size() + 1);
  if (equals_ignoring_case(format, "hex")) {
    reason = "the text is not hexadecimal";
    if (!write_unhex(text, out)) return std::nullopt;
    return std::string_view(out, (text.size() + 1) / 2);
  }
  if (equals_ignoring_case(format, "base64")) {
    reason = "the text is not base64";
    if (!is_strict_base64(text)) return std::nullopt;
    return std::string_view(out, write_base64(text.substr(0, text.find('=')), out).value_or(0));
  }
  reason = "the format of to_binary is one of 'hex', 'utf-8', 'base64'";
  return std::nullopt;
}

std::string_view to_binary(Row& row, std::string_view text, std::string_view format) {
  const char* reason = nullptr;
  const auto bytes = binary_of(row, text, format, reason);
  if (!bytes) row.raise(reason);
  return bytes.value_or(std::string_view());
}

std::string_view hex_to_binary(Row& row, std::string_view text) {
  return to_binary(row, text, "hex");
}

// --- URLs
// -----------------------------------------------------------------------------------------

bool is_plain_in_url(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '*' ||
         c == '_';
}

std::string_view url_encode(Row& row, std::string_view text) {
  const std::size_t room = text.size() * 3;
  char* const begin = row.allocate(room);
  char* out = begin;
  for (const char c : text) {
    if (is_plain_in_url(c) || c == ' ') {
      *out++ = c == ' ' ? '+' : c;
      continue;
    }
    *out++ = '%';
    *out++ = kHex[static_cast<unsigned char>(c) >> 4];
    *out++ = kHex[static_cast<unsigned char>(c) & 15U];
  }
  return row.finish(begin, room, static_cast<std::size_t>(out - begin));
}

std::optional<std::size_t> write_url_decoded(std::string_view text, char* out) {
  char* const begin = out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      *out++ = text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    *out++ = static_cast<char>(high << 4 | low);
    i += 2;
  }
  const auto size = static_cast<std::size_t>(out - begin);
  if (!is_utf8({begin, size})) return std::nullopt;
  return size;
}

std::string_view url_decode(Row& row, std::string_view text) {
  char* const out = row.allocate(text.size());
  const auto size = write_url_decoded(text, out);
  if (!size) row.raise("the text is not encoded for URLs: % stands before two hexadecimal digits");
  return row.finish(out, text.size(), size.value_or(0));
}

void add_character_sets(FunctionRegistry& registry) {
  using enum TypeKind;
  const std::string description = std::string("in a character set (") + kCharacterSetNames + ").";
  constexpr const char* kErrors =
      "the character set is unknown, or does not have what is to be written or read";
  registry.add(failing(text_function("encode", {kString, kString}, kBytes, each_row<encode>,
                                     ("The text's bytes " + description).c_str()),
                       kErrors));
  add_for_bytes(registry,
                failing(plain_function("decode", {kBytes, kString}, kString, each_row<decode>,
                                       ("The text that the bytes are " + description).c_str()),
                        kErrors));
}

void add_hexadecimal(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(plain_function("hex", {kInt64}, kString, each_row<hex_of_number>,
                              "The number in hexadecimal digits; negative ones as 64 bits."));
  add_for_bytes(registry, plain_function("hex", {kBytes}, kString, each_row<hex_of_bytes>,
                                         "The bytes in hexadecimal digits, two each."));
  registry.add(with_nulls(text_function("unhex", {kString}, kBytes, each_row<unhex>,
                                        "The bytes that the hexadecimal digits stand for; of an "
                                        "odd number, the first stands alone."),
                          "the argument is null, or has another character"));
}

void add_to_binary(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kDescription =
      "The bytes that a text stands for in a format: 'hex' (the default), 'base64' or 'utf-8'.";
  constexpr const char* kErrors = "the format is unknown, or the text is not in it";
  registry.add(
      failing(text_function("to_binary", {kString}, kBytes, each_row<hex_to_binary>, kDescription),
              kErrors));
  registry.add(failing(
      text_function("to_binary", {kString, kString}, kBytes, each_row<to_binary>, kDescription),
      kErrors));
  registry.add_try_form("try_to_binary", "to_binary");
}

}  // namespace

void add_codec_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_character_sets(registry);
  add_for_bytes(registry, plain_function("base64", {kBytes}, kString, each_row<to_base64>,
                                         "The bytes in base64, in one line."));
  registry.add(failing(text_function("unbase64", {kString}, kBytes, each_row<from_base64>,
                                     "The bytes that base64 stands for; other characters are "
                                     "passed over, padding may be missing."),
                       "a digit stands alone at the end, or behind padding"));
  add_hexadecimal(registry);
  add_to_binary(registry);
  registry.add(text_function("url_encode", {kString}, kString, each_row<url_encode>,
                             "The text as a form sends it: + for spaces, %XX for all but letters, "
                             "digits and .-*_"));
  registry.add(failing(text_function("url_decode", {kString}, kString, each_row<url_decode>,
                                     "The text that url_encode made this of."),
                       "% stands before something else than two hexadecimal digits, or the result "
                       "is not UTF-8"));
  registry.add_try_form("try_url_decode", "url_decode");
}

}  // namespace millrace::stream
