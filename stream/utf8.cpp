#include "stream/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace millrace::stream {

namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

/// Length of the run of ASCII at the front, in steps of eight bytes, then of one.
std::size_t ascii_prefix(std::string_view text) {
  std::size_t length = 0;
  for (; length + 8 <= text.size(); length += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + length, 8);
    if ((eight & kHighBits) != 0) break;
  }
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80) ++length;
  return length;
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80; }

/// Length of the character at the front, 0 if it is malformed.
std::size_t character_length(std::string_view text) {
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

// The two mappings below take and give characters of one or two bytes (below U+0800).

constexpr std::uint32_t kSharpS = 0xDF;

bool is_even_upper_pair(std::uint32_t c) {  // upper case is even, lower is the odd one behind it
  return (c >= 0x100 && c <= 0x137 && c != 0x130 && c != 0x131) || (c >= 0x14A && c <= 0x177);
}

bool is_odd_upper_pair(std::uint32_t c) {  // upper case is odd, lower is the even one behind it
  return (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
}

std::uint32_t to_upper(std::uint32_t c) {
  if (c >= 0xE0 && c <= 0xFE && c != 0xF7) return c - 0x20;
  if (c == 0xFF) return 0x178;
  if (c == 0xB5) return 0x39C;
  if (c == 0x131) return 'I';
  if (c == 0x17F) return 'S';
  if (is_even_upper_pair(c)) return c & ~1U;
  if (is_odd_upper_pair(c)) return c - (c % 2 == 0 ? 1 : 0);
  if (c == 0x3AC) return 0x386;
  if (c >= 0x3AD && c <= 0x3AF) return c - 0x25;
  if (c == 0x3C2) return 0x3A3;
  if (c >= 0x3B1 && c <= 0x3CB) return c - 0x20;
  if (c == 0x3CC) return 0x38C;
  if (c == 0x3CD || c == 0x3CE) return c - 0x3F;
  if (c >= 0x430 && c <= 0x44F) return c - 0x20;
  if (c >= 0x450 && c <= 0x45F) return c - 0x50;
  return c;
}

std::uint32_t to_lower(std::uint32_t c) {
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 0x20;
  if (c == 0x178) return 0xFF;
  if (c == 0x130) return 'i';
  if (is_even_upper_pair(c)) return c | 1U;
  if (is_odd_upper_pair(c)) return c + (c % 2 == 1 ? 1 : 0);
  if (c == 0x386) return 0x3AC;
  if (c >= 0x388 && c <= 0x38A) return c + 0x25;
  if (c == 0x38C) return 0x3CC;
  if (c == 0x38E || c == 0x38F) return c + 0x3F;
  if (c >= 0x391 && c <= 0x3AB && c != 0x3A2) return c + 0x20;
  if (c >= 0x410 && c <= 0x42F) return c + 0x20;
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  return c;
}

char* write_character(std::uint32_t c, char* out) {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else {
    *out++ = static_cast<char>(0xC0U | (c >> 6));
    *out++ = static_cast<char>(0x80U | (c & 0x3FU));
  }
  return out;
}

template <char kFirst, int kDistance>
void write_ascii(const char* __restrict text, std::size_t length, char* __restrict out) {
  for (std::size_t i = 0; i < length; ++i) {
    const char c = text[i];
    const bool changes = static_cast<unsigned char>(c - kFirst) < 26;
    out[i] = static_cast<char>(c + (changes ? kDistance : 0));
  }
}

template <bool kUpper>
std::size_t write_case(std::string_view text, char* out) {
  char* const begin = out;
  while (!text.empty()) {
    const std::size_t ascii = ascii_prefix(text);
    if constexpr (kUpper)
      write_ascii<'a', -32>(text.data(), ascii, out);
    else
      write_ascii<'A', 32>(text.data(), ascii, out);
    out += ascii;
    text.remove_prefix(ascii);
    if (text.empty()) break;
    const std::size_t length = character_length(text);
    if (length != 2) {  // longer ones have no mapping here; a malformed byte is passed on
      const std::size_t copied = length == 0 ? 1 : length;
      std::memcpy(out, text.data(), copied);
      out += copied;
      text.remove_prefix(copied);
      continue;
    }
    const std::uint32_t c = (static_cast<std::uint32_t>(text[0] & 0x1F) << 6) |
                            static_cast<std::uint32_t>(text[1] & 0x3F);
    if (kUpper && c == kSharpS) {
      *out++ = 'S';
      *out++ = 'S';
    } else {
      out = write_character(kUpper ? to_upper(c) : to_lower(c), out);
    }
    text.remove_prefix(2);
  }
  return static_cast<std::size_t>(out - begin);
}

}  // namespace

bool is_utf8(std::string_view bytes) { return utf8_prefix(bytes) == bytes.size(); }

std::size_t utf8_prefix(std::string_view bytes) {
  const std::size_t size = bytes.size();
  while (true) {
    bytes.remove_prefix(ascii_prefix(bytes));
    const std::size_t length = bytes.empty() ? 0 : character_length(bytes);
    if (length == 0) return size - bytes.size();
    bytes.remove_prefix(length);
  }
}

std::size_t write_upper(std::string_view text, char* out) { return write_case<true>(text, out); }

std::size_t write_lower(std::string_view text, char* out) { return write_case<false>(text, out); }

}  // namespace millrace::stream
