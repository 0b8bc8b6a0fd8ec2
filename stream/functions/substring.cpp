#include "stream/functions/row_kernel.hpp"
#include "stream/utf8.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <limits>

// Parts of texts: cut out, cut off, filled up. Positions count characters from 1, negative ones
// from the end, and 0 is as good as 1. Parts are views into the text; nothing is copied for them.

namespace millrace::stream {

namespace {

constexpr std::int32_t kToTheEnd = std::numeric_limits<std::int32_t>::max();

struct Characters {
  static std::int64_t count(std::string_view text) {
    return static_cast<std::int64_t>(count_characters(text));
  }
  static std::size_t offset(std::string_view text, std::int64_t number) {
    return offset_of_character(text, static_cast<std::size_t>(number));
  }
};

struct Bytes {
  static std::int64_t count(std::string_view bytes) { return std::ssize(bytes); }
  static std::size_t offset(std::string_view bytes, std::int64_t number) {
    return std::min(static_cast<std::size_t>(number), bytes.size());
  }
};

/// A position before the front is counted on: of 'abc', three from -5 are 'a'.
template <typename Unit>
std::string_view cut(std::string_view text, std::int64_t position, std::int64_t length) {
  const std::int64_t begin =
      position > 0 ? position - 1 : (position < 0 ? Unit::count(text) + position : 0);
  const std::int64_t end = begin + length;
  if (end <= 0 || end <= begin) return {};
  const std::size_t first = begin <= 0 ? 0 : Unit::offset(text, begin);
  const std::string_view rest = text.substr(first);
  return rest.substr(0, Unit::offset(rest, end - std::max<std::int64_t>(begin, 0)));
}

template <typename Unit>
std::string_view substring(Row&, std::string_view text, std::int32_t position,
                           std::int32_t length) {
  return cut<Unit>(text, position, length);
}
template <typename Unit>
std::string_view substring_to_end(Row&, std::string_view text, std::int32_t position) {
  return cut<Unit>(text, position, kToTheEnd);
}
template <typename Unit>
std::string_view left(Row&, std::string_view text, std::int32_t length) {
  return cut<Unit>(text, 1, length);
}
template <typename Unit>
std::string_view right(Row&, std::string_view text, std::int32_t length) {
  return length <= 0 ? std::string_view() : cut<Unit>(text, -std::int64_t{length}, kToTheEnd);
}

/// Makes one text of three.
std::string_view joined(Row& row, std::string_view a, std::string_view b, std::string_view c) {
  const std::size_t size = a.size() + b.size() + c.size();
  char* const begin = row.allocate_made(size);
  if (begin == nullptr) return {};
  char* end = begin;
  for (const std::string_view part : {a, b, c}) {
    if (!part.empty()) std::memcpy(end, part.data(), part.size());
    end += part.size();
  }
  return {begin, size};
}

template <typename Unit>
std::string_view overlay(Row& row, std::string_view text, std::string_view by,
                         std::int32_t position, std::int32_t length) {
  const std::int64_t replaced = length >= 0 ? length : Unit::count(by);
  return joined(row, cut<Unit>(text, 1, std::int64_t{position} - 1), by,
                cut<Unit>(text, position + replaced, kToTheEnd));
}
template <typename Unit>
std::string_view overlay_all(Row& row, std::string_view text, std::string_view by,
                             std::int32_t position) {
  return overlay<Unit>(row, text, by, position, -1);
}

// --- trimming
// -------------------------------------------------------------------------------------

constexpr int kLeft = 1;
constexpr int kRight = 2;

/// A set of characters, by a bitmap for ASCII and the text itself for others.
class CharacterSet {
 public:
  explicit CharacterSet(std::string_view characters) : characters_(characters) {
    for (const char c : characters) {
      if (static_cast<unsigned char>(c) < 0x80) ascii_.set(static_cast<unsigned char>(c));
    }
  }
  [[nodiscard]] bool contains(std::string_view character) const {
    const auto lead = static_cast<unsigned char>(character[0]);
    return lead < 0x80 ? ascii_.test(lead) : characters_.find(character) != std::string_view::npos;
  }

