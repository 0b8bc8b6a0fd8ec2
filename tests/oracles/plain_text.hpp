#pragma once

#include <string>

// Texts as characters instead of bytes.

namespace millrace::property {

using Characters = std::u32string;

/// Of a text that is UTF-8.
inline Characters characters_of(const std::string& text) {
  Characters result;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte & 0xC0U) != 0x80U)
      result += byte < 0x80   ? byte
                : byte < 0xE0 ? byte & 0x1FU
                : byte < 0xF0 ? byte & 0x0FU
                              : byte & 0x07U;
    else
      result.back() = result.back() << 6 | (byte & 0x3FU);
  }
  return result;
}

inline std::string text_of(const Characters& characters) {
  std::string text;
  const auto put = [&](char32_t bits) { text += static_cast<char>(bits); };
  for (const char32_t c : characters) {
    if (c < 0x80) {
      put(c);
      continue;
    }
    int tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    put((tail == 1 ? 0xC0U : tail == 2 ? 0xE0U : 0xF0U) | c >> (6 * tail));
    for (--tail; tail >= 0; --tail) put(0x80U | ((c >> (6 * tail)) & 0x3FU));
  }
  return text;
}

}  // namespace millrace::property
