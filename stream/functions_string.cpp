#include "stream/function_registry.hpp"
#include "stream/utf8.hpp"

#include <cstring>

namespace millrace::stream {

namespace {

template <std::size_t (*kWrite)(std::string_view, char*)>
void change_case(KernelCall& call) {
  const auto texts = call.arguments[0]->values<std::string_view>();
  const auto result = call.result.values<std::string_view>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::string_view text = texts[row];
    char* copy = call.arena.allocate(text.size());
    const std::size_t size = kWrite(text, copy);
    if (size != text.size()) call.arena.shrink_last(copy, size);
    result[row] = {copy, size};
  }
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

template <TypeKind kKind>
std::optional<SettledTypes> all_of_kind(std::span<const Argument> arguments) {
  if (arguments.empty()) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), kKind), kKind};
}

void add_concatenation(FunctionRegistry& registry, const char* name, const char* signature,
                       const char* bytes_signature) {
  FunctionOverload texts;
  texts.name = name;
  texts.rule = all_of_kind<TypeKind::kString>;
  texts.signature = signature;
  texts.kernel = concatenate;
  texts.casts_to_string = true;
  texts.description = "The texts one behind the other; numbers, dates and booleans as text.";
  registry.add(texts);

  FunctionOverload bytes = texts;
  bytes.rule = all_of_kind<TypeKind::kBytes>;
  bytes.signature = bytes_signature;
  bytes.casts_to_string = false;
  bytes.description = "The bytes one behind the other.";
  registry.add(bytes);
}

}  // namespace

void add_string_functions(FunctionRegistry& registry) {
  FunctionOverload upper_case;
  upper_case.name = "upper";
  upper_case.arguments = {TypeKind::kString};
  upper_case.result = TypeKind::kString;
  upper_case.kernel = change_case<write_upper>;
  upper_case.description = "The text in upper case (Latin, Greek, Cyrillic up to U+045F).";
  registry.add(upper_case);

  FunctionOverload lower_case = upper_case;
  lower_case.name = "lower";
  lower_case.kernel = change_case<write_lower>;
  lower_case.description = "The text in lower case (Latin, Greek, Cyrillic up to U+045F).";
  registry.add(lower_case);

  add_concatenation(registry, "concat", "concat(string, ...)", "concat(bytes, ...)");
  add_concatenation(registry, "||", "string || string", "bytes || bytes");
}

}  // namespace millrace::stream
