#include "sql/code_outline.hpp"

#include "sql/letters.hpp"
#include "sql/secret_spans.hpp"

#include <algorithm>

namespace millrace::sql {
namespace {

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at)
    if (text[at] != '\n') text[at] = ' ';
}

std::size_t end_of_comment(std::string_view text, std::size_t at) {
  if (text[at] == '-') return std::min(text.find('\n', at), text.size());
  int depth = 0;
  do {
    const std::string_view two = text.substr(at, 2);
    const bool is_mark = two == "/*" || two == "*/";
    if (is_mark) depth += two == "/*" ? 1 : -1;
    at += is_mark ? 2 : 1;
  } while (depth > 0 && at < text.size());
  return std::min(at, text.size());
}

std::size_t closing_quote(std::string_view text, std::size_t at, char quote, bool is_escaped) {
  for (; at < text.size(); ++at) {
    if (is_escaped && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (text.substr(at + 1, 1) != std::string_view(&quote, 1)) return at;
      ++at;
    }
  }
  return text.size();
}

}  // namespace

std::string code_outline(std::string_view text) {
  std::string outline(text);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "--" || two == "/*") {
      const std::size_t end = end_of_comment(text, at);
      blank(outline, at, end);
      at = end;
    } else if (text[at] == '\'' || text[at] == '"' || text[at] == '`') {
      const bool is_escaped = text[at] == '\'' && at > 0 &&
                              stream::lower_letter(text[at - 1]) == 'e' &&
                              (at == 1 || !is_word_letter(text[at - 2]));
      const std::size_t end = closing_quote(text, at + 1, text[at], is_escaped);
      blank(outline, at + 1, end);
      at = std::min(end + 1, text.size());
    } else if (const std::string_view tag = dollar_tag(text, at); !tag.empty()) {
      const std::size_t end = std::min(text.find(tag, at + tag.size()), text.size());
      blank(outline, at + tag.size(), end);
      at = std::min(end + tag.size(), text.size());
    } else {
      ++at;
    }
  }
  return outline;
}

StatementSpan statement_around(std::string_view outline, std::size_t position) {
  position = std::min(position, outline.size());
  const std::size_t before =
      position == 0 ? std::string_view::npos : outline.rfind(';', position - 1);
  StatementSpan span;
  span.begin = before == std::string_view::npos ? 0 : before + 1;
  span.end = std::min(outline.find(';', position), outline.size());
  return span;
}

}  // namespace millrace::sql
