#include "sql/secret_spans.hpp"

#include "sql/letters.hpp"
#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace millrace::sql {
namespace {

using stream::is_digit;

bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

bool is_option_letter(char letter) {
  return begins_name(letter) || is_digit(letter) || letter == '.' || letter == '-';
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// "kafka.sasl.Password" -> "kafka_sasl_password".
std::string canonical(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(), [](char letter) {
    return letter == '.' || letter == '-' ? '_' : stream::lower_letter(letter);
  });
  return result;
}

// Wide enough for a name with a slip in it, which is what an error is about; not so wide that a
// column passenger_count is a secret.
bool speaks_of_secret(std::string_view name) {
  constexpr auto kMarks = std::to_array<std::string_view>(
      {"sasl", "ssl", "passw", "pasw", "passph", "sword", "pwd", "secret", "token", "credential",
       "jaas", "api_key", "apikey", "access_key", "private_key", "shared_key", "account_key",
       "encryption_key", "signing_key"});
  const bool has_mark = std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return name.find(mark) != std::string_view::npos; });
  return has_mark || name == "pass" || name.ends_with("_pass") || name.starts_with("pass_");
}

/// A value in quotes: where what it says begins and ends, and the byte behind the last quote.
struct Quoted {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t behind = 0;
  bool is_closed = false;
};

// The quote that ends a text; a doubled one does not, nor one behind a backslash in E'...'.
std::size_t closing_quote(std::string_view text, std::size_t at, bool is_escaped) {
  for (; at < text.size(); ++at) {
    if (is_escaped && text[at] == '\\') {
      ++at;
    } else if (text[at] == '\'') {
      if (text.substr(at + 1, 1) != "'") return at;
      ++at;
    }
  }
  return text.size();
}

// 'a' or E'a', with further texts behind it, which SQL joins.
Quoted quoted_by_ticks(std::string_view text, std::size_t tick, bool is_escaped) {
  Quoted value;
  value.begin = tick + 1;
  while (true) {
    value.end = closing_quote(text, tick + 1, is_escaped);
    value.is_closed = value.end < text.size();
    value.behind = std::min(value.end + 1, text.size());
    tick = skip_blanks(text, value.behind);
    if (!value.is_closed || text.substr(tick, 1) != "'") return value;
  }
}

Quoted quoted_by_dollars(std::string_view text, std::size_t at, std::string_view tag) {
  Quoted value;
  value.begin = at + tag.size();
  value.end = std::min(text.find(tag, value.begin), text.size());
  value.is_closed = value.end < text.size();
  value.behind = std::min(value.end + tag.size(), text.size());
  return value;
}

// What a value may be followed by. Anything else: the quotes are not where they should be.
bool ends_value(std::string_view text, std::size_t at) {
  at = skip_blanks(text, at);
  return at == text.size() || text[at] == ',' || text[at] == ')' || text[at] == ';' ||
         text.substr(at, 2) == "--";
}

SecretSpan span_of_value(std::string_view text, std::size_t at) {
  const bool is_escaped =
      at + 1 < text.size() && (text[at] == 'E' || text[at] == 'e') && text[at + 1] == '\'';
  const std::size_t tick = at + (is_escaped ? 1 : 0);
  const std::string_view tag = at < text.size() ? dollar_tag(text, at) : std::string_view();
  Quoted value;
  if (text.substr(tick, 1) == "'") {
    value = quoted_by_ticks(text, tick, is_escaped);
  } else if (!tag.empty()) {
    value = quoted_by_dollars(text, at, tag);
  } else {
    return {at, line_end(text, at)};
  }
  if (value.is_closed && ends_value(text, value.behind)) return {value.begin, value.end};
  return {value.begin, line_end(text, value.end)};
}

// Where the value of the option that ends at `at` begins; the text's end when none follows.
std::size_t value_begin(std::string_view text, std::size_t at, std::string_view name) {
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) ++at;
  at = skip_blanks(text, at);
  const std::size_t equals = at;
  while (at < text.size() && (text[at] == '=' || text[at] == ':' || text[at] == '>')) ++at;
  // Without an equals sign it may be a column and its type.
  const bool is_option = at > equals || name.starts_with("kafka_");
  at = skip_blanks(text, at);
  return is_option || text.substr(at, 1) == "'" ? at : text.size();
}

}  // namespace

std::string_view dollar_tag(std::string_view text, std::size_t at) {
  const auto is_part_of_name = [](char letter) {
    return begins_name(letter) || is_digit(letter) || letter == '$';
  };
  if (text[at] != '$' || (at > 0 && is_part_of_name(text[at - 1]))) return {};
  std::size_t end = at + 1;
  if (end < text.size() && begins_name(text[end])) {
    while (end < text.size() && text[end] != '$' && is_part_of_name(text[end])) ++end;
  }
  if (end >= text.size() || text[end] != '$') return {};
  return text.substr(at, end + 1 - at);
}

std::vector<SecretSpan> secret_spans(std::string_view text) {
  std::vector<SecretSpan> spans;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_option_letter(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_option_letter(text[at])) ++at;
    const std::string name = canonical(text.substr(begin, at - begin));
    if (!speaks_of_secret(name)) continue;
    const std::size_t value = value_begin(text, at, name);
    if (value == text.size()) continue;
    spans.push_back(span_of_value(text, value));
    at = std::max(at, spans.back().end);
  }
  return spans;
}

}  // namespace millrace::sql
