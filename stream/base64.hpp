#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace::stream {

// Bytes as text: RFC 4648 base64 with padding.

/// What stands for no digit.
inline constexpr std::uint8_t kNoBase64Digit = 64;

/// The six bits that a character stands for, or kNoBase64Digit.
[[nodiscard]] std::uint8_t base64_digit(char c);

[[nodiscard]] constexpr std::size_t base64_encoded_size(std::size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

/// Writes base64_encoded_size(bytes.size()) bytes; gives their end.
char* base64_encode(std::string_view bytes, char* out);

/// Writes at most text.size() / 4 * 3 bytes; gives their end, or null when the text is not base64.
[[nodiscard]] char* base64_decode(std::string_view text, char* out);

}  // namespace millrace::stream
