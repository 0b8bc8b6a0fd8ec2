#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::stream {

/// Whether the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// How many bytes at the front are UTF-8: where the first character that is none begins.
[[nodiscard]] std::size_t utf8_prefix(std::string_view bytes);

/// Length of the run of ASCII at the front.
[[nodiscard]] std::size_t ascii_prefix(std::string_view text);

// Characters are Unicode code points. In bytes that are no UTF-8 each one that begins no character
// counts as one.

/// Bytes that the character at the front of a text takes; the text is not empty.
[[nodiscard]] std::size_t character_size(std::string_view text);
/// The character at the front of a text, 0xFFFD if it is malformed; the text is not empty.
[[nodiscard]] char32_t first_character(std::string_view text);
/// Writes one character, at most four bytes; gives how many. Surrogates become U+FFFD.
std::size_t write_character(char32_t character, char* out);

/// How many characters the text has.
[[nodiscard]] std::size_t count_characters(std::string_view text);
/// Where the character of that number begins, counted from 0; the end if there are not so many.
[[nodiscard]] std::size_t offset_of_character(std::string_view text, std::size_t number);

}  // namespace millrace::stream
