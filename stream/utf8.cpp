#include "stream/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace millrace::stream {

namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;
constexpr char32_t kReplacement = 0xFFFD;

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80; }

/// Length of the character at the front, 0 if it is malformed.
std::size_t well_formed_size(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(at(i))) return 0;
  }
  const unsigned char second = at(1);
  const bool is_overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool is_out_of_range = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return is_overlong || is_out_of_range ? 0 : length;
}

}  // namespace

std::size_t ascii_prefix(std::string_view text) {
  std::size_t length = 0;
  for (; length + 8 <= text.size(); length += 8) {  // in steps of eight bytes, then of one
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + length, 8);
    if ((eight & kHighBits) != 0) break;
  }
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80) ++length;
  return length;
}

bool is_utf8(std::string_view bytes) { return utf8_prefix(bytes) == bytes.size(); }

std::size_t utf8_prefix(std::string_view bytes) {
  const std::size_t size = bytes.size();
  while (true) {
    bytes.remove_prefix(ascii_prefix(bytes));
    const std::size_t length = bytes.empty() ? 0 : well_formed_size(bytes);
    if (length == 0) return size - bytes.size();
    bytes.remove_prefix(length);
  }
}

std::size_t character_size(std::string_view text) {
  return std::max<std::size_t>(well_formed_size(text), 1);
}

char32_t first_character(std::string_view text) {
  const std::size_t size = well_formed_size(text);
  if (size == 0) return kReplacement;
  if (size == 1) return static_cast<unsigned char>(text[0]);
  char32_t character = static_cast<unsigned char>(text[0]) & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i)
    character = (character << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return character;
}

std::size_t write_character(char32_t character, char* out) {
  if (character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
    character = kReplacement;
  if (character < 0x80) {
    out[0] = static_cast<char>(character);
    return 1;
  }
  const std::size_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (std::size_t i = size - 1; i > 0; --i) {
    out[i] = static_cast<char>(0x80U | (character & 0x3FU));
    character >>= 6;
  }
  out[0] = static_cast<char>((0xF00U >> size) | character);
  return size;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = ascii_prefix(text);
  text.remove_prefix(count);
  while (!text.empty()) {
    text.remove_prefix(character_size(text));
    ++count;
  }
  return count;
}

std::size_t offset_of_character(std::string_view text, std::size_t number) {
  std::size_t offset = ascii_prefix(text.substr(0, number));
  for (std::size_t passed = offset; passed < number && offset < text.size(); ++passed)
    offset += character_size(text.substr(offset));
  return offset;
}

}  // namespace millrace::stream
