#include "sql/foreign_forms.hpp"

#include "sql/code_outline.hpp"
#include "sql/letters.hpp"
#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace millrace::sql {
namespace {

using stream::equals_ignoring_case;

constexpr std::string_view kTry = "try_";

bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// The byte of the last letter before `at` that is no blank; npos: none.
std::size_t letter_before(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at == 0 ? std::string_view::npos : at - 1;
}

/// Where the word that ends at `end` begins.
std::size_t word_begin(std::string_view text, std::size_t end) {
  while (end > 0 && is_word_letter(text[end - 1])) --end;
  return end;
}

// Quotes of the whole statement at once: the parser may stop anywhere behind the first.
bool mend_backquotes(std::string& text, const std::string& outline, std::size_t position) {
  const auto [begin, end] = statement_around(outline, position);
  bool is_mended = false;
  std::size_t at = outline.find('`', begin);
  while (at < end) {
    const std::size_t close = outline.find('`', at + 1);
    if (close >= end) break;
    const std::string_view name = std::string_view(text).substr(at + 1, close - at - 1);
    if (!name.empty() && name.find_first_of("\"`") == std::string_view::npos) {
      text[at] = text[close] = '"';
      is_mended = true;
    }
    at = outline.find('`', close + 1);
  }
  return is_mended;
}

// The parser stops at one of the parentheses.
bool mend_call_of_word(std::string& text, const std::string& outline, std::size_t position) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"current_timestamp", "current_date", "localtimestamp"});
  std::size_t open = position;
  if (outline[position] == ')') open = letter_before(outline, position);
  if (open >= outline.size() || outline[open] != '(') return false;
  const std::size_t close = skip_blanks(outline, open + 1);
  if (close >= outline.size() || outline[close] != ')') return false;
  const std::size_t last = letter_before(outline, open);
  if (last == std::string_view::npos) return false;
  const std::size_t begin = word_begin(outline, last + 1);
  const std::string_view word = std::string_view(outline).substr(begin, last + 1 - begin);
  const bool is_known = std::ranges::any_of(
      kWords, [&](std::string_view known) { return equals_ignoring_case(word, known); });
  if (is_known) text[open] = text[close] = ' ';
  return is_known;
}

// array(1, 2): behind ARRAY( the parser wants a SELECT.
bool mend_array_call(std::string& text, const std::string& outline, std::size_t position) {
  const std::size_t open = letter_before(outline, position);
  if (open == std::string_view::npos || outline[open] != '(') return false;
  const std::size_t last = letter_before(outline, open);
  if (last == std::string_view::npos) return false;
  const std::size_t begin = word_begin(outline, last + 1);
  if (!equals_ignoring_case(std::string_view(outline).substr(begin, last + 1 - begin), "array"))
    return false;
  int depth = 1;
  for (std::size_t at = open + 1; at < outline.size() && outline[at] != ';'; ++at) {
    if (outline[at] == '(') ++depth;
    if (outline[at] != ')' || --depth > 0) continue;
    text[open] = '[';
    text[at] = ']';
    return true;
  }
  return false;
}

// The parser stops at AS: of try_cast it reads a plain call.
bool mend_try_cast(std::string& text, const std::string& outline, std::size_t position) {
  if (!equals_ignoring_case(std::string_view(outline).substr(position, 2), "as")) return false;
  int depth = 0;
  for (std::size_t at = position; at-- > 0 && outline[at] != ';';) {
    if (outline[at] == ')') ++depth;
    if (outline[at] != '(' || depth-- > 0) continue;
    const std::size_t last = letter_before(outline, at);
    if (last == std::string_view::npos) return false;
    const std::size_t begin = word_begin(outline, last + 1);
    const std::string_view word = std::string_view(outline).substr(begin, last + 1 - begin);
    if (!equals_ignoring_case(word, "try_cast")) return false;
    std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(begin), kTry.size(), ' ');
    return true;
  }
  return false;
}

// WITH ('connector' = 'kafka'): the parser stops at the name.
bool mend_option_name(std::string& text, const std::string& outline, std::size_t position) {
  if (outline[position] != '\'') return false;
  const std::size_t close = outline.find('\'', position + 1);
  if (close == std::string::npos || close == position + 1) return false;
  const std::size_t behind = skip_blanks(outline, close + 1);
  const std::size_t before = letter_before(outline, position);
  if (behind >= outline.size() || outline[behind] != '=' || before == std::string_view::npos)
    return false;
  if (outline[before] != '(' && outline[before] != ',') return false;
  const std::string_view name = std::string_view(text).substr(position + 1, close - position - 1);
  if (name.find_first_of("\"'") != std::string_view::npos) return false;
  text[position] = text[close] = '"';
  return true;
}

}  // namespace

bool mend_foreign_form(std::string& text, std::size_t position) {
  if (position >= text.size()) position = text.empty() ? 0 : text.size() - 1;
  if (text.empty()) return false;
  const std::string outline = code_outline(text);
  return mend_call_of_word(text, outline, position) || mend_try_cast(text, outline, position) ||
         mend_array_call(text, outline, position) || mend_option_name(text, outline, position) ||
         mend_backquotes(text, outline, position);
}

bool is_try_cast(const std::string& text, std::int32_t position) {
  const auto at = static_cast<std::size_t>(std::max(position, 0));
  return at >= kTry.size() && at <= text.size() &&
         equals_ignoring_case(std::string_view(text).substr(at - kTry.size(), kTry.size()), kTry);
}

}  // namespace millrace::sql
