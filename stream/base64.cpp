#include "stream/base64.hpp"

#include <array>
#include <cstdint>

namespace millrace::stream {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoBase64Digit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    digits[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  return digits;
}();

}  // namespace

std::uint8_t base64_digit(char c) { return kDigits[static_cast<std::uint8_t>(c)]; }

char* base64_encode(std::string_view bytes, char* out) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::uint32_t{static_cast<std::uint8_t>(bytes[i])} : 0U;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    *out++ = kAlphabet[group >> 18];
    *out++ = kAlphabet[group >> 12 & 63];
    *out++ = i + 1 < bytes.size() ? kAlphabet[group >> 6 & 63] : '=';
    *out++ = i + 2 < bytes.size() ? kAlphabet[group & 63] : '=';
  }
  return out;
}

char* base64_decode(std::string_view text, char* out) {
  if (text.size() % 4 != 0) return nullptr;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::size_t padding = 0;
    if (i + 4 == text.size() && text[i + 3] == '=') padding = text[i + 2] == '=' ? 2 : 1;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const bool is_padding = j >= 4 - padding;
      const std::uint8_t digit = is_padding ? std::uint8_t{0} : base64_digit(text[i + j]);
      if (digit == kNoBase64Digit) return nullptr;
      group = group << 6 | digit;
    }
    // Bits that stand for no byte must be zero, or two texts would mean the same bytes.
    if ((padding == 1 && (group & 0xFF) != 0) || (padding == 2 && (group & 0xFFFF) != 0))
      return nullptr;
    *out++ = static_cast<char>(group >> 16);
    if (padding < 2) *out++ = static_cast<char>(group >> 8 & 0xFF);
    if (padding < 1) *out++ = static_cast<char>(group & 0xFF);
  }
  return out;
}

}  // namespace millrace::stream
