#pragma once

#include "millrace/error.hpp"

#include "stream/functions/call.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// The patterns that a call met last, compiled. A literal is compiled once, with the plan
/// (`settle_pattern`); of patterns that come from a column the newest few are kept, so that jobs
/// with a handful of them compile no more.
template <typename Pattern>
class PatternCache : public CallState {
 public:
  static constexpr std::size_t kPatternsMax = 16;

  /// The pattern of that text, or why it is none. `compile` makes a Result<Pattern> of a text.
  /// Valid until the next call.
  template <typename Compile>
  Result<Pattern>& find(std::string_view text, const Compile& compile) {
    if (last_ < entries_.size() && entries_[last_]->text == text) [[likely]]
      return entries_[last_]->pattern;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i]->text == text) return entries_[last_ = i]->pattern;
    }
    return insert(text, compile(text));
  }

  void clear() {
    entries_.clear();
    last_ = 0;
    oldest_ = 0;
  }

 private:
  struct Entry {
    std::string text;
    Result<Pattern> pattern;
  };

  Result<Pattern>& insert(std::string_view text, Result<Pattern> pattern) {
    auto entry = std::make_unique<Entry>(Entry{std::string(text), std::move(pattern)});
    if (entries_.size() < kPatternsMax) {
      last_ = entries_.size();
      entries_.push_back(std::move(entry));
    } else {
      last_ = oldest_;
      oldest_ = (oldest_ + 1) % kPatternsMax;
      entries_[last_] = std::move(entry);
    }
    return entries_[last_]->pattern;
  }

  std::vector<std::unique_ptr<Entry>> entries_;
  std::size_t last_ = 0;
  std::size_t oldest_ = 0;
};

/// The text that an argument is, if it is a literal that is one.
inline const std::string* literal_text(const PlannedCall& call, std::size_t argument) {
  const Value* literal = call.literals[argument];
  return literal == nullptr ? nullptr : std::get_if<std::string>(&literal->data);
}

/// A `Settle` for calls whose state is a cache of patterns: compiles the argument if it is a
/// literal.
template <typename Pattern, auto kCompile, std::size_t kArgument>
void settle_pattern(const PlannedCall& call, CallMemory& memory) {
  auto& patterns = memory.get<PatternCache<Pattern>>();
  if (const std::string* text = literal_text(call, kArgument)) (void)patterns.find(*text, kCompile);
}

}  // namespace millrace::stream
