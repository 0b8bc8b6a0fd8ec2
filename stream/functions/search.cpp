#include "stream/functions/letter_case.hpp"
#include "stream/functions/like_pattern.hpp"
#include "stream/functions/pattern_cache.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <unordered_map>

// Where a text occurs in another, LIKE, and texts with parts replaced. Positions count characters
// from 1; 0 stands for "nowhere".

namespace millrace::stream {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

// --- occurrence
// -----------------------------------------------------------------------------------

bool contains(std::string_view text, std::string_view part) { return text.find(part) != kNone; }
bool begins_with(std::string_view text, std::string_view part) { return text.starts_with(part); }
bool ends_with(std::string_view text, std::string_view part) { return text.ends_with(part); }

/// The character number, from 1, of the first occurrence at or behind the start; 0: there is none.
std::int32_t position_of(std::string_view part, std::string_view text, std::int32_t start) {
  if (start < 1) return 0;
  if (part.empty()) return 1;
  const std::size_t begin = offset_of_character(text, static_cast<std::size_t>(start) - 1);
  const std::size_t found = text.find(part, begin);
  if (found == kNone) return 0;
  return start + static_cast<std::int32_t>(count_characters(text.substr(begin, found - begin)));
}

std::int32_t locate(Row&, std::string_view part, std::string_view text) {
  return position_of(part, text, 1);
}
std::int32_t find_in_text(Row&, std::string_view text, std::string_view part) {
  return position_of(part, text, 1);
}

/// A start that is null finds nothing, whatever the texts are.
void locate_from(KernelCall& call) {
  const Column& part = *call.arguments[0];
  const Column& text = *call.arguments[1];
  const Column& start = *call.arguments[2];
  const auto result = call.result.values<std::int32_t>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    result[row] = 0;
    if (start.is_null(row)) continue;
    if (part.is_null(row) || text.is_null(row))
      call.result.set_null(row);
    else
      result[row] = position_of(part.text(row), text.text(row), start.value<std::int32_t>(row));
  }
}

std::int32_t find_in_set(Row&, std::string_view wanted, std::string_view set) {
  if (wanted.find(',') != kNone) return 0;
  std::int32_t number = 1;
  for (std::size_t begin = 0;; ++number) {
    const std::size_t end = std::min(set.find(',', begin), set.size());
    if (set.substr(begin, end - begin) == wanted) return number;
    if (end == set.size()) return 0;
    begin = end + 1;
  }
}

// --- LIKE
// -----------------------------------------------------------------------------------------

constexpr const char* kBadEscape = "the escape of LIKE must be one character";

bool is_one_character(std::string_view text) {
  return !text.empty() && character_size(text) == text.size();
}

class LikeCache : public PatternCache<LikePattern> {
 public:
  char32_t escape = '\\';  ///< of the patterns at hand: of the literal, hence one for all rows
};

Result<LikePattern> compile_like(std::string_view source, char32_t escape) {
  return LikePattern::parse(source, escape);
}

std::string lower_case(std::string_view text) {
  std::string lower(text.size() * kCaseGrowthMax, '\0');
  lower.resize(write_lower(text, lower.data()));
  return lower;
}

Result<LikePattern> compile_ilike(std::string_view source, char32_t escape) {
  return LikePattern::parse(lower_case(source), escape);
}

/// Literals, if both are.
template <auto kCompile>
void settle_like(const PlannedCall& call, CallMemory& memory) {
  auto& cache = memory.get<LikeCache>();
  const std::string* pattern = literal_text(call, 1);
  const bool has_escape = call.literals.size() == 3;
  const std::string* escape = has_escape ? literal_text(call, 2) : nullptr;
  if (pattern == nullptr || (has_escape && (escape == nullptr || !is_one_character(*escape))))
    return;
  if (has_escape) cache.escape = first_character(*escape);
  (void)cache.find(*pattern, [&](std::string_view text) { return kCompile(text, cache.escape); });
}

