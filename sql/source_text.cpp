#include "sql/source_text.hpp"

#include "sql/letters.hpp"
#include "sql/secret_spans.hpp"
#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::sql {
namespace {

bool is_part_of_name(char letter) {
  return begins_name(letter) || stream::is_digit(letter) || letter == '$';
}

// Where a comment that begins at `at` ends; `at` itself when none begins there. SQL's comments of
// the second kind nest.
std::size_t comment_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "--") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  std::size_t end = at + 2;
  for (int depth = 1; depth > 0; end += 2) {
    end = text.find_first_of("*/", end);
    if (end == std::string_view::npos) return text.size();
    const std::string_view two = text.substr(end, 2);
    if (two == "/*") {
      ++depth;
    } else if (two == "*/") {
      --depth;
    } else {
      --end;  // one step in all
    }
  }
  return end;
}

// E'...', in which a backslash takes what follows.
bool is_escaped_text(std::string_view text, std::size_t quote) {
  if (quote == 0 || (text[quote - 1] != 'E' && text[quote - 1] != 'e')) return false;
  return quote == 1 || !is_part_of_name(text[quote - 2]);
}

bool continues_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

bool stands_alone(std::string_view text, std::size_t at, std::size_t size) {
  const bool begins = at == 0 || !is_part_of_name(text[at - 1]);
  return begins && (at + size == text.size() || !is_part_of_name(text[at + size]));
}

std::string shortened(std::string_view name) {
  std::size_t shown = std::min<std::size_t>(20, name.size());
  while (shown > 0 && shown < name.size() && continues_letter(name[shown])) --shown;
  return std::string(name.substr(0, shown)) + "...";
}

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
  std::size_t at = 0;
  while (at < original_.size()) {
    const std::size_t end = comment_end(original_, at);
    text_.append(original_, at, end - at);
    if (end != at) {
      at = end;
    } else if (at_variable(at)) {
      add_variable(at, Quote::kNone, variables);
    } else if (original_[at] == '\'' || original_[at] == '"' ||
               !dollar_tag(original_, at).empty()) {
      add_quoted(at, variables);
    } else if (begins_name(original_[at])) {
      add_name(at);
    } else {
      text_ += original_[at++];
    }
  }
  if (problem_) return fail(located_in_original(std::move(*problem_), problem_at_));
  return {};
}

void SourceText::note_problem(std::string message, std::size_t at) {
  if (problem_) return;
  problem_ = Error{ErrorCode::kInvalidArgument, std::move(message), -1};
  problem_at_ = at;
}

bool SourceText::at_variable(std::size_t at) const {
  return std::string_view(original_).substr(at, 2) == "${";
}

// One '...', E'...', "..." or $tag$...$tag$ with what is in it. A doubled quote closes and opens
// again, which comes to the same.
void SourceText::add_quoted(std::size_t& at, const Variables& variables) {
  const std::size_t begin = at;
  const std::string_view source = original_;
  const Quote quote = source[at] == '"'                ? Quote::kName
                      : source[at] == '$'              ? Quote::kDollar
                      : is_escaped_text(source, begin) ? Quote::kEscaped
                                                       : Quote::kText;
  const std::string close(quote == Quote::kDollar ? dollar_tag(source, at) : source.substr(at, 1));
  text_ += close;
  at += close.size();
  const std::size_t text_begin = text_.size();
  while (at < source.size() && source.substr(at, close.size()) != close) {
    if (at_variable(at)) {
      add_variable(at, quote, variables);
      continue;
    }
    if (quote == Quote::kEscaped && source[at] == '\\' && at + 1 < source.size()) {
      text_ += source[at++];
    }
    text_ += source[at++];
  }
  if (quote == Quote::kName) check_length(text_.size() - text_begin, begin, begin + 1, at);
  if (at < source.size()) {
    text_ += close;
    at += close.size();
  }
}

void SourceText::add_name(std::size_t& at) {
  const std::size_t begin = at;
  // A variable may go on with a name: table_${NUMBER}.
  while (at < original_.size() && is_part_of_name(original_[at]) && !at_variable(at)) ++at;
  const std::string_view name = std::string_view(original_).substr(begin, at - begin);
  text_ += name;
  check_length(name.size(), begin, begin, at);
}

// SQL would cut it off without a word, and a field of that name would never be found.
// It is named as written in [name_begin, name_end), for a variable's value is not shown.
void SourceText::check_length(std::size_t bytes, std::size_t place, std::size_t name_begin,
                              std::size_t name_end) {
  constexpr std::size_t kNameBytesMax = 63;
  if (bytes <= kNameBytesMax) return;
  note_problem(fmt::format("a name in SQL has at most {} bytes, {} has {}", kNameBytesMax,
                           shortened(shown(name_begin, name_end)), bytes),
               place);
}

