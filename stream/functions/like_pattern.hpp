#pragma once

#include "millrace/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// A pattern of LIKE, ready to be matched: % stands for any text, _ for any one character, and the
/// escape character makes the next %, _ or itself stand for themselves. A plain value.
class LikePattern {
 public:
  /// Fails if the escape stands before anything else, or at the end.
  static Result<LikePattern> parse(std::string_view pattern, char32_t escape);

  /// Whether the whole text is like the pattern.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  /// What stands between two %. Any-characters are the byte kAny, which is in no UTF-8.
  struct Segment {
    std::string bytes;
    std::size_t any_count = 0;
  };

  static constexpr char kAny = '\xFF';

  static std::size_t match_front(const Segment& segment, std::string_view text);
  static bool match_end(const Segment& segment, std::string_view text);
  static std::size_t find_end(const Segment& segment, std::string_view text);

  std::vector<Segment> segments_{1};  ///< one more than there are %
};

}  // namespace millrace::stream