bool match_like(Row& row, LikeCache& cache, std::string_view text, std::string_view pattern) {
  const auto& like = cache.find(
      pattern, [&](std::string_view source) { return compile_like(source, cache.escape); });
  if (like) [[likely]]
    return like->matches(text);
  row.raise([&] { return like.error().message; });
  return false;
}

bool match_ilike(Row& row, LikeCache& cache, std::string_view text, std::string_view pattern) {
  const auto& like = cache.find(
      pattern, [&](std::string_view source) { return compile_ilike(source, cache.escape); });
  if (!like) {
    row.raise([&] { return like.error().message; });
    return false;
  }
  const std::size_t room = text.size() * kCaseGrowthMax;
  char* const lower = row.allocate(room);
  const bool matches = like->matches({lower, write_lower(text, lower)});
  (void)row.finish(lower, room, 0);
  return matches;
}

template <auto kMatch>
bool like(Row& row, std::string_view text, std::string_view pattern) {
  return kMatch(row, row.state<LikeCache>(), text, pattern);
}

template <auto kMatch>
bool like_with_escape(Row& row, std::string_view text, std::string_view pattern,
                      std::string_view escape) {
  if (!is_one_character(escape)) {
    row.raise(kBadEscape);
    return false;
  }
  auto& cache = row.state<LikeCache>();
  const char32_t character = first_character(escape);
  if (cache.escape != character) {  // a new literal, at most; else every row would compile
    cache.clear();
    cache.escape = character;
  }
  return kMatch(row, cache, text, pattern);
}

// --- replacing
// ------------------------------------------------------------------------------------

std::size_t count_occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != kNone; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

char* append(char* end, std::string_view part) {
  if (!part.empty()) std::memcpy(end, part.data(), part.size());
  return end + part.size();
}

std::string_view replace(Row& row, std::string_view text, std::string_view part,
                         std::string_view by) {
  if (part.empty()) return text;
  const std::size_t count = count_occurrences(text, part);
  if (count == 0) return text;
  const std::size_t size = text.size() - count * part.size() + count * by.size();
  char* const begin = row.allocate_made(size);
  if (begin == nullptr) return {};
  char* end = begin;
  std::size_t done = 0;
  for (std::size_t at = text.find(part); at != kNone; at = text.find(part, done)) {
    end = append(append(end, text.substr(done, at - done)), by);
    done = at + part.size();
  }
  append(end, text.substr(done));
  return {begin, size};
}

std::string_view remove(Row& row, std::string_view text, std::string_view part) {
  return replace(row, text, part, {});
}

/// What each character becomes; made once for a pair of texts.
class Translation : public CallState {
 public:
  static constexpr char32_t kRemoved = 0xFFFFFFFF;

  void prepare(std::string_view from, std::string_view to) {
    if (is_ready_ && from == from_ && to == to_) [[likely]]
      return;
    is_ready_ = true;
    from_ = from;
    to_ = to;
    std::iota(ascii_.begin(), ascii_.end(), char32_t{0});
    others_.clear();
    std::array<bool, 128> is_set{};
    while (!from.empty()) {
      const char32_t source = take(from);
      const char32_t target = to.empty() ? kRemoved : take(to);
      if (source >= ascii_.size()) {
        others_.emplace(source, target);  // the first of two counts
      } else if (!is_set[source]) {
        is_set[source] = true;
        ascii_[source] = target;
      }
    }
  }

  [[nodiscard]] char32_t operator()(char32_t character) const {
    if (character < ascii_.size()) return ascii_[character];
    const auto place = others_.find(character);
    return place == others_.end() ? character : place->second;
  }

 private:
  static char32_t take(std::string_view& text) {
    const char32_t character = first_character(text);
    text.remove_prefix(character_size(text));
    return character;
  }

  bool is_ready_ = false;
  std::string from_;
  std::string to_;
  std::array<char32_t, 128> ascii_{};
  std::unordered_map<char32_t, char32_t> others_;
};

