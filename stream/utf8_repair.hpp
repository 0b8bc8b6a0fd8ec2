#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::stream {

/// Room that write_repaired_utf8 needs at most.
[[nodiscard]] constexpr std::size_t repaired_utf8_size_max(std::size_t size) { return 3 * size; }

/// Writes the bytes as UTF-8: what is none becomes U+FFFD, one for every longest piece that begins
/// a character. Gives the length.
std::size_t write_repaired_utf8(std::string_view bytes, char* out);

}  // namespace millrace::stream
