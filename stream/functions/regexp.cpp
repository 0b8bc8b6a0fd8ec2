#include "stream/ascii.hpp"
#include "stream/functions/pattern_cache.hpp"
#include "stream/functions/regular_expression.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/utf8.hpp"

#include <algorithm>
#include <cstring>

// Functions of regular expressions (see regular_expression.hpp for the syntax). A pattern is
// compiled once per call. Arrays of texts are built in the result's child column; the texts are
// views into the argument.

namespace millrace::stream {

namespace {

using Patterns = PatternCache<RegularExpression>;

/// The compiled pattern; null, and the row fails, if it is none.
RegularExpression* compiled(Row& row, Patterns& patterns, std::string_view pattern) {
  auto& result = patterns.find(pattern, RegularExpression::compile);
  if (result) [[likely]]
    return &*result;
  row.raise([&] { return result.error().message; });
  return nullptr;
}

bool matches(Row& row, std::string_view text, std::string_view pattern) {
  const RegularExpression* expression = compiled(row, row.state<Patterns>(), pattern);
  return expression != nullptr && expression->matches_in(text);
}

/// Whether there is such a group; else the row fails.
bool has_group(Row& row, const RegularExpression& expression, std::int32_t group) {
  if (group >= 0 && static_cast<std::size_t>(group) <= expression.group_count()) return true;
  row.raise([&] {
    return "there is no group " + std::to_string(group) + ": the regular expression has " +
           std::to_string(expression.group_count());
  });
  return false;
}

std::string_view extract_group(Row& row, std::string_view text, std::string_view pattern,
                               std::int32_t group) {
  RegularExpression* expression = compiled(row, row.state<Patterns>(), pattern);
  if (expression == nullptr) return {};
  const std::size_t wanted = static_cast<std::size_t>(std::max(group, 0));
  if (!expression->find(text, 0, std::min(wanted, expression->group_count()))) return {};
  return has_group(row, *expression, group) ? expression->group(wanted) : std::string_view();
}

std::string_view extract(Row& row, std::string_view text, std::string_view pattern) {
  return extract_group(row, text, pattern, 1);
}

std::string_view first_match(Row& row, std::string_view text, std::string_view pattern) {
  const std::string_view found = extract_group(row, text, pattern, 0);
  if (found.empty()) row.set_null();
  return found;
}

std::int32_t count_matches(Row& row, std::string_view text, std::string_view pattern) {
  RegularExpression* expression = compiled(row, row.state<Patterns>(), pattern);
  if (expression == nullptr) return 0;
  std::int32_t count = 0;
  for (std::size_t from = 0; expression->find(text, from, 0); from = expression->next(text))
    ++count;
  return count;
}

/// Characters, those beyond U+FFFF counted as two, as Java counts them.
std::size_t count_utf16(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(character_size(text)))
    count += first_character(text) > 0xFFFF ? 2 : 1;
  return count;
}

std::size_t offset_of_utf16(std::string_view text, std::size_t number) {
  std::size_t offset = 0;
  while (offset < text.size() && number > 0) {
    const std::size_t units = first_character(text.substr(offset)) > 0xFFFF ? 2 : 1;
    number -= std::min(number, units);
    offset += character_size(text.substr(offset));
  }
  return number > 0 ? text.size() + 1 : offset;
}

std::int32_t position_of_match(Row& row, std::string_view text, std::string_view pattern) {
  RegularExpression* expression = compiled(row, row.state<Patterns>(), pattern);
  if (expression == nullptr || !expression->find(text, 0, 0)) return 0;
  return static_cast<std::int32_t>(count_utf16(text.substr(0, expression->begin()))) + 1;
}

std::int32_t position_of_group_match(Row& row, std::string_view text, std::string_view pattern,
                                     std::int32_t) {
  return position_of_match(row, text, pattern);
}

// --- replacing
// ------------------------------------------------------------------------------------

/// Texts grow while they are written, so they are built here and copied out once.
struct Replacing : CallState {
  Patterns patterns;
  std::string result;
};

void settle_replacing(const PlannedCall& call, CallMemory& memory) {
  auto& state = memory.get<Replacing>();
  if (const std::string* pattern = literal_text(call, 1))
    (void)state.patterns.find(*pattern, RegularExpression::compile);
}

/// A replacement as Java writes it: $1, ${name}, and \$ for a dollar.
class Replacement {
 public:
  Replacement(std::string_view text, const RegularExpression& expression)
      : text_(text), expression_(expression) {}