void settle_translation(const PlannedCall& call, CallMemory& memory) {
  auto& translation = memory.get<Translation>();
  const std::string* from = literal_text(call, 1);
  const std::string* to = literal_text(call, 2);
  if (from != nullptr && to != nullptr) translation.prepare(*from, *to);
}

std::string_view translate(Row& row, std::string_view text, std::string_view from,
                           std::string_view to) {
  constexpr std::size_t kCharacterMax = 4;
  auto& translation = row.state<Translation>();
  translation.prepare(from, to);
  const std::size_t room = text.size() * kCharacterMax;
  char* const begin = row.allocate(room);
  char* end = begin;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const char32_t character = first_character(text);
    const char32_t translated = translation(character);
    if (translated == character)
      end = append(end, text.substr(0, size));
    else if (translated != Translation::kRemoved)
      end += write_character(translated, end);
    text.remove_prefix(size);
  }
  return row.finish(begin, room, static_cast<std::size_t>(end - begin));
}

// --- likeness of words
// ----------------------------------------------------------------------------

struct EditDistance : CallState {
  std::vector<char32_t> left;
  std::vector<char32_t> right;
  std::vector<std::int32_t> costs;
};

void decode(std::string_view text, std::vector<char32_t>& characters) {
  characters.clear();
  for (; !text.empty(); text.remove_prefix(character_size(text)))
    characters.push_back(first_character(text));
}

std::int32_t levenshtein(Row& row, std::string_view left, std::string_view right) {
  auto& state = row.state<EditDistance>();
  decode(left, state.left);
  decode(right, state.right);
  auto& costs = state.costs;  // of turning the left text so far into each front of the right one
  costs.resize(state.right.size() + 1);
  std::iota(costs.begin(), costs.end(), 0);
  for (std::size_t i = 0; i < state.left.size(); ++i) {
    std::int32_t diagonal = costs[0]++;
    for (std::size_t j = 0; j < state.right.size(); ++j) {
      const std::int32_t replaced = diagonal + (state.left[i] == state.right[j] ? 0 : 1);
      diagonal = costs[j + 1];
      costs[j + 1] = std::min({replaced, diagonal + 1, costs[j] + 1});
    }
  }
  return costs.back();
}

std::int32_t levenshtein_below(Row& row, std::string_view left, std::string_view right,
                               std::int32_t threshold) {
  const std::int32_t distance = levenshtein(row, left, right);
  return distance <= threshold ? distance : -1;
}

