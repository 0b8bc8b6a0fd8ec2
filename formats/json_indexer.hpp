#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace millrace::formats {

/// Why a text is not one JSON object of the kind we accept. Whoever changes this list changes what
/// people's streams accept.
enum class JsonFault : std::uint8_t {
  kNone,
  kEmpty,
  kByteOrderMark,
  kInvalidUtf8,
  kUnclosedString,
  kControlCharacter,
  kTooLarge,
  kNotAnObject,
  kTooDeep,
  kExpectedName,
  kExpectedColon,
  kExpectedValue,
  kExpectedCommaOrBrace,
  kExpectedCommaOrBracket,
  kBadEscape,
  kLoneSurrogate,
  kBadNumber,
  kBadLiteral,
  kTrailingText,
};

/// The fault as the end of a sentence: "text follows the object".
[[nodiscard]] std::string_view to_string(JsonFault fault);

/// The byte of `text` where a fault lies that the indexer found; it tells only that there is one.
/// Reads the text once more, for an error message.
[[nodiscard]] std::size_t place_of(JsonFault fault, std::string_view text);

/// Finds where the tokens of a JSON text begin: every { } [ ] : , outside strings, every opening
/// quote, and the first byte of every number or word. That pass also proves that the text is valid
/// UTF-8, that strings are closed, and that no raw control character is inside one. What the tokens
/// mean, and whether they stand in a sensible order, is JsonScanner's business.
///
/// One thread at a time. Allocates only when a text is larger than every one before it.
class JsonIndexer {
 public:
  JsonIndexer();
  ~JsonIndexer();
  JsonIndexer(const JsonIndexer&) = delete;
  JsonIndexer& operator=(const JsonIndexer&) = delete;

  /// Indexes `text`; no byte behind it is read. On success `tokens` holds until the next call.
  [[nodiscard]] JsonFault index(std::string_view text);
  [[nodiscard]] std::span<const std::uint32_t> tokens() const { return tokens_; }

 private:
  struct Engine;

  std::unique_ptr<Engine> engine_;
  std::size_t capacity_ = 0;
  std::span<const std::uint32_t> tokens_;
};

}  // namespace millrace::formats
