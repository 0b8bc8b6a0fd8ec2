#include "stream/functions/number_pattern.hpp"

#include <algorithm>
#include <cstring>

namespace millrace::stream {

namespace {

constexpr std::string_view kDigits = "#0,.";

Error pattern_error(const std::string& problem) {
  return {ErrorCode::kInvalidArgument, "in a pattern of numbers " + problem};
}

/// Takes text that stands for itself off the front, quotes being for what would not.
Status take_text(std::string_view& rest, std::string& text) {
  bool is_quoted = false;
  for (; !rest.empty(); rest.remove_prefix(1)) {
    const char c = rest.front();
    if (c == '\'' && rest.substr(1).starts_with('\'')) {
      text += c;
      rest.remove_prefix(1);
    } else if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && kDigits.find(c) != std::string_view::npos) {
      return {};
    } else if (!is_quoted &&
               (c == '%' || c == ';' || rest.starts_with("‰") || rest.starts_with("¤"))) {
      return fail(pattern_error("% ‰ ¤ and ; are not supported; put text between single quotes"));
    } else {
      text += c;
    }
  }
  if (is_quoted) return fail(pattern_error("a quote is never closed"));
  return {};
}

char* append(char* end, std::string_view text) {
  if (!text.empty()) std::memcpy(end, text.data(), text.size());
  return end + text.size();
}

int count(std::string_view text, char c) { return static_cast<int>(std::ranges::count(text, c)); }

}  // namespace

NumberPattern NumberPattern::with_places(int places) {
  NumberPattern pattern;
  pattern.group_ = 3;
  pattern.fraction_min_ = places;
  pattern.fraction_max_ = places;
  return pattern;
}

Status NumberPattern::take_digits(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::string_view whole = digits.substr(0, point);
  const std::string_view fraction = digits.substr(std::min(point + 1, digits.size()));
  const bool is_in_order =
      whole.find('#', std::min(whole.find('0'), whole.size())) == std::string_view::npos &&
      fraction.find('0', std::min(fraction.find('#'), fraction.size())) == std::string_view::npos;
  if (!is_in_order || fraction.find_first_of(".,") != std::string_view::npos ||
      whole.ends_with(','))
    return fail(
        pattern_error("# stands outside of 0, and commas within the digits before the point"));
  const std::size_t comma = whole.rfind(',');
  group_ = comma == std::string_view::npos ? 0 : static_cast<int>(whole.size() - comma) - 1;
  whole_min_ = count(whole, '0');
  fraction_min_ = count(fraction, '0');
  fraction_max_ = static_cast<int>(fraction.size());
  if (fraction_max_ > kFractionMax)
    return fail(pattern_error("there are more than " + std::to_string(kFractionMax) +
                              " digits behind the point"));
  // ###.### has at least one digit, and .### one behind the point, as Java has it.
  if (whole_min_ + fraction_min_ > 0 || point == digits.size()) return {};
  if (whole.empty())
    fraction_min_ = std::min(1, fraction_max_);
  else
    whole_min_ = 1;
  return {};
}

Result<NumberPattern> NumberPattern::parse(std::string_view text) {
  if (text.empty()) return with_places(0);
  NumberPattern pattern;
  MILLRACE_TRY(take_text(text, pattern.prefix_));
  const std::size_t end = std::min(text.find_first_not_of(kDigits), text.size());
  if (text.substr(0, end).find_first_of("#0") == std::string_view::npos)
    return fail(pattern_error("there are no digits"));
  MILLRACE_TRY(pattern.take_digits(text.substr(0, end)));
  text.remove_prefix(end);
  if (text.starts_with('E')) return fail(pattern_error("E is not supported"));
  MILLRACE_TRY(take_text(text, pattern.suffix_));
  if (!text.empty()) return fail(pattern_error("digits stand in two places"));
  return pattern;
}

std::size_t NumberPattern::room(const NumberDigits& digits) const {
  const std::size_t whole = std::max(digits.whole.size(), static_cast<std::size_t>(whole_min_));
  return prefix_.size() + suffix_.size() + 2 * whole + static_cast<std::size_t>(fraction_max_) + 8;
}

char* NumberPattern::write_whole(std::string_view whole, char* out) const {
  const int zeroes = whole_min_ - static_cast<int>(whole.size());
  int left = static_cast<int>(whole.size()) + std::max(zeroes, 0);
  for (std::size_t i = 0; left > 0; --left) {
    *out++ = left > static_cast<int>(whole.size()) ? '0' : whole[i++];
    if (group_ > 0 && left > 1 && (left - 1) % group_ == 0) *out++ = ',';
  }
  return out;
}

std::size_t NumberPattern::write(bool is_negative, NumberDigits digits, char* out) const {
  char* end = out;
  if (is_negative) *end++ = '-';
  end = append(end, prefix_);
  char* const begin = end;
  end = write_whole(digits.whole, end);
  while (static_cast<int>(digits.fraction.size()) > fraction_min_ && digits.fraction.ends_with('0'))
    digits.fraction.remove_suffix(1);
  const bool has_fraction = fraction_min_ > 0 || !digits.fraction.empty();
  if (end == begin && !has_fraction) *end++ = '0';
  if (has_fraction) *end++ = '.';
  end = append(end, digits.fraction);
  for (int i = static_cast<int>(digits.fraction.size()); i < fraction_min_; ++i) *end++ = '0';
  end = append(end, suffix_);
  return static_cast<std::size_t>(end - out);
}

std::size_t NumberPattern::write_word(bool is_negative, std::string_view word, char* out) const {
  char* end = out;
  if (is_negative) *end++ = '-';
  end = append(append(append(end, prefix_), word), suffix_);
  return static_cast<std::size_t>(end - out);
}

}  // namespace millrace::stream
