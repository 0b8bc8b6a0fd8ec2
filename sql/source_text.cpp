#include "sql/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace millrace::sql {
namespace {

bool is_name_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Where a comment that begins at `at` ends; `at` itself when none begins there.
std::size_t comment_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "--") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

bool continues_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues_letter(byte); }));
}

}  // namespace

Result<SourceText> SourceText::make(std::string original, const Variables& variables) {
  SourceText source(std::move(original));
  MILLRACE_TRY(source.fill(variables));
  return source;
}

Status SourceText::fill(const Variables& variables) {
  pieces_.push_back(Piece{});
  char quote = 0;
  std::size_t at = 0;
  while (at < original_.size()) {
    const char letter = original_[at];
    if (quote == 0) {
      const std::size_t end = comment_end(original_, at);
      text_.append(original_, at, end - at);
      if (end != at) {
        at = end;
        continue;
      }
    }
    if (std::string_view(original_).substr(at, 2) == "${") {
      MILLRACE_TRY(add_variable(at, quote, variables));
      continue;
    }
    // A doubled quote closes and opens again, which comes to the same.
    if (quote == 0 && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else if (letter == quote) {
      quote = 0;
    }
    text_ += letter;
    ++at;
  }
  return {};
}

Status SourceText::add_variable(std::size_t& at, char quote, const Variables& variables) {
  std::size_t end = at + 2;
  while (end < original_.size() && is_name_letter(original_[end])) ++end;
  const std::string name = original_.substr(at + 2, end - at - 2);
  if (name.empty() || end == original_.size() || original_[end] != '}') {
    return fail(located_in_original(
        Error{ErrorCode::kInvalidArgument,
              "a variable is written ${NAME}, of letters, digits and underscores", -1},
        at));
  }
  const auto value = variables(name);
  if (!value) {
    return fail(located_in_original(
        Error{ErrorCode::kInvalidArgument,
              fmt::format("nothing is known of ${{{0}}}: give it with --set {0}=... or in the "
                          "environment",
                          name),
              -1},
        at));
  }
  pieces_.push_back(Piece{text_.size(), at, true});
  for (const char letter : *value) {
    text_ += letter;
    if (letter == quote) text_ += letter;
  }
  at = end + 1;
  pieces_.push_back(Piece{text_.size(), at, false});
  return {};
}

Error SourceText::located(Error error) const {
  if (error.position < 0) return error;
  const std::size_t position = original_position(static_cast<std::size_t>(error.position));
  return located_in_original(std::move(error), position);
}

std::size_t SourceText::original_position(std::size_t position) const {
  const auto after = std::ranges::upper_bound(pieces_, position, {}, &Piece::text_begin);
  const Piece& piece = *std::prev(after);
  if (piece.is_value) return piece.original_begin;
  return piece.original_begin + (position - piece.text_begin);
}

Error SourceText::located_in_original(Error error, std::size_t position) const {
  position = std::min(position, original_.size());
  const std::string_view before = std::string_view(original_).substr(0, position);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t end = std::min(original_.find('\n', begin), original_.size());
  const std::string_view text = std::string_view(original_).substr(begin, end - begin);
  std::string indent;
  for (const char byte : text.substr(0, position - begin)) {
    if (!continues_letter(byte)) indent += byte == '\t' ? '\t' : ' ';
  }
  error.message =
      fmt::format("line {}, column {}: {}\n  {}\n  {}^", line,
                  letters_in(text.substr(0, position - begin)) + 1, error.message, text, indent);
  error.position = -1;
  return error;
}

}  // namespace millrace::sql
