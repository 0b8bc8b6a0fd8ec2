#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::sql {

/// The text with blanks for what is not code: comments, and what stands within quotes. The quotes
/// stay, and so does every place and every end of line. It is for finding words, not for parsing.
[[nodiscard]] std::string code_outline(std::string_view text);

/// Where the statement around `position` begins and ends (its semicolon, or the text's end), in
/// such an outline.
struct StatementSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};
[[nodiscard]] StatementSpan statement_around(std::string_view outline, std::size_t position);

}  // namespace millrace::sql
