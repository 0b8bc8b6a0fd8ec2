#include "formats/position_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace millrace::formats {
namespace {

/// Takes a number off the front of a text, and the sign behind it.
template <typename Number>
bool take_number(std::string_view& text, Number& number, char sign, int base = 10) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (problem != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (sign == '\0') return text.empty();
  if (text.empty() || text.front() != sign) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<RecordPosition> parse_position(std::string_view text) {
  constexpr std::size_t kIdDigits = 32;
  RecordPosition position;
  if (text.size() <= kIdDigits || text[kIdDigits] != '/') return std::nullopt;
  const auto checkpoint = checkpoint_id_bytes(text.substr(0, kIdDigits));
  if (!checkpoint) return std::nullopt;
  position.checkpoint = *checkpoint;
  text.remove_prefix(kIdDigits + 1);
  const bool is_whole =
      take_number(text, position.writer, '/') && take_number(text, position.source, '=', 16) &&
      take_number(text, position.generation, ':') && take_number(text, position.mark.offset, ':') &&
      take_number(text, position.mark.index, '\0');
  return is_whole ? std::optional(position) : std::nullopt;
}

}  // namespace

bool PositionFilter::is_replay(const RecordPosition& position) {
  const Source source{position.checkpoint, position.writer, position.source};
  auto found = newest_.find(source);
  if (found == newest_.end()) {
    if (newest_.size() >= sources_max_) forget_one();
    newest_.emplace(source, Newest{position.generation, position.mark, ++seen_});
    return false;
  }
  Newest& newest = found->second;
  newest.seen = ++seen_;
  if (std::pair(position.generation, position.mark) <= std::pair(newest.generation, newest.mark))
    return true;
  newest.generation = position.generation;
  newest.mark = position.mark;
  return false;
}

void PositionFilter::forget_one() {
  newest_.erase(
      std::ranges::min_element(newest_, {}, [](const auto& one) { return one.second.seen; }));
  ++forgotten_;
}

std::string PositionFilter::to_text() const {
  std::string text;
  for (const auto& [source, newest] : newest_) {
    if (!text.empty()) text += ' ';
    for (const std::uint8_t byte : source.checkpoint) text += fmt::format("{:02x}", byte);
    text += fmt::format("/{}/{:016x}={}:{}:{}", source.writer, source.source, newest.generation,
                        newest.mark.offset, newest.mark.index);
  }
  return text;
}

Result<PositionFilter> PositionFilter::parse(std::string_view text) {
  PositionFilter filter;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto position = parse_position(text.substr(0, end));
    if (!position) {
      return fail(ErrorCode::kCorrupt,
                  fmt::format("no position of a writer's record: {}", text.substr(0, end)));
    }
    static_cast<void>(filter.is_replay(*position));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return filter;
}

}  // namespace millrace::formats