  /// Appends the replacement of the match found last; gives what is wrong with it, or null.
  const char* append_to(std::string& result) {
    for (std::size_t at = 0; at < text_.size();) {
      const char c = text_[at];
      if (c == '\\') {
        if (++at == text_.size()) return "the replacement ends with a backslash";
        result += text_[at++];
      } else if (c == '$') {
        ++at;
        const char* problem = nullptr;
        const std::size_t group = take_group(at, problem);
        if (problem != nullptr) return problem;
        result += expression_.group(group);
      } else {
        result += c;
        ++at;
      }
    }
    return nullptr;
  }

 private:
  std::size_t take_group(std::size_t& at, const char*& problem) const {
    if (at < text_.size() && text_[at] == '{') return take_name(at, problem);
    if (at == text_.size() || !is_digit(text_[at])) {
      problem =
          "a dollar in the replacement stands before a group's number; write \\$ for the sign";
      return 0;
    }
    std::size_t group = digit(text_[at++]);
    if (group > expression_.group_count()) {
      problem = "the replacement names a group that the regular expression does not have";
      return 0;
    }
    // More digits belong to it as long as there is such a group.
    while (at < text_.size() && is_digit(text_[at]) &&
           group * 10 + digit(text_[at]) <= expression_.group_count())
      group = group * 10 + digit(text_[at++]);
    return group;
  }

  std::size_t take_name(std::size_t& at, const char*& problem) const {
    const std::size_t end = text_.find('}', at);
    const std::size_t group =
        end == std::string_view::npos
            ? 0
            : expression_.group_of(std::string(text_.substr(at + 1, end - at - 1)));
    if (group == 0)
      problem = "the replacement names a group that the regular expression does not have";
    at = end == std::string_view::npos ? text_.size() : end + 1;
    return group;
  }

  static std::size_t digit(char c) { return static_cast<std::size_t>(c - '0'); }