char upper_letter(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_letter(char c) { return c >= 'A' && c <= 'Z'; }

std::string_view soundex(Row& row, std::string_view text) {
  // By letter; '0' parts equal codes, '7' (H and W) does not.
  constexpr std::string_view kCodes = "01230127022455012623017202";
  if (text.empty() || !is_letter(upper_letter(text[0]))) return text;
  char* const code = row.allocate(4);
  std::memset(code, '0', 4);
  code[0] = upper_letter(text[0]);
  char last = kCodes[static_cast<std::size_t>(code[0] - 'A')];
  std::size_t size = 1;
  for (std::size_t i = 1; i < text.size() && size < 4; ++i) {
    const char letter = upper_letter(text[i]);
    const char next = is_letter(letter) ? kCodes[static_cast<std::size_t>(letter - 'A')] : '0';
    if (next == '7') continue;
    if (next != '0' && next != last) code[size++] = next;
    last = next;
  }
  return {code, 4};
}

void add_occurrence(FunctionRegistry& registry) {
  using enum TypeKind;
  const auto add = [&](const char* name, Kernel kernel, const char* description) {
    registry.add(text_function(name, {kString, kString}, kBoolean, kernel, description));
    registry.add(plain_function(name, {kBytes, kBytes}, kBoolean, kernel, description));
  };
  add("contains", each_row<contains>, "Whether the second text occurs in the first.");
  add("startswith", each_row<begins_with>, "Whether the first text begins with the second.");
  add("endswith", each_row<ends_with>, "Whether the first text ends with the second.");
  registry.add_alias("starts_with", "startswith");
  registry.add_alias("ends_with", "endswith");

  registry.add(text_function("locate", {kString, kString}, kInt32, each_row<locate>,
                             "Where the first text occurs in the second; 0: nowhere."));
  FunctionOverload from =
      with_nulls(text_function("locate", {kString, kString, kInt32}, kInt32, locate_from,
                               "The same, at or behind a position; 0 also for a position below 1."),
                 "a text is null; a position that is null gives 0");
  from.is_strict = false;
  registry.add(from);
  registry.add_alias("position", "locate");
  registry.add(text_function("instr", {kString, kString}, kInt32, each_row<find_in_text>,
                             "Where the second text occurs in the first; 0: nowhere."));
  registry.add_alias("charindex", "locate");
  registry.add(text_function("find_in_set", {kString, kString}, kInt32, each_row<find_in_set>,
                             "The number of the first text in the second, a list with commas; 0 "
                             "if it is not there, or holds a comma itself."));
}

Status check_pattern(std::span<const Value* const> literals) {
  const bool has_escape = literals.size() == 3;
  if (literals[1] == nullptr || (has_escape && literals[2] == nullptr)) return {};
  const std::string escape = has_escape ? std::get<std::string>(literals[2]->data) : "\\";
  if (!is_one_character(escape)) return fail(ErrorCode::kInvalidArgument, kBadEscape);
  const auto& pattern = std::get<std::string>(literals[1]->data);
  auto parsed = LikePattern::parse(pattern, first_character(escape));
  if (!parsed) return fail(std::move(parsed).error());
  return {};
}

void add_like(FunctionRegistry& registry) {
  using enum TypeKind;
  const auto add = [&](const char* name, Kernel kernel, Kernel with_escape, Settle settle,
                       const char* description) {
    const auto checked = [settle](FunctionOverload overload) {
      overload.check_literals = check_pattern;
      overload.settle = settle;
      return overload;
    };
    constexpr const char* kErrors =
        "the escape stands before another character than %, _ and itself, or is not one character";
    registry.add(checked(
        failing(text_function(name, {kString, kString}, kBoolean, kernel, description), kErrors)));
    registry.add(checked(failing(
        text_function(name, {kString, kString, kString}, kBoolean, with_escape, description),
        kErrors)));
  };
  add("like", each_row<like<match_like>>, each_row<like_with_escape<match_like>>,
      settle_like<compile_like>,
      "Whether the whole text is like the pattern: % is any text, _ any character; the escape "
      "(the third argument, else a backslash) makes the next of these stand for itself.");
  add("ilike", each_row<like<match_ilike>>, each_row<like_with_escape<match_ilike>>,
      settle_like<compile_ilike>, "The same as like, large and small letters being equal.");
}

void add_replacing(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(
      failing(text_function("replace", {kString, kString, kString}, kString, each_row<replace>,
                            "The text with every occurrence of the second replaced by the third; "
                            "an empty second text occurs nowhere."),
              "the result would be longer than 64 MiB"));
  registry.add(text_function("replace", {kString, kString}, kString, each_row<remove>,
                             "The text without the occurrences of the second."));
  FunctionOverload translating = text_function(
      "translate", {kString, kString, kString}, kString, each_row<translate>,
      "The text with each character of the second replaced by the one at the same place of the "
      "third; those without a counterpart are removed.");
  translating.settle = settle_translation;
  registry.add(translating);
}

}  // namespace

void add_search_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_occurrence(registry);
  add_like(registry);
  add_replacing(registry);
  registry.add(text_function("levenshtein", {kString, kString}, kInt32, each_row<levenshtein>,
                             "How many characters must be put in, taken out or replaced to make "
                             "one text the other."));
  registry.add(text_function("levenshtein", {kString, kString, kInt32}, kInt32,
                             each_row<levenshtein_below>,
                             "The same, -1 if it is more than the third argument."));
  registry.add(text_function("soundex", {kString}, kString, each_row<soundex>,
                             "The text's Soundex code, for the ear; a text that begins with no "
                             "letter of English stays."));
}

}  // namespace millrace::stream
