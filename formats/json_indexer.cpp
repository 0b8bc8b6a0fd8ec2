#include "formats/json_indexer.hpp"

#include "millrace/assert.hpp"

#include "stream/utf8.hpp"

#include <simdjson.h>

#include <algorithm>

namespace millrace::formats {

namespace {

constexpr std::size_t kCapacityFirst = 4096;
/// The indexer counts bytes in 32 bits.
constexpr std::size_t kTextBytesMax = 0xFFFFFF00U;

JsonFault fault_of(simdjson::error_code code) {
  switch (code) {
    case simdjson::SUCCESS:
      return JsonFault::kNone;
    case simdjson::EMPTY:
      return JsonFault::kEmpty;
    case simdjson::UNCLOSED_STRING:
      return JsonFault::kUnclosedString;
    case simdjson::UNESCAPED_CHARS:
      return JsonFault::kControlCharacter;
    case simdjson::UTF8_ERROR:
      return JsonFault::kInvalidUtf8;
    default:
      return JsonFault::kTooLarge;
  }
}

}  // namespace

std::string_view to_string(JsonFault fault) {
  switch (fault) {
    case JsonFault::kNone:
      return "no fault";
    case JsonFault::kEmpty:
      return "it is empty";
    case JsonFault::kByteOrderMark:
      return "it begins with a byte order mark";
    case JsonFault::kInvalidUtf8:
      return "it is not valid UTF-8";
    case JsonFault::kUnclosedString:
      return "a string is not closed";
    case JsonFault::kControlCharacter:
      return "a string holds a control character that is not escaped";
    case JsonFault::kTooLarge:
      return "it is too large";
    case JsonFault::kNotAnObject:
      return "it is not an object";
    case JsonFault::kTooDeep:
      return "it is nested deeper than 1024 levels";
    case JsonFault::kExpectedName:
      return "a member name was expected";
    case JsonFault::kExpectedColon:
      return "a colon was expected";
    case JsonFault::kExpectedValue:
      return "a value was expected";
    case JsonFault::kExpectedCommaOrBrace:
      return "a comma or a closing brace was expected";
    case JsonFault::kExpectedCommaOrBracket:
      return "a comma or a closing bracket was expected";
    case JsonFault::kBadEscape:
      return "a string holds an unknown escape";
    case JsonFault::kLoneSurrogate:
      return "a string holds half of a surrogate pair";
    case JsonFault::kBadNumber:
      return "a number is malformed";
    case JsonFault::kBadLiteral:
      return "a word is none of true, false and null";
    case JsonFault::kTrailingText:
      return "text follows the object";
  }
  return "unknown fault";
}

std::size_t place_of(JsonFault fault, std::string_view text) {
  if (fault == JsonFault::kInvalidUtf8) return stream::utf8_prefix(text);
  if (fault != JsonFault::kControlCharacter && fault != JsonFault::kUnclosedString) return 0;
  bool is_inside = false;
  std::size_t quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_inside = !is_inside;
      quote = i;
    }
    const bool is_control = i < text.size() && static_cast<unsigned char>(text[i]) < 0x20;
    if (is_inside && is_control && fault == JsonFault::kControlCharacter) return i;
  }
  return quote;
}

struct JsonIndexer::Engine {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

JsonIndexer::JsonIndexer() : engine_(std::make_unique<Engine>()), capacity_(kCapacityFirst) {
  // Picks the widest kernel this processor has, once.
  const auto made = simdjson::get_active_implementation()->create_dom_parser_implementation(
      capacity_, simdjson::DEFAULT_MAX_DEPTH, engine_->parser);
  MILLRACE_ASSERT(made == simdjson::SUCCESS);
}

JsonIndexer::~JsonIndexer() = default;

JsonFault JsonIndexer::index(std::string_view text) {
  tokens_ = {};
  if (text.empty()) return JsonFault::kEmpty;
  if (text.size() > kTextBytesMax) return JsonFault::kTooLarge;
  if (text.size() > capacity_) {
    const std::size_t capacity = std::min(kTextBytesMax, std::max(text.size(), 2 * capacity_));
    if (engine_->parser->set_capacity(capacity) != simdjson::SUCCESS) return JsonFault::kTooLarge;
    capacity_ = capacity;
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const JsonFault fault =
      fault_of(engine_->parser->stage1(bytes, text.size(), simdjson::stage1_mode::regular));
  if (fault == JsonFault::kNone)
    tokens_ = {engine_->parser->structural_indexes.get(), engine_->parser->n_structural_indexes};
  return fault;
}

}  // namespace millrace::formats
