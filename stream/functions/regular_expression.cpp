#include "stream/functions/regular_expression.hpp"

#include "stream/utf8.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace millrace::stream {

namespace {

constexpr std::size_t kGroupsMax = 200;

/// A class of Java's and RE2's word for it, as it stands within brackets.
struct NamedClass {
  std::string_view java;
  std::string_view inside;
};

constexpr auto kNamedClasses = std::to_array<NamedClass>({
    {"Lower", "a-z"},
    {"Upper", "A-Z"},
    {"ASCII", "\\x00-\\x7F"},
    {"Alpha", "a-zA-Z"},
    {"Digit", "0-9"},
    {"Alnum", "a-zA-Z0-9"},
    {"Punct", "!-/:-@\\[-`{-~"},
    {"Graph", "!-~"},
    {"Print", " -~"},
    {"Blank", " \\t"},
    {"Cntrl", "\\x00-\\x1F\\x7F"},
    {"XDigit", "0-9a-fA-F"},
    {"Space", " \\t\\n\\x0B\\f\\r"},
    {"IsAlphabetic", "\\p{L}\\p{Nl}"},
    {"IsLetter", "\\p{L}"},
    {"IsDigit", "\\p{Nd}"},
    {"IsUppercase", "\\p{Lu}"},
    {"IsLowercase", "\\p{Ll}"},
    {"IsPunctuation", "\\p{P}"},
    {"IsWhite_Space", "\\t-\\r\\x{85}\\p{Z}"},
});

Error refused(std::string_view pattern, std::string_view what) {
  return {ErrorCode::kInvalidArgument, "the regular expression '" + std::string(pattern) +
                                           "' is not taken: " + std::string(what)};
}

/// Turns Java's syntax into RE2's, and refuses what RE2 would read as something else.
class PatternTranslator {
 public:
  explicit PatternTranslator(std::string_view pattern) : pattern_(pattern) {}

  Result<std::string> translate() {
    while (at_ < pattern_.size()) MILLRACE_TRY(take_one());
    return std::move(result_);
  }

 private:
  Status take_one() {
    if (starts("\\")) return take_escape();
    if (in_brackets_) return take_in_brackets();
    if (starts("[")) return open_brackets();
    if (starts("(?")) return take_group();
    if (at_ > 0 && starts("+") && is_quantifier_before())
      return fail(refused(pattern_, "possessive quantifiers (a++) are not supported"));
    copy(1);
    return {};
  }

  Status take_in_brackets() {
    if (starts("&&"))
      return fail(refused(pattern_, "intersections in brackets (&&) are not supported"));
    if (starts("[:") && pattern_.find(":]", at_) != std::string_view::npos) {
      copy(pattern_.find(":]", at_) + 2 - at_);
      return {};
    }
    if (starts("["))
      return fail(refused(pattern_,
                          "brackets within brackets are not supported; write \\[ for "
                          "the character"));
    if (starts("]")) in_brackets_ = false;
    copy(1);
    return {};
  }

  Status open_brackets() {
    in_brackets_ = true;
    copy(starts("[^") ? 2 : 1);
    if (starts("]")) {  // right behind the opening one it stands for itself
      result_ += "\\]";
      ++at_;
    }
    return {};
  }

  Status take_group() {
    constexpr std::string_view kLook = "look-ahead and look-behind are not supported";
    for (const std::string_view look : {"(?=", "(?!", "(?<=", "(?<!"}) {
      if (starts(look)) return fail(refused(pattern_, kLook));
    }
    if (starts("(?>")) return fail(refused(pattern_, "atomic groups are not supported"));
    if (starts("(?<")) {
      result_ += "(?P<";
      at_ += 3;
      return {};
    }
    return take_flags();
  }

  /// (?i) and (?i:...): RE2's U is not Java's, and it has no x, d, u.
  Status take_flags() {
    std::size_t end = at_ + 2;
    while (end < pattern_.size() &&
           (std::isalpha(static_cast<unsigned char>(pattern_[end])) != 0 || pattern_[end] == '-'))
      ++end;
    const std::string_view flags = pattern_.substr(at_ + 2, end - at_ - 2);
    if (!flags.starts_with("P") && flags.find_first_not_of("ims-u") != std::string_view::npos)
      return fail(refused(pattern_, "only the flags i, m, s and u are supported"));
    result_ += "(?";
    at_ += 2;
    if (flags.starts_with("P")) return {};
    const bool is_pair = flags == "u" || flags == "-u";  // nothing is left of it
    for (const char flag : flags) {
      if (flag != 'u') result_ += flag;
    }
    at_ = end;
    if (is_pair && starts(")")) {
      result_.resize(result_.size() - (flags == "u" ? 2 : 3));
      ++at_;
    }
    return {};
  }

  Status take_escape() {
    if (at_ + 1 >= pattern_.size()) return fail(refused(pattern_, "it ends with a backslash"));
    const char letter = pattern_[at_ + 1];
    if (letter >= '1' && letter <= '9')
      return fail(refused(pattern_, "back references (\\1) are not supported"));
    if (letter == 'k') return fail(refused(pattern_, "back references (\\k) are not supported"));
    if (letter == 'Q') return take_quoted();
    if (letter == 'u') return take_unicode();
    if (letter == 'p' || letter == 'P') return take_class();
    take_letter(letter);
    return {};
  }

  void take_letter(char letter) {
    const auto put = [&](std::string_view inside) {
      result_ += in_brackets_ ? std::string(inside) : "[" + std::string(inside) + "]";
      at_ += 2;
    };
    if (letter == 'h')
      return put(" \\t\\x{A0}\\x{1680}\\x{180E}\\x{2000}-\\x{200A}\\x{202F}\\x{205F}\\x{3000}");
    if (letter == 's') return put(" \\t\\n\\x0B\\f\\r");
    if (letter == 'e') return put("\\x1B");
    if (letter == 'R' && !in_brackets_) {
      result_ += "(?:\\r\\n|[\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}])";
      at_ += 2;
      return;
    }
    copy(2);
  }

