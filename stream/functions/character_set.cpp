#include "stream/functions/character_set.hpp"

#include "stream/ascii.hpp"
#include "stream/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace millrace::stream {

namespace {

constexpr auto kNames = std::to_array<std::pair<std::string_view, CharacterSet>>({
    {"UTF-8", CharacterSet::kUtf8},
    {"US-ASCII", CharacterSet::kAscii},
    {"ISO-8859-1", CharacterSet::kLatin1},
    {"UTF-16", CharacterSet::kUtf16},
    {"UTF-16BE", CharacterSet::kUtf16BigEndian},
    {"UTF-16LE", CharacterSet::kUtf16LittleEndian},
    {"UTF-32", CharacterSet::kUtf32},
});

constexpr char32_t kMark = 0xFEFF;
constexpr char32_t kSwappedMark = 0xFFFE;

bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Writes and reads units of two or four bytes.
template <std::size_t kSize>
char* write_unit(char32_t unit, bool big_end_first, char* out) {
  for (std::size_t i = 0; i < kSize; ++i) {
    const std::size_t shift = 8 * (big_end_first ? kSize - 1 - i : i);
    *out++ = static_cast<char>((unit >> shift) & 0xFFU);
  }
  return out;
}

template <std::size_t kSize>
char32_t read_unit(std::string_view bytes, bool big_end_first) {
  char32_t unit = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    const std::size_t shift = 8 * (big_end_first ? kSize - 1 - i : i);
    unit |= char32_t{static_cast<unsigned char>(bytes[i])} << shift;
  }
  return unit;
}

char* write_utf16(char32_t character, bool big_end_first, char* out) {
  if (character < 0x10000) return write_unit<2>(character, big_end_first, out);
  out = write_unit<2>(0xD7C0 + (character >> 10), big_end_first, out);
  return write_unit<2>(0xDC00 + (character & 0x3FF), big_end_first, out);
}

/// Writes one character in a set of one byte a character; false if it is not in it.
bool write_byte(char32_t character, char32_t limit, char*& out) {
  if (character >= limit) return false;
  *out++ = static_cast<char>(character);
  return true;
}

bool write_in(CharacterSet set, char32_t character, char*& out) {
  switch (set) {
    case CharacterSet::kAscii:
      return write_byte(character, 0x80, out);
    case CharacterSet::kLatin1:
      return write_byte(character, 0x100, out);
    case CharacterSet::kUtf32:
      out = write_unit<4>(character, true, out);
      return true;
    default:
      out = write_utf16(character, set != CharacterSet::kUtf16LittleEndian, out);
      return true;
  }
}

std::optional<std::size_t> copy(std::string_view text, char* out) {
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  return text.size();
}

std::optional<std::size_t> decode_single_bytes(std::string_view bytes, unsigned limit, char* out) {
  char* end = out;
  for (const char byte : bytes) {
    const auto character = static_cast<unsigned char>(byte);
    if (character >= limit) return std::nullopt;
    end += write_character(character, end);
  }
  return static_cast<std::size_t>(end - out);
}

std::optional<std::size_t> decode_utf16(std::string_view bytes, bool big_end_first, char* out) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  char* end = out;
  for (; !bytes.empty(); bytes.remove_prefix(2)) {
    char32_t character = read_unit<2>(bytes, big_end_first);
    if (is_low_surrogate(character)) return std::nullopt;
    if (is_high_surrogate(character)) {
      bytes.remove_prefix(2);
      if (bytes.empty()) return std::nullopt;
      const char32_t low = read_unit<2>(bytes, big_end_first);
      if (!is_low_surrogate(low)) return std::nullopt;
      character = ((character - 0xD7C0) << 10) + (low - 0xDC00);
    }
    end += write_character(character, end);
  }
  return static_cast<std::size_t>(end - out);
}

std::optional<std::size_t> decode_utf32(std::string_view bytes, bool big_end_first, char* out) {
  if (bytes.size() % 4 != 0) return std::nullopt;
  char* end = out;
  for (; !bytes.empty(); bytes.remove_prefix(4)) {
    const char32_t character = read_unit<4>(bytes, big_end_first);
    if (character > 0x10FFFF || is_high_surrogate(character) || is_low_surrogate(character))
      return std::nullopt;
    end += write_character(character, end);
  }
  return static_cast<std::size_t>(end - out);
}

/// Takes the mark off the front, if there is one; whether the big end comes first.
template <std::size_t kSize>
bool take_mark(std::string_view& bytes) {
  if (bytes.size() < kSize) return true;
  const char32_t first = read_unit<kSize>(bytes, true);
  constexpr char32_t kSwapped = kSize == 2 ? kSwappedMark : 0xFFFE0000;
  if (first == kMark || first == kSwapped) bytes.remove_prefix(kSize);
  return first != kSwapped;
}

}  // namespace

std::optional<CharacterSet> parse_character_set(std::string_view name) {
  const auto* place = std::ranges::find_if(
      kNames, [&](const auto& known) { return equals_ignoring_case(known.first, name); });
  if (place == kNames.end()) return std::nullopt;
  return place->second;
}

std::optional<std::size_t> write_encoded(std::string_view text, CharacterSet set, char* out) {
  if (set == CharacterSet::kUtf8) return copy(text, out);
  char* end = out;
  if (set == CharacterSet::kUtf16 && !text.empty()) end = write_unit<2>(kMark, true, end);
  for (; !text.empty(); text.remove_prefix(character_size(text))) {
    if (!write_in(set, first_character(text), end)) return std::nullopt;
  }
  return static_cast<std::size_t>(end - out);
}

std::optional<std::size_t> write_decoded(std::string_view bytes, CharacterSet set, char* out) {
  switch (set) {
    case CharacterSet::kUtf8:
      if (!is_utf8(bytes)) return std::nullopt;
      return copy(bytes, out);
    case CharacterSet::kAscii:
      return decode_single_bytes(bytes, 0x80, out);
    case CharacterSet::kLatin1:
      return decode_single_bytes(bytes, 0x100, out);
    case CharacterSet::kUtf16: {
      const bool big_end_first = take_mark<2>(bytes);
      return decode_utf16(bytes, big_end_first, out);
    }
    case CharacterSet::kUtf16BigEndian:
      return decode_utf16(bytes, true, out);
    case CharacterSet::kUtf16LittleEndian:
      return decode_utf16(bytes, false, out);
    case CharacterSet::kUtf32:
      break;
  }
  const bool big_end_first = take_mark<4>(bytes);
  return decode_utf32(bytes, big_end_first, out);
}

}  // namespace millrace::stream
