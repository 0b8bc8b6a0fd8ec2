#include "stream/functions/letter_case.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstring>

// Case, length, joining, and texts made of other texts. Lengths and positions count characters
// (Unicode code points), from 1.

namespace millrace::stream {

namespace {

template <std::size_t (*kWrite)(std::string_view, char*)>
std::string_view change_case(Row& row, std::string_view text) {
  const bool is_ascii = ascii_prefix(text) == text.size();
  const std::size_t room = is_ascii ? text.size() : text.size() * kCaseGrowthMax;
  char* out = row.allocate(room);
  return row.finish(out, room, kWrite(text, out));
}

void concatenate(KernelCall& call) {
  const auto result = call.result.values<std::string_view>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    std::size_t size = 0;
    for (const Column* argument : call.arguments) size += argument->text(row).size();
    char* const joined = call.arena.allocate(size);
    char* end = joined;
    for (const Column* argument : call.arguments) {
      const std::string_view part = argument->text(row);
      if (!part.empty()) std::memcpy(end, part.data(), part.size());
      end += part.size();
    }
    result[row] = {joined, size};
  }
}

/// Appends to a text whose room is there.
char* append(char* end, std::string_view part) {
  if (!part.empty()) std::memcpy(end, part.data(), part.size());
  return end + part.size();
}

/// The parts of one row that are not null, in order: texts, and the elements of arrays of texts.
template <typename Take>
void each_part(std::span<const Column* const> columns, std::size_t row, const Take& take) {
  for (const Column* column : columns) {
    if (column->is_null(row)) continue;
    if (column->kind() != TypeKind::kArray) {
      take(column->text(row));
      continue;
    }
    const ListEntry list = column->value<ListEntry>(row);
    for (std::uint32_t i = list.offset; i < list.offset + list.length; ++i) {
      if (!column->child(0).is_null(i)) take(column->child(0).text(i));
    }
  }
}

void join_with_separator(KernelCall& call) {
  const auto result = call.result.values<std::string_view>();
  const Column& separators = *call.arguments[0];
  const auto parts = call.arguments.subspan(1);
  for (std::size_t row = 0; row < call.rows; ++row) {
    result[row] = {};
    if (separators.is_null(row)) {
      call.result.set_null(row);
      continue;
    }
    const std::string_view separator = separators.text(row);
    std::size_t size = 0;
    std::size_t count = 0;
    each_part(parts, row, [&](std::string_view part) {
      size += part.size();
      ++count;
    });
    if (count == 0) continue;
    size += (count - 1) * separator.size();
    char* const joined = call.arena.allocate(size);
    char* end = joined;
    each_part(parts, row, [&](std::string_view part) {
      end = append(end, part);
      if (--count > 0) end = append(end, separator);
    });
    result[row] = {joined, size};
  }
}

bool are_bytes(const Arguments& arguments) {
  const auto is_of = [](TypeKind kind) {
    return [kind](const Argument& each) { return each.type.is(kind); };
  };
  return std::ranges::any_of(arguments, is_of(TypeKind::kBytes)) &&
         std::ranges::all_of(arguments, [&](const Argument& each) {
           return each.type.is(TypeKind::kBytes) || each.type.is(TypeKind::kNull);
         });
}

std::optional<SettledTypes> all_bytes(const Arguments& arguments) {
  if (!are_bytes(arguments)) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), TypeKind::kBytes), TypeKind::kBytes};
}

/// Bytes beside anything else are taken as text too.
std::optional<SettledTypes> all_texts(const Arguments& arguments) {
  if (arguments.empty() || are_bytes(arguments)) return std::nullopt;
  const bool has_nested =
      std::ranges::any_of(arguments, [](const Argument& each) { return each.type.is_nested(); });
  return SettledTypes{std::vector<DataType>(arguments.size(), TypeKind::kString), TypeKind::kString,
                      !has_nested};
}

/// A separator, then texts and arrays of texts in any order.
std::optional<SettledTypes> separated_types(const Arguments& arguments) {
  if (arguments.empty()) return std::nullopt;
  SettledTypes settled{{TypeKind::kString}, TypeKind::kString};
  for (const Argument& argument : arguments.subspan(1)) {
    const bool is_array = argument.type.is(TypeKind::kArray);
    settled.arguments.push_back(is_array ? DataType::array(TypeKind::kString) : TypeKind::kString);
  }
  return settled;
}

std::int32_t length_of(std::string_view text) {
  return static_cast<std::int32_t>(count_characters(text));
}
std::int32_t size_of(std::string_view bytes) { return static_cast<std::int32_t>(bytes.size()); }
std::int32_t bits_of(std::string_view bytes) { return static_cast<std::int32_t>(bytes.size() * 8); }

