#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::stream {

/// Whether the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// How many bytes at the front are UTF-8: where the first character that is none begins.
[[nodiscard]] std::size_t utf8_prefix(std::string_view bytes);

// Case by Unicode's simple mapping for ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic
// (U+0000 to U+045F), and ß -> SS in upper case. Other characters and bytes that are no UTF-8 stay
// as they are. A text never grows by it, so `out` needs the room of the text; gives the length.

std::size_t write_upper(std::string_view text, char* out);
std::size_t write_lower(std::string_view text, char* out);

}  // namespace millrace::stream