  Status take_quoted() {
    const std::size_t end = std::min(pattern_.find("\\E", at_ + 2), pattern_.size());
    result_ += re2::RE2::QuoteMeta(re2::StringPiece(pattern_.data() + at_ + 2, end - at_ - 2));
    at_ = std::min(end + 2, pattern_.size());
    return {};
  }

  Status take_unicode() {
    const std::string_view digits = pattern_.substr(at_ + 2, 4);
    if (digits.size() < 4 ||
        !std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; }))
      return fail(refused(pattern_, "\\u takes four hexadecimal digits"));
    result_ += "\\x{" + std::string(digits) + "}";
    at_ += 6;
    return {};
  }

  /// \p{Alpha}, \P{Alpha}; classes that both know are passed on.
  Status take_class() {
    const std::size_t end = pattern_.find('}', at_);
    if (at_ + 2 >= pattern_.size() || pattern_[at_ + 2] != '{' || end == std::string_view::npos) {
      copy(2);
      return {};
    }
    const std::string_view name = pattern_.substr(at_ + 3, end - at_ - 3);
    const auto* known = std::ranges::find(kNamedClasses, name, &NamedClass::java);
    const bool is_negated = pattern_[at_ + 1] == 'P';
    if (known == kNamedClasses.end()) {
      copy_class(is_negated, name);
    } else if (!is_negated) {
      result_ += in_brackets_ ? std::string(known->inside) : "[" + std::string(known->inside) + "]";
    } else if (!in_brackets_) {
      result_ += "[^" + std::string(known->inside) + "]";
    } else {
      return fail(refused(pattern_, "\\P{" + std::string(name) + "} in brackets is not supported"));
    }
    at_ = end + 1;
    return {};
  }

  /// \p{IsGreek} and \p{L} are Greek and L to RE2.
  void copy_class(bool is_negated, std::string_view name) {
    if (name.starts_with("Is")) name.remove_prefix(2);
    result_ += std::string(is_negated ? "\\P{" : "\\p{") + std::string(name) + "}";
  }

  [[nodiscard]] bool is_quantifier_before() const {
    const char before = pattern_[at_ - 1];
    const bool is_escaped = at_ > 1 && pattern_[at_ - 2] == '\\';
    if (is_escaped) return false;
    return before == '+' || before == '*' || before == '?';  // RE2 refuses {2}+ itself
  }

  [[nodiscard]] bool starts(std::string_view text) const {
    return pattern_.substr(at_).starts_with(text);
  }
  void copy(std::size_t count) {
    result_ += pattern_.substr(at_, count);
    at_ += count;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  bool in_brackets_ = false;
  std::string result_;
};

}  // namespace

struct RegularExpression::Groups {
  std::vector<re2::StringPiece> pieces;
};

RegularExpression::RegularExpression() = default;
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;
RegularExpression::~RegularExpression() = default;

Result<RegularExpression> RegularExpression::compile(std::string_view pattern) {
  MILLRACE_ASSIGN(const std::string translated, PatternTranslator(pattern).translate());
  re2::RE2::Options options;
  options.set_log_errors(false);
  RegularExpression result;
  result.compiled_ = std::make_unique<re2::RE2>(translated, options);
  if (!result.compiled_->ok()) return fail(refused(pattern, result.compiled_->error()));
  if (result.group_count() > kGroupsMax)
    return fail(refused(pattern, "it has more than " + std::to_string(kGroupsMax) + " groups"));
  result.groups_ = std::make_unique<Groups>();
  result.groups_->pieces.resize(result.group_count() + 1);
  return result;
}

bool RegularExpression::matches_in(std::string_view text) const {
  if (text.data() == nullptr) text = std::string_view("", 0);
  return compiled_->Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED, nullptr,
                          0);
}

bool RegularExpression::matches_whole(std::string_view text) const {
  if (text.data() == nullptr) text = std::string_view("", 0);
  return compiled_->Match({text.data(), text.size()}, 0, text.size(), re2::RE2::ANCHOR_BOTH,
                          nullptr, 0);
}

std::size_t RegularExpression::group_count() const {
  return static_cast<std::size_t>(compiled_->NumberOfCapturingGroups());
}

std::size_t RegularExpression::group_of(const std::string& name) const {
  const auto& names = compiled_->NamedCapturingGroups();
  const auto place = names.find(name);
  return place == names.end() ? 0 : static_cast<std::size_t>(place->second);
}

bool RegularExpression::find(std::string_view text, std::size_t from, std::size_t groups) {
  if (from > text.size()) return false;
  if (text.data() == nullptr) text = std::string_view("", 0);  // a null piece would be no match
  auto& pieces = groups_->pieces;
  if (!compiled_->Match({text.data(), text.size()}, from, text.size(), re2::RE2::UNANCHORED,
                        pieces.data(), static_cast<int>(groups) + 1))
    return false;
  begin_ = static_cast<std::size_t>(pieces[0].data() - text.data());
  end_ = begin_ + pieces[0].size();
  return true;
}

std::string_view RegularExpression::group(std::size_t number) const {
  const re2::StringPiece& piece = groups_->pieces[number];
  return {piece.data(), piece.size()};
}

std::size_t RegularExpression::next(std::string_view text) const {
  if (end_ > begin_ || end_ >= text.size()) return end_ > begin_ ? end_ : end_ + 1;
  return end_ + character_size(text.substr(end_));
}

}  // namespace millrace::stream