 private:
  std::string_view characters_;
  std::bitset<128> ascii_;
};

std::size_t last_character_size(std::string_view text) {
  std::size_t size = 1;
  while (size < std::min<std::size_t>(text.size(), 4) &&
         (static_cast<unsigned char>(text[text.size() - size]) & 0xC0U) == 0x80)
    ++size;
  return size;
}

template <int kSides>
std::string_view trim_characters(Row&, std::string_view text, std::string_view characters) {
  const CharacterSet set(characters);
  while ((kSides & kLeft) != 0 && !text.empty()) {
    const std::size_t size = character_size(text);
    if (!set.contains(text.substr(0, size))) break;
    text.remove_prefix(size);
  }
  while ((kSides & kRight) != 0 && !text.empty()) {
    const std::size_t size = last_character_size(text);
    if (!set.contains(text.substr(text.size() - size))) break;
    text.remove_suffix(size);
  }
  return text;
}

template <int kSides>
std::string_view trim_spaces(Row&, std::string_view text) {
  if constexpr ((kSides & kLeft) != 0)
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if constexpr ((kSides & kRight) != 0)
    text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
  return text;
}

// --- filling up
// -----------------------------------------------------------------------------------

/// Writes the filling over and over, `count` units of it.
template <typename Unit>
std::size_t bytes_of_filling(std::string_view filling, std::int64_t count) {
  const std::int64_t units = Unit::count(filling);
  return static_cast<std::size_t>(count / units) * filling.size() +
         Unit::offset(filling, count % units);
}

template <typename Unit, int kSide>
std::string_view pad(Row& row, std::string_view text, std::int32_t length,
                     std::string_view filling) {
  if (length <= 0) return {};
  const std::int64_t missing = length - Unit::count(text);
  if (missing <= 0 || filling.empty()) return cut<Unit>(text, 1, length);
  const std::size_t added = bytes_of_filling<Unit>(filling, missing);
  char* const begin = row.allocate_made(text.size() + added);
  if (begin == nullptr) return {};
  char* const end = kSide == kLeft ? begin : begin + text.size();
  for (std::size_t done = 0; done < added; done += filling.size())
    std::memcpy(end + done, filling.data(), std::min(filling.size(), added - done));
  if (!text.empty()) std::memcpy(kSide == kLeft ? begin + added : begin, text.data(), text.size());
  return {begin, text.size() + added};
}

template <typename Unit, int kSide>
std::string_view pad_with_default(Row& row, std::string_view text, std::int32_t length) {
  constexpr std::string_view kFilling =
      std::is_same_v<Unit, Bytes> ? std::string_view("\0", 1) : std::string_view(" ");
  return pad<Unit, kSide>(row, text, length, kFilling);
}

// --- parts between delimiters
// ---------------------------------------------------------------------

/// The end of the part that begins at `begin`.
std::size_t end_of_part(std::string_view text, std::string_view delimiter, std::size_t begin) {
  return std::min(text.find(delimiter, begin), text.size());
}

std::int64_t count_parts(std::string_view text, std::string_view delimiter) {
  std::int64_t count = 1;
  for (std::size_t at = text.find(delimiter); at != std::string_view::npos;
       at = text.find(delimiter, at + delimiter.size()))
    ++count;
  return count;
}

std::string_view split_part(Row& row, std::string_view text, std::string_view delimiter,
                            std::int32_t number) {
  if (number == 0) {
    row.raise("parts are counted from 1 (or from -1, the last): there is no part 0");
    return {};
  }
  if (delimiter.empty()) return number == 1 || number == -1 ? text : std::string_view();
  const std::int64_t wanted = number > 0 ? number : count_parts(text, delimiter) + number + 1;
  if (wanted <= 0) return {};
  std::size_t begin = 0;
  for (std::int64_t i = 1; i < wanted; ++i) {
    const std::size_t end = end_of_part(text, delimiter, begin);
    if (end == text.size()) return {};
    begin = end + delimiter.size();
  }
  return text.substr(begin, end_of_part(text, delimiter, begin) - begin);
}

std::string_view before_last(std::string_view text, std::string_view delimiter,
                             std::int64_t count) {
  std::size_t end = text.find(delimiter);
  for (; count > 1 && end != std::string_view::npos; --count) end = text.find(delimiter, end + 1);
  return text.substr(0, end);
}

std::string_view behind_last(std::string_view text, std::string_view delimiter,
                             std::int64_t count) {
  std::size_t begin = text.rfind(delimiter);
  for (; count > 1 && begin != std::string_view::npos; --count)
    begin = begin == 0 ? std::string_view::npos : text.rfind(delimiter, begin - 1);
  return begin == std::string_view::npos ? text : text.substr(begin + delimiter.size());
}

std::string_view substring_index(Row&, std::string_view text, std::string_view delimiter,
                                 std::int32_t count) {
  if (count == 0 || delimiter.empty()) return {};
  return count > 0 ? before_last(text, delimiter, count)
                   : behind_last(text, delimiter, -std::int64_t{count});
}

/// Adds the form for texts and the form for bytes.
void add_both(FunctionRegistry& registry, FunctionOverload texts, Kernel bytes_kernel) {
  FunctionOverload bytes = texts;
  bytes.casts_to_string = false;
  bytes.kernel = bytes_kernel;
  bytes.result = TypeKind::kBytes;
  for (DataType& type : bytes.arguments) {
    if (type.is(TypeKind::kString)) type = TypeKind::kBytes;
  }
  registry.add(std::move(texts));
  registry.add(std::move(bytes));
}

void add_cutting(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kSubstring =
      "The part from a position on (1 is the first, 0 too, -1 the last), of the given length or "
      "to the end; empty where nothing is there.";
  add_both(registry,
           text_function("substring", {kString, kInt32, kInt32}, kString,
                         each_row<substring<Characters>>, kSubstring),
           each_row<substring<Bytes>>);
  add_both(registry,
           text_function("substring", {kString, kInt32}, kString,
                         each_row<substring_to_end<Characters>>, kSubstring),
           each_row<substring_to_end<Bytes>>);
  registry.add_alias("substr", "substring");
  add_both(registry,
           text_function("left", {kString, kInt32}, kString, each_row<left<Characters>>,
                         "So many characters (bytes) from the front; none for 0 and less."),
           each_row<left<Bytes>>);
  add_both(registry,
           text_function("right", {kString, kInt32}, kString, each_row<right<Characters>>,
                         "So many characters (bytes) from the end; none for 0 and less."),
           each_row<right<Bytes>>);
  constexpr const char* kOverlay =
      "The text with the part from a position on replaced by the second text: as much as that is "
      "long, or the given length.";
  constexpr const char* kTooLong = "the result would be longer than 64 MiB";
  add_both(registry,
           failing(text_function("overlay", {kString, kString, kInt32, kInt32}, kString,
                                 each_row<overlay<Characters>>, kOverlay),
                   kTooLong),
           each_row<overlay<Bytes>>);
  add_both(registry,
           failing(text_function("overlay", {kString, kString, kInt32}, kString,
                                 each_row<overlay_all<Characters>>, kOverlay),
                   kTooLong),
           each_row<overlay_all<Bytes>>);
}

void add_trimming(FunctionRegistry& registry) {
  using enum TypeKind;
  const auto add = [&](const char* name, Kernel spaces, Kernel characters, const char* where) {
    const std::string description = std::string(
                                        "The text without the spaces (or the characters "
                                        "of the second text) at ") +
                                    where + ".";
    registry.add(text_function(name, {kString}, kString, spaces, description.c_str()));
    registry.add(text_function(name, {kString, kString}, kString, characters, description.c_str()));
  };
  add("ltrim", each_row<trim_spaces<kLeft>>, each_row<trim_characters<kLeft>>, "its front");
  add("rtrim", each_row<trim_spaces<kRight>>, each_row<trim_characters<kRight>>, "its end");
  add("trim", each_row<trim_spaces<kLeft | kRight>>, each_row<trim_characters<kLeft | kRight>>,
      "both ends");
  registry.add_alias("btrim", "trim");
}

void add_filling(FunctionRegistry& registry) {
  using enum TypeKind;
  const auto add = [&](const char* name, Kernel texts, Kernel bytes, Kernel default_texts,
                       Kernel default_bytes, const char* side) {
    const std::string description =
        std::string("The text filled up on the ") + side +
        " to a length, with the third text over and over, else with spaces (bytes: zeros); cut "
        "off if it is longer.";
    constexpr const char* kTooLong = "the result would be longer than 64 MiB";
    add_both(registry,
             failing(text_function(name, {kString, kInt32, kString}, kString, texts,
                                   description.c_str()),
                     kTooLong),
             bytes);
    add_both(
        registry,
        failing(text_function(name, {kString, kInt32}, kString, default_texts, description.c_str()),
                kTooLong),
        default_bytes);
  };
  add("lpad", each_row<pad<Characters, kLeft>>, each_row<pad<Bytes, kLeft>>,
      each_row<pad_with_default<Characters, kLeft>>, each_row<pad_with_default<Bytes, kLeft>>,
      "left");
  add("rpad", each_row<pad<Characters, kRight>>, each_row<pad<Bytes, kRight>>,
      each_row<pad_with_default<Characters, kRight>>, each_row<pad_with_default<Bytes, kRight>>,
      "right");
}

void add_delimited(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(failing(
      text_function("split_part", {kString, kString, kInt32}, kString, each_row<split_part>,
                    "The part of that number between delimiters, counted from 1, or from the end "
                    "by negative numbers; empty if there is none."),
      "the number is 0"));
  registry.add(text_function(
      "substring_index", {kString, kString, kInt32}, kString, each_row<substring_index>,
      "What stands before the delimiter's occurrence of that number; for a negative number, "
      "what stands behind it, counted from the end."));
}

}  // namespace

void add_substring_functions(FunctionRegistry& registry) {
  add_cutting(registry);
  add_trimming(registry);
  add_filling(registry);
  add_delimited(registry);
}

}  // namespace millrace::stream
