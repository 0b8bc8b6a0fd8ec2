#pragma once

#include "millrace/error.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace millrace::stream {

/// A compiled regular expression. The syntax is that of RE2, with the spellings of Java that it
/// lacks translated: (?<name>...), \uXXXX, \h, \p{Alpha} and its kin. Matching takes time linear in
/// the text. The one place that knows RE2. Movable; not thread-safe.
///
/// It differs from Java's in this: no look-ahead, look-behind, back reference, possessive or atomic
/// group, and no set arithmetic in brackets (each is refused, and named); `$` matches at the very
/// end only, not before a last line feed; `.` leaves out line feeds only; (?i) knows all of
/// Unicode.
class RegularExpression {
 public:
  /// Fails with what is wrong, or not to be had, in the pattern.
  static Result<RegularExpression> compile(std::string_view pattern);

  RegularExpression(RegularExpression&&) noexcept;
  RegularExpression& operator=(RegularExpression&&) noexcept;
  ~RegularExpression();

  /// Whether the pattern matches anywhere in the text.
  [[nodiscard]] bool matches_in(std::string_view text) const;
  /// Whether it matches the text from end to end.
  [[nodiscard]] bool matches_whole(std::string_view text) const;

  [[nodiscard]] std::size_t group_count() const;
  /// The number of a named group; 0: there is none.
  [[nodiscard]] std::size_t group_of(const std::string& name) const;

  /// Finds the first match that begins at or behind `from`, as Java's find does, and notes its
  /// groups 0 to `groups`.
  bool find(std::string_view text, std::size_t from, std::size_t groups);
  /// Of the match found last: a group's text; nothing in it (data() is null) if it took no part.
  [[nodiscard]] std::string_view group(std::size_t number) const;
  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t end() const { return end_; }
  /// Where the search for the next match begins: past an empty match by one character.
  [[nodiscard]] std::size_t next(std::string_view text) const;

 private:
  RegularExpression();

  struct Groups;
  std::unique_ptr<re2::RE2> compiled_;
  std::unique_ptr<Groups> groups_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace millrace::stream