  std::string_view text_;
  const RegularExpression& expression_;
};

std::string_view replace_behind(Row& row, std::string_view text, std::string_view pattern,
                                std::string_view by, std::size_t start) {
  auto& state = row.state<Replacing>();
  RegularExpression* expression = compiled(row, state.patterns, pattern);
  if (expression == nullptr) return {};
  const std::string_view rest = text.substr(start);
  const std::size_t groups = by.find('$') == std::string_view::npos ? 0 : expression->group_count();
  Replacement replacement(by, *expression);
  state.result.assign(text.substr(0, start));
  std::size_t done = 0;
  for (std::size_t from = 0; expression->find(rest, from, groups); from = expression->next(rest)) {
    state.result += rest.substr(done, expression->begin() - done);
    if (const char* problem = replacement.append_to(state.result); problem != nullptr) {
      row.raise(problem);
      return {};
    }
    done = expression->end();
    if (state.result.size() > kMadeTextMax) break;
  }
  if (done == 0 && state.result.size() == start) return text;
  state.result += rest.substr(done);
  char* const result = row.allocate_made(state.result.size());
  if (result == nullptr) return {};
  std::memcpy(result, state.result.data(), state.result.size());
  return {result, state.result.size()};
}

std::string_view replace(Row& row, std::string_view text, std::string_view pattern,
                         std::string_view by) {
  return replace_behind(row, text, pattern, by, 0);
}

std::string_view replace_from(Row& row, std::string_view text, std::string_view pattern,
                              std::string_view by, std::int32_t position) {
  if (position < 1) {
    row.raise("the position to replace from is counted from 1");
    return {};
  }
  const std::size_t start = offset_of_utf16(text, static_cast<std::size_t>(position) - 1);
  if (position > 1 && start >= text.size()) return text;
  return replace_behind(row, text, pattern, by, std::min(start, text.size()));
}

// --- arrays of texts
// ------------------------------------------------------------------------------

/// Fills the result, an array of texts, row by row: `fill` appends a row's elements.
template <typename Fill>
void each_list(KernelCall& call, const Fill& fill) {
  Column& elements = call.result.child(0);
  const auto lists = call.result.values<ListEntry>();
  for (std::size_t index = 0; index < call.rows; ++index) {
    const std::size_t begin = elements.size();
    if (!call.result.is_null(index)) {
      Row row(call, index);
      fill(row, index, elements);
    }
    lists[index] = {static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(elements.size() - begin)};
  }
}

void add(Column& elements, std::string_view text) { elements.append<std::string_view>(text); }

/// Without a pattern every character is a part; the rest of a limited number is left out.
void split_characters(std::string_view text, std::int32_t limit, Column& parts) {
  for (std::int32_t count = 0; !text.empty() && (limit <= 0 || count < limit); ++count) {
    const std::size_t size = character_size(text);
    add(parts, text.substr(0, size));
    text.remove_prefix(size);
  }
}

void split_text(RegularExpression& expression, std::string_view text, std::int32_t limit,
                Column& parts) {
  std::size_t begin = 0;
  std::int32_t count = 1;
  for (std::size_t from = 0; (limit <= 0 || count < limit) && expression.find(text, from, 0);
       from = expression.next(text)) {
    if (expression.end() == 0) continue;  // an empty match at the front parts nothing
    add(parts, text.substr(begin, expression.begin() - begin));
    begin = expression.end();
    ++count;
  }
  add(parts, text.substr(begin));
}

void split(KernelCall& call) {
  const bool has_limit = call.arguments.size() == 3;
  each_list(call, [&](Row& row, std::size_t index, Column& parts) {
    const std::string_view text = call.arguments[0]->text(index);
    const std::string_view pattern = call.arguments[1]->text(index);
    const std::int32_t limit = has_limit ? call.arguments[2]->value<std::int32_t>(index) : -1;
    if (pattern.empty() && !text.empty()) return split_characters(text, limit, parts);
    RegularExpression* expression = compiled(row, row.state<Patterns>(), pattern);
    if (expression != nullptr) split_text(*expression, text, limit, parts);
  });
}

void extract_all(KernelCall& call) {
  const bool has_group_number = call.arguments.size() == 3;
  each_list(call, [&](Row& row, std::size_t index, Column& found) {
    const std::string_view text = call.arguments[0]->text(index);
    RegularExpression* expression =
        compiled(row, row.state<Patterns>(), call.arguments[1]->text(index));
    if (expression == nullptr) return;
    const std::int32_t group = has_group_number ? call.arguments[2]->value<std::int32_t>(index) : 1;
    const std::size_t wanted = static_cast<std::size_t>(std::max(group, 0));
    const std::size_t noted = std::min(wanted, expression->group_count());
    for (std::size_t from = 0; expression->find(text, from, noted); from = expression->next(text)) {
      if (!has_group(row, *expression, group)) return;
      add(found, expression->group(wanted));
    }
  });
}

// --- registration
// ---------------------------------------------------------------------------------

constexpr const char* kBadPattern = "the pattern is none, or uses what is not supported";
constexpr const char* kBadGroup = "the pattern is none, or has no group of that number";

Status check_pattern(std::span<const Value* const> literals) {
  if (literals[1] == nullptr) return {};
  auto expression = RegularExpression::compile(std::get<std::string>(literals[1]->data));
  if (!expression) return fail(std::move(expression).error());
  return {};
}

FunctionOverload of_pattern(const char* name, std::vector<DataType> more, DataType result,
                            Kernel kernel, const char* description) {
  std::vector<DataType> arguments = {TypeKind::kString, TypeKind::kString};
  arguments.insert(arguments.end(), more.begin(), more.end());
  FunctionOverload overload =
      failing(text_function(name, std::move(arguments), std::move(result), kernel, description),
              kBadPattern);
  overload.check_literals = check_pattern;
  overload.settle = settle_pattern<RegularExpression, RegularExpression::compile, 1>;
  return overload;
}

FunctionOverload replacing(std::vector<DataType> more, Kernel kernel, const char* description,
                           const char* errors) {
  FunctionOverload overload =
      failing(of_pattern("regexp_replace", std::move(more), TypeKind::kString, kernel, description),
              errors);
  overload.settle = settle_replacing;
  return overload;
}

void add_matching(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(of_pattern("regexp_like", {}, kBoolean, each_row<matches>,
                          "Whether the pattern matches anywhere in the text."));
  registry.add_alias("rlike", "regexp_like");
  registry.add_alias("regexp", "regexp_like");
  registry.add(of_pattern("regexp_count", {}, kInt32, each_row<count_matches>,
                          "How often the pattern matches."));
  constexpr const char* kPosition =
      "Where the first match begins, from 1 (characters beyond U+FFFF count as two); 0 if there "
      "is none.";
  registry.add(of_pattern("regexp_instr", {}, kInt32, each_row<position_of_match>, kPosition));
  registry.add(
      of_pattern("regexp_instr", {kInt32}, kInt32, each_row<position_of_group_match>, kPosition));
}

void add_extracting(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kExtract =
      "Of the first match, the group of that number (1 if none is given, 0 for the whole match); "
      "empty if nothing matches or the group took no part.";
  registry.add(
      failing(of_pattern("regexp_extract", {}, kString, each_row<extract>, kExtract), kBadGroup));
  registry.add(
      failing(of_pattern("regexp_extract", {kInt32}, kString, each_row<extract_group>, kExtract),
              kBadGroup));
  constexpr const char* kExtractAll =
      "Of every match, the group of that number (1 if none is given, 0 for the whole match).";
  registry.add(failing(
      of_pattern("regexp_extract_all", {}, DataType::array(kString), extract_all, kExtractAll),
      kBadGroup));
  registry.add(failing(of_pattern("regexp_extract_all", {kInt32}, DataType::array(kString),
                                  extract_all, kExtractAll),
                       kBadGroup));
  registry.add(with_nulls(of_pattern("regexp_substr", {}, kString, each_row<first_match>,
                                     "The first part of the text that the pattern matches."),
                          "an argument is null, or nothing but the empty text matches"));
}

void add_replacing(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kReplace =
      "The text with every match replaced; $1 and ${name} in the replacement stand for groups, "
      "\\$ for the sign. With a fourth argument, from that position on.";
  constexpr const char* kErrors =
      "the pattern is none, the replacement names a group that is not there, the position is "
      "below 1, or the result would be longer than 64 MiB";
  registry.add(replacing({kString}, each_row<replace>, kReplace, kErrors));
  registry.add(replacing({kString, kInt32}, each_row<replace_from>, kReplace, kErrors));
  constexpr const char* kSplit =
      "The parts of the text between matches, at most so many of them if a limit above 0 is given; "
      "by an empty pattern, its characters.";
  registry.add(of_pattern("split", {}, DataType::array(kString), split, kSplit));
  registry.add(of_pattern("split", {kInt32}, DataType::array(kString), split, kSplit));
}

}  // namespace

void add_regular_expression_functions(FunctionRegistry& registry) {
  add_matching(registry);
  add_extracting(registry);
  add_replacing(registry);
}

}  // namespace millrace::stream
