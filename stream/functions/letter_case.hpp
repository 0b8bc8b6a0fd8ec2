#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::stream {

// Case by Unicode's full mapping for no language in particular: ß becomes SS, İ becomes i with a
// dot above, Σ at the end of a word becomes ς. Bytes that are no UTF-8 stay as they are. Each gives
// the length written.

/// How much longer a text may become: `out` has room for this many times the bytes of the text.
inline constexpr std::size_t kCaseGrowthMax = 3;

std::size_t write_upper(std::string_view text, char* out);
std::size_t write_lower(std::string_view text, char* out);
/// The first letter of the text and each one behind a space as a title has it, all others small.
std::size_t write_title(std::string_view text, char* out);

}  // namespace millrace::stream
