#include "stream/functions/like_pattern.hpp"

#include "stream/utf8.hpp"

namespace millrace::stream {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

Error misplaced_escape(std::string_view pattern, const char* where) {
  return {ErrorCode::kInvalidArgument, "the escape character stands " + std::string(where) +
                                           " in the pattern '" + std::string(pattern) +
                                           "'; it may stand only before %, _ or itself"};
}

}  // namespace

Result<LikePattern> LikePattern::parse(std::string_view pattern, char32_t escape) {
  LikePattern parsed;
  std::string_view rest = pattern;
  const auto take = [&] {
    const std::string_view character = rest.substr(0, character_size(rest));
    rest.remove_prefix(character.size());
    return character;
  };
  while (!rest.empty()) {
    const bool is_escape = first_character(rest) == escape;
    std::string_view character = take();
    if (is_escape) {
      if (rest.empty()) return fail(misplaced_escape(pattern, "at the end"));
      if (rest[0] != '%' && rest[0] != '_' && first_character(rest) != escape)
        return fail(misplaced_escape(pattern, "before another character"));
      character = take();
    } else if (character == "%") {
      parsed.segments_.emplace_back();
      continue;
    }
    Segment& segment = parsed.segments_.back();
    if (!is_escape && character == "_") {
      segment.bytes += kAny;
      ++segment.any_count;
    } else {
      segment.bytes += character;
    }
  }
  return parsed;
}

/// Length of the text's front that is like the segment.
std::size_t LikePattern::match_front(const Segment& segment, std::string_view text) {
  if (segment.any_count == 0) return text.starts_with(segment.bytes) ? segment.bytes.size() : kNone;
  std::size_t at = 0;
  for (const char c : segment.bytes) {
    if (at >= text.size() || (c != kAny && text[at] != c)) return kNone;
    at += c == kAny ? character_size(text.substr(at)) : 1;
  }
  return at;
}

bool LikePattern::match_end(const Segment& segment, std::string_view text) {
  if (segment.any_count == 0) return text.ends_with(segment.bytes);
  // Each any-character takes one to four bytes: no more beginnings than that can reach the end.
  const std::size_t fixed = segment.bytes.size();
  for (std::size_t size = fixed; size <= fixed + 3 * segment.any_count && size <= text.size();
       ++size) {
    const std::string_view end = text.substr(text.size() - size);
    const bool is_inside = (static_cast<unsigned char>(end[0]) & 0xC0U) == 0x80;
    if (!is_inside && match_front(segment, end) == size) return true;
  }
  return false;
}

/// Where the first part of the text that is like the segment ends.
std::size_t LikePattern::find_end(const Segment& segment, std::string_view text) {
  if (segment.any_count == 0) {
    const std::size_t found = text.find(segment.bytes);
    return found == kNone ? kNone : found + segment.bytes.size();
  }
  for (std::size_t at = 0; at < text.size(); at += character_size(text.substr(at))) {
    const std::size_t size = match_front(segment, text.substr(at));
    if (size != kNone) return at + size;
  }
  return kNone;
}

bool LikePattern::matches(std::string_view text) const {
  const std::size_t front = match_front(segments_.front(), text);
  if (front == kNone) return false;
  text.remove_prefix(front);
  if (segments_.size() == 1) return text.empty();
  for (std::size_t i = 1; i + 1 < segments_.size(); ++i) {
    const std::size_t end = find_end(segments_[i], text);
    if (end == kNone) return false;
    text.remove_prefix(end);
  }
  return match_end(segments_.back(), text);
}

}  // namespace millrace::stream