std::string_view reverse(Row& row, std::string_view text) {
  char* const begin = row.allocate(text.size());
  char* out = begin + text.size();
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t size = character_size(rest);
    out -= size;
    std::memcpy(out, rest.data(), size);
    rest.remove_prefix(size);
  }
  return {begin, text.size()};
}

std::string_view repeat(Row& row, std::string_view text, std::int32_t times) {
  if (times <= 0 || text.empty()) return {};
  const std::size_t size = text.size() * static_cast<std::size_t>(times);
  char* const begin = row.allocate_made(size);
  if (begin == nullptr) return {};
  for (char* end = begin; end < begin + size;) end = append(end, text);
  return {begin, size};
}

std::string_view spaces(Row& row, std::int32_t count) { return repeat(row, " ", count); }

std::int32_t code_of_first(Row&, std::string_view text) {
  return text.empty() ? 0 : static_cast<std::int32_t>(first_character(text));
}

std::string_view character_of_code(Row& row, std::int64_t code) {
  if (code < 0) return {};
  char* const out = row.allocate(2);
  return row.finish(out, 2, write_character(static_cast<char32_t>(code & 0xFF), out));
}

void add_concatenation(FunctionRegistry& registry, const char* name, const char* signature,
                       const char* bytes_signature) {
  FunctionOverload texts = text_function(
      name, {}, TypeKind::kString, concatenate,
      "The texts one behind the other; numbers, dates, booleans, and bytes beside any "
      "of these, as text.");
  texts.rule = all_texts;
  texts.signature = signature;
  registry.add(texts);

  FunctionOverload bytes = texts;
  bytes.result = TypeKind::kBytes;
  bytes.rule = all_bytes;
  bytes.signature = bytes_signature;
  bytes.casts_to_string = false;
  bytes.description = "The bytes one behind the other.";
  registry.add(bytes);
}

void add_joining(FunctionRegistry& registry) {
  add_concatenation(registry, "concat", "concat(string, ...)", "concat(bytes, ...)");
  add_concatenation(registry, "||", "string || string", "bytes || bytes");

  FunctionOverload joined = text_function(
      "concat_ws", {}, TypeKind::kString, join_with_separator,
      "The texts, and the elements of arrays of texts, with the separator (the first argument) "
      "between them; nulls are left out.");
  joined.rule = separated_types;
  joined.signature = "concat_ws(string, string or array<string>, ...)";
  joined.is_strict = false;
  joined.nulls = "the separator is null";
  registry.add(joined);
}

void add_case(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(text_function("upper", {kString}, kString, each_row<change_case<write_upper>>,
                             "The text in upper case, for all of Unicode; ß becomes SS."));
  registry.add_alias("ucase", "upper");
  registry.add(text_function("lower", {kString}, kString, each_row<change_case<write_lower>>,
                             "The text in lower case, for all of Unicode."));
  registry.add_alias("lcase", "lower");
  registry.add(text_function("initcap", {kString}, kString, each_row<change_case<write_title>>,
                             "The first letter of each word large, all others small; words are "
                             "parted by spaces."));
}

void add_lengths(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(text_function("length", {kString}, kInt32, each_row<length_of>,
                             "How many characters the text has."));
  registry.add(
      plain_function("length", {kBytes}, kInt32, each_row<size_of>, "How many bytes there are."));
  for (const char* alias : {"char_length", "character_length", "len"})
    registry.add_alias(alias, "length");
  for (const TypeKind type : {kString, kBytes}) {
    FunctionOverload octets =
        plain_function("octet_length", {type}, kInt32, each_row<size_of>, "The length in bytes.");
    octets.casts_to_string = type == kString;
    registry.add(octets);
    octets.name = "bit_length";
    octets.kernel = each_row<bits_of>;
    octets.description = "The length in bits.";
    registry.add(octets);
  }
}

}  // namespace

void add_string_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kTooLong = "the result would be longer than 64 MiB";
  add_case(registry);
  add_joining(registry);
  add_lengths(registry);
  registry.add(text_function("reverse", {kString}, kString, each_row<reverse>,
                             "The characters in the opposite order."));
  registry.add(failing(text_function("repeat", {kString, kInt32}, kString, each_row<repeat>,
                                     "The text so many times; empty for 0 and less."),
                       kTooLong));
  registry.add(failing(plain_function("space", {kInt32}, kString, each_row<spaces>,
                                      "So many spaces; empty for 0 and less."),
                       kTooLong));
  registry.add(text_function("ascii", {kString}, kInt32, each_row<code_of_first>,
                             "The code of the text's first character (any of Unicode); 0 for an "
                             "empty text."));
  registry.add(plain_function("chr", {kInt64}, kString, each_row<character_of_code>,
                              "The character of the code modulo 256; empty for a negative one."));
  registry.add_alias("char", "chr");
}

}  // namespace millrace::stream
