#include "stream/functions/time_pattern.hpp"

#include <algorithm>
#include <array>
#include <cctype>

// Taking a pattern apart; writing and reading are in files of their own.

namespace millrace::stream {

namespace {

constexpr std::size_t kItemRoom = 32;

/// How long a run of a letter may be.
struct LetterRule {
  char letter;
  std::size_t count_max;
};

constexpr auto kLetters = std::to_array<LetterRule>({
    {'G', 4}, {'y', 6}, {'M', 4}, {'L', 4}, {'d', 2}, {'D', 3}, {'Q', 4}, {'q', 4},
    {'E', 4}, {'F', 1}, {'a', 1}, {'h', 2}, {'K', 2}, {'k', 2}, {'H', 2}, {'m', 2},
    {'s', 2}, {'S', 9}, {'V', 2}, {'z', 3}, {'O', 4}, {'X', 5}, {'x', 5}, {'Z', 5},
});

Error pattern_error(const std::string& problem) {
  return {ErrorCode::kInvalidArgument, "in a pattern of times " + problem};
}

Status check_letter(char letter, std::size_t count) {
  const auto* rule = std::ranges::find(kLetters, letter, &LetterRule::letter);
  const std::string run(count, letter);
  if (rule == kLetters.end()) {
    return fail(pattern_error("the letter " + std::string(1, letter) +
                              " means nothing; put text between single quotes"));
  }
  const bool is_uneven =
      (letter == 'V' && count != 2) || (letter == 'O' && count != 1 && count != 4);
  if (count > rule->count_max || is_uneven)
    return fail(pattern_error(run + " has a number of letters that means nothing"));
  return {};
}

/// Whether the item is a number of just so many digits, which the one before leaves for it.
std::size_t fixed_digits(const TimePattern::Item& item) {
  constexpr std::string_view kTwoDigits = "MLdHhKkms";
  if (item.letter == 'S') return item.count;
  if (item.letter == 'y') return item.count == 2 ? 2 : 0;
  if (item.letter == 'D') return item.count == 3 ? 3 : 0;
  return item.count == 2 && kTwoDigits.find(item.letter) != std::string_view::npos ? 2 : 0;
}

}  // namespace

void TimePattern::add_text(std::string_view text) {
  room_ += text.size();
  if (items_.empty() || items_.back().letter != '\'') items_.push_back({'\'', 0, {}, 0, 0});
  items_.back().text += text;
}

Status TimePattern::take_quoted(std::string_view text, std::size_t& at) {
  if (text.substr(at).starts_with("''")) {
    add_text("'");
    at += 2;
    return {};
  }
  for (++at; at < text.size(); ++at) {
    if (text[at] != '\'') {
      add_text(text.substr(at, 1));
    } else if (text.substr(at).starts_with("''")) {
      add_text("'");
      ++at;
    } else {
      ++at;
      return {};
    }
  }
  return fail(pattern_error("a quote is never closed"));
}

Status TimePattern::check_brackets() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].letter == '[') open.push_back(i);
    if (items_[i].letter != ']') continue;
    if (open.empty()) return fail(pattern_error("a ] has no ["));
    items_[open.back()].end = i;
    open.pop_back();
  }
  // One that is never closed goes to the end.
  for (; !open.empty(); open.pop_back()) {
    items_[open.back()].end = items_.size();
    items_.push_back({']', 0, {}, 0, 0});
  }
  return {};
}

void TimePattern::reserve_digits() {
  for (std::size_t i = items_.size(); i-- > 1;) {
    const std::size_t digits = fixed_digits(items_[i]);
    if (digits > 0) items_[i - 1].reserved = digits + items_[i].reserved;
  }
}

Result<TimePattern> TimePattern::compile(std::string_view text) {
  TimePattern pattern;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\'') {
      MILLRACE_TRY(pattern.take_quoted(text, at));
      continue;
    }
    if (c == '{' || c == '}' || c == '#')
      return fail(pattern_error(std::string(1, c) + " means nothing; put it in single quotes"));
    if (c == '[' || c == ']') {
      pattern.items_.push_back({c, 0, {}, 0, 0});
      ++at;
    } else if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      pattern.add_text(text.substr(at++, 1));
    } else {
      const std::size_t end = std::min(text.find_first_not_of(c, at), text.size());
      MILLRACE_TRY(check_letter(c, end - at));
      pattern.items_.push_back({c, end - at, {}, 0, 0});
      pattern.room_ += kItemRoom;
      at = end;
    }
  }
  MILLRACE_TRY(pattern.check_brackets());
  pattern.reserve_digits();
  return pattern;
}

Result<TimePattern> TimePattern::for_writing(std::string_view text) {
  MILLRACE_ASSIGN(TimePattern pattern, compile(text));
  constexpr std::size_t kZoneNameRoom = 64;
  for (const Item& item : pattern.items_) {
    if (item.letter == 'V') pattern.room_ += kZoneNameRoom;
  }
  return pattern;
}

Result<TimePattern> TimePattern::for_reading(std::string_view text) {
  constexpr std::string_view kOnlyWritten = "EFQq";
  MILLRACE_ASSIGN(TimePattern pattern, compile(text));
  for (const Item& item : pattern.items_) {
    if (item.letter != '\'' && kOnlyWritten.find(item.letter) != std::string_view::npos) {
      return fail(
          pattern_error("the letter " + std::string(1, item.letter) + " is only for writing"));
    }
  }
  return pattern;
}

}  // namespace millrace::stream
