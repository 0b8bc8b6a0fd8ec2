#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace millrace::stream {

/// How characters are written as bytes elsewhere; texts here are UTF-8.
enum class CharacterSet {
  kUtf8,
  kAscii,
  kLatin1,
  kUtf16,  ///< written with a byte order mark, big end first; read as its mark says
  kUtf16BigEndian,
  kUtf16LittleEndian,
  kUtf32,  ///< big end first; read as its mark says, if there is one
};

inline constexpr const char* kCharacterSetNames =
    "UTF-8, US-ASCII, ISO-8859-1, UTF-16, UTF-16BE, UTF-16LE, UTF-32";

/// Reads a name of the list above, in any case.
[[nodiscard]] std::optional<CharacterSet> parse_character_set(std::string_view name);

/// Bytes that a text needs at most in any character set.
[[nodiscard]] constexpr std::size_t encoded_size_max(std::string_view text) {
  return text.size() * 4 + 2;
}
/// Writes a text; gives the bytes written, or nothing if a character is not in the set.
[[nodiscard]] std::optional<std::size_t> write_encoded(std::string_view text, CharacterSet set,
                                                       char* out);

/// Bytes that a text has at most once decoded.
[[nodiscard]] constexpr std::size_t decoded_size_max(std::string_view bytes) {
  return bytes.size() * 2;
}
/// Writes bytes as a text; gives its length, or nothing if they are not of the set.
[[nodiscard]] std::optional<std::size_t> write_decoded(std::string_view bytes, CharacterSet set,
                                                       char* out);

}  // namespace millrace::stream
