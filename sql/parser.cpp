#include "sql/parser.hpp"

#include "sql/letters.hpp"
#include "stream/ascii.hpp"

#include <fmt/format.h>
#include <pg_query.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <regex>
#include <string_view>

namespace millrace::sql {
namespace {

using stream::lower_case;

// Words that PostgreSQL reserves and that people like to call columns.
constexpr auto kReservedWords = std::to_array<std::string_view>(
    {"offset", "order",   "group",   "user",  "limit", "end",        "check",
     "column", "default", "desc",    "table", "to",    "references", "window",
     "when",   "then",    "analyse", "both",  "do",    "only"});

// The parser counts letters from 1; everything else here counts bytes from 0.
std::size_t byte_of(std::string_view text, int letter) {
  int letters = 0;
  for (std::size_t byte = 0; byte < text.size(); ++byte) {
    if ((static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U && ++letters == letter) {
      return byte;
    }
  }
  return text.size();
}

std::string_view word_at(std::string_view text, std::size_t position) {
  std::size_t end = position;
  while (end < text.size() && is_word_letter(text[end])) ++end;
  return text.substr(position, end - position);
}

// The word that ends before `position`, past spaces and one comma or dot; where it begins.
std::size_t word_before(std::string_view text, std::size_t position) {
  while (position > 0 && !is_word_letter(text[position - 1])) --position;
  while (position > 0 && is_word_letter(text[position - 1])) --position;
  return position;
}

bool is_reserved(std::string_view word) {
  return std::ranges::find(kReservedWords, lower_case(word)) != kReservedWords.end();
}

// The last place before `end` where the pattern stands; empty when it stands nowhere.
std::smatch last_match(const std::string& text, std::string::const_iterator end,
                       const std::regex& pattern) {
  std::smatch last;
  for (std::sregex_iterator match(text.begin(), end, pattern), none; match != none; ++match)
    last = *match;
  return last;
}

// CREATE TABLE t WITH (...), which PostgreSQL reads as the beginning of CREATE TABLE t ... AS.
void explain_missing_columns(const std::string& text, Error& error) {
  static const std::regex pattern(R"re(create\s+table\s+("[^"]*"|\w+)\s+(with)\b)re",
                                  std::regex::icase);
  const auto end = text.begin() + std::min<std::ptrdiff_t>(error.position + 1, std::ssize(text));
  const std::smatch last = last_match(text, end, pattern);
  if (last.empty() || std::find(last[0].second, end, ';') + 1 < end) return;
  error.message = fmt::format(
      "CREATE TABLE {0} needs a list of columns, which may be empty: "
      "CREATE TABLE {0} () WITH (...)",
      last[1].str());
  error.position = static_cast<std::int32_t>(last.position(2));
}

void explain_reserved_word(const std::string& text, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  const std::size_t before = word_before(text, position);
  for (const std::size_t candidate : {position, before}) {
    const std::string_view word = word_at(text, candidate);
    if (!is_reserved(word)) continue;
    error.message += fmt::format(
        "; {0} is a word of SQL: to use it as a name, write \"{0}\" in double quotes{1}", word,
        lower_case(word) == "offset" ? ", or its table before it, as in c.offset" : "");
    error.position = static_cast<std::int32_t>(candidate);
    return;
  }
}

// SELECT offset + 1 ..., which begins an OFFSET clause behind a SELECT of nothing.
void explain_offset(const std::string& text, Error& error) {
  static const std::regex pattern(R"re(select\s+(offset)\b)re", std::regex::icase);
  const auto end = text.begin() + std::min<std::ptrdiff_t>(error.position, std::ssize(text));
  const std::smatch last = last_match(text, end, pattern);
  if (last.empty() || std::find(last[0].second, end, ';') != end) return;
  error.position = static_cast<std::int32_t>(last.position(1));
  explain_reserved_word(text, error);
}

// WITH (kafka.linger.ms = ...): a name has at most one dot unless it is quoted.
void explain_dotted_option(const std::string& text, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  if (position >= text.size() || text[position] != '.') return;
  std::size_t begin = position;
  while (begin > 0 && (is_word_letter(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  std::size_t end = position;
  while (end < text.size() && (is_word_letter(text[end]) || text[end] == '.')) ++end;
  error.message += fmt::format("; a name with dots is written in double quotes: \"{}\"",
                               std::string_view(text).substr(begin, end - begin));
  error.position = static_cast<std::int32_t>(begin);
}

// LEFT ANTI JOIN and LEFT SEMI JOIN, which PostgreSQL does not have.
void explain_join_word(const std::string& text, Error& error) {
  const std::string word = lower_case(word_at(text, static_cast<std::size_t>(error.position)));
  if (word != "anti" && word != "semi") return;
  error.message += fmt::format(
      "; such a join is written WHERE {}EXISTS (SELECT 1 FROM b WHERE b.x = "
      "a.x)",
      word == "anti" ? "NOT " : "");
}

// exists(list, x -> ...): the word is kept for sub-queries.
void explain_exists(const std::string& text, Error& error) {
  const std::size_t word = word_before(text, static_cast<std::size_t>(error.position));
  if (lower_case(word_at(text, word)) != "exists") return;
  error.message +=
      "; exists before an array is written in double quotes: \"exists\"(array, x -> ...)";
  error.position = static_cast<std::int32_t>(word);
}

// FROM (SELECT ...) without a name, which PostgreSQL's message asks for and does not show.
void explain_missing_alias(Error& error) {
  const bool is_values = error.message == "VALUES in FROM must have an alias";
  if (!is_values && error.message != "subquery in FROM must have an alias") return;
  error.message = is_values ? "VALUES in FROM needs a name: write (VALUES ...) AS v(a, b)"
                            : "a sub-query in FROM needs a name: write (SELECT ...) AS q";
}

// Where the parenthesis that encloses `position` opens; nothing when none does. Quotes are not
// read: this is for a message.
std::optional<std::size_t> open_parenthesis(std::string_view text, std::size_t position) {
  int depth = 0;
  for (std::size_t at = std::min(position, text.size()); at-- > 0;) {
    if (text[at] == ';') break;
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && depth-- == 0) return at;
  }
  return std::nullopt;
}

// try_cast(x AS int) and CAST(x, 'int'): each has the other's form.
void explain_cast(const std::string& text, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  const auto open = open_parenthesis(text, position);
  if (!open) return;
  const std::string function = lower_case(word_at(text, word_before(text, *open)));
  if (function == "try_cast" && lower_case(word_at(text, position)) == "as") {
    error.message += "; write try_cast(value, 'type')";
  } else if (function == "cast" && position < text.size() && text[position] == ',') {
    error.message +=
        "; write CAST(value AS type), or try_cast(value, 'type') for null where it fails";
  }
}

Error explained(const PgQueryError& failure, const std::string& text) {
  Error error{ErrorCode::kInvalidArgument, failure.message,
              static_cast<std::int32_t>(byte_of(text, failure.cursorpos))};
  const std::string plain = error.message;
  explain_missing_alias(error);
  if (error.message == plain) explain_missing_columns(text, error);
  if (error.message == plain) explain_dotted_option(text, error);
  if (error.message == plain) explain_cast(text, error);
  if (error.message == plain) explain_reserved_word(text, error);
  if (error.message == plain) explain_join_word(text, error);
  if (error.message == plain) explain_exists(text, error);
  if (error.message == plain) explain_offset(text, error);
  return error;
}

}  // namespace

Result<formats::JsonValue> parse_tree(const std::string& text) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos) {
    return fail(Error{ErrorCode::kInvalidArgument, "SQL text cannot hold a zero byte",
                      static_cast<std::int32_t>(nul)});
  }
  PgQueryParseResult parsed = pg_query_parse(text.c_str());
  Result<formats::JsonValue> result =
      parsed.error != nullptr ? Result<formats::JsonValue>(fail(explained(*parsed.error, text)))
                              : formats::JsonValue::parse(parsed.parse_tree);
  const bool is_too_deep = parsed.error == nullptr && !result;
  pg_query_free_parse_result(parsed);
  if (!is_too_deep) return result;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the SQL is nested too deeply: an expression of hundreds of operators "
                          "one within another cannot be read ({})",
                          result.error().message));
}

}  // namespace millrace::sql