void SourceText::add_variable(std::size_t& at, Quote quote, const Variables& variables) {
  const std::size_t begin = at;
  at += 2;
  while (at < original_.size() && is_word_letter(original_[at])) ++at;
  const std::string name = original_.substr(begin + 2, at - begin - 2);
  if (name.empty() || at == original_.size() || original_[at] != '}') {
    return note_problem("a variable is written ${NAME}, of letters, digits and underscores", begin);
  }
  ++at;
  const auto value = variables(name);
  if (!value) {
    return note_problem(
        fmt::format("nothing is known of ${{{0}}}: give it with --set {0}=... or in the "
                    "environment",
                    name),
        begin);
  }
  if (quote == Quote::kDollar && value->find('$') != std::string::npos) {
    return note_problem(
        fmt::format("the value of ${{{}}} has a dollar sign, which could end the text that it "
                    "stands in: write that text in single quotes",
                    name),
        begin);
  }
  pieces_.push_back(Piece{text_.size(), begin, true});
  for (const char letter : *value) {
    text_ += letter;
    const bool is_quote = (letter == '\'' && (quote == Quote::kText || quote == Quote::kEscaped)) ||
                          (letter == '"' && quote == Quote::kName) ||
                          (letter == '\\' && quote == Quote::kEscaped);
    if (is_quote) text_ += letter;
  }
  pieces_.push_back(Piece{text_.size(), at, false});
}

Error SourceText::located(Error error) const {
  if (error.position >= 0) hide_quotation(error);
  hide_values(error.message);
  if (error.position < 0) return error;
  const std::size_t position = original_position(static_cast<std::size_t>(error.position));
  return located_in_original(std::move(error), position);
}

// The parser quotes what it stumbled over, to the end of the text when a quote is missing. What
// comes from a variable or is a secret does not belong there.
void SourceText::hide_quotation(Error& error) const {
  constexpr std::string_view kLead = " at or near \"";
  const std::size_t lead = error.message.find(kLead);
  if (lead == std::string::npos) return;
  const std::size_t last = std::max(error.message.rfind('"'), lead + kLead.size());
  const auto begin = static_cast<std::size_t>(error.position);
  const std::size_t end = begin + (last - lead - kLead.size());
  bool is_hidden = std::ranges::any_of(secret_spans(text_), [&](const SecretSpan& secret) {
    return secret.begin <= end && begin <= secret.end;
  });
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::size_t piece_end = i + 1 < pieces_.size() ? pieces_[i + 1].text_begin : text_.size();
    is_hidden |= pieces_[i].is_value && pieces_[i].text_begin <= end && begin < piece_end;
  }
  if (is_hidden) error.message.erase(lead, last + 1 - lead);
}

// A message may repeat a value: as the name of a column, as the text of a condition, in lower case.
void SourceText::hide_values(std::string& message) const {
  constexpr std::size_t kShortest = 3;  // a shorter one is no secret, and stands in many a word
  constexpr std::size_t kLong = 8;      // one so long is found within words, too
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].is_value) continue;
    const std::size_t end = i + 1 < pieces_.size() ? pieces_[i + 1].text_begin : text_.size();
    const std::string value =
        stream::lower_case(text_.substr(pieces_[i].text_begin, end - pieces_[i].text_begin));
    if (value.size() < kShortest) continue;
    const std::size_t close = original_.find('}', pieces_[i].original_begin) + 1;
    const std::string name =
        original_.substr(pieces_[i].original_begin, close - pieces_[i].original_begin);
    std::size_t at = stream::lower_case(message).find(value);
    while (at != std::string::npos) {
      const bool is_hidden = value.size() >= kLong || stands_alone(message, at, value.size());
      if (is_hidden) message.replace(at, value.size(), name);
      at = stream::lower_case(message).find(value, at + (is_hidden ? name.size() : 1));
    }
  }
}

std::size_t SourceText::original_position(std::size_t position) const {
  const auto after = std::ranges::upper_bound(pieces_, position, {}, &Piece::text_begin);
  const Piece& piece = *std::prev(after);
  if (piece.is_value) return piece.original_begin;
  return piece.original_begin + (position - piece.text_begin);
}

// The original from `begin` to `end`, with three asterisks where a secret is.
std::string SourceText::shown(std::size_t begin, std::size_t end) const {
  std::string text;
  for (const SecretSpan& secret : secret_spans(original_)) {
    if (secret.end <= begin || secret.begin >= end) continue;
    text.append(original_, begin, std::max(secret.begin, begin) - begin);
    text += "***";
    begin = std::min(secret.end, end);
  }
  return text.append(original_, begin, end - begin);
}

Error SourceText::located_in_original(Error error, std::size_t position) const {
  position = std::min(position, original_.size());
  const std::string_view before = std::string_view(original_).substr(0, position);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t end = std::min(original_.find('\n', begin), original_.size());
  const std::string indented = shown(begin, position);
  std::string indent;
  for (const char byte : indented) {
    if (!continues_letter(byte)) indent += byte == '\t' ? '\t' : ' ';
  }
  error.message =
      fmt::format("line {}, column {}: {}\n  {}\n  {}^", line,
                  letters_in(std::string_view(original_).substr(begin, position - begin)) + 1,
                  error.message, indented + shown(position, end), indent);
  error.position = -1;
  return error;
}

}  // namespace millrace::sql
