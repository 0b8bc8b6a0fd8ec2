#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_text.hpp"

#include <algorithm>
#include <regex>

// Searching texts: LIKE, replacing, likeness, and regular expressions.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Text = std::string;

/// LIKE as its definition reads. The escape stands before a %, a _ or itself, or the pattern is
/// none.
bool is_like(const Characters& text, const Characters& pattern, char32_t escape, std::size_t t,
             std::size_t p) {
  if (p == pattern.size()) return t == text.size();
  const char32_t sign = pattern[p];
  if (sign == escape)
    return t < text.size() && text[t] == pattern[p + 1] &&
           is_like(text, pattern, escape, t + 1, p + 2);
  if (sign == U'%') {
    for (std::size_t skip = t; skip <= text.size(); ++skip)
      if (is_like(text, pattern, escape, skip, p + 1)) return true;
    return false;
  }
  return t < text.size() && (sign == U'_' || sign == text[t]) &&
         is_like(text, pattern, escape, t + 1, p + 1);
}

void check_pattern(const Characters& pattern, char32_t escape) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != escape) continue;
    ++i;
    if (i == pattern.size() || (pattern[i] != U'%' && pattern[i] != U'_' && pattern[i] != escape))
      throw Failure();
  }
}

bool is_like(const Text& text, const Text& pattern, char32_t escape) {
  const Characters signs = characters_of(pattern);
  check_pattern(signs, escape);
  return is_like(characters_of(text), signs, escape, 0, 0);
}

Text lower(Text text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

Text replaced(const Text& text, const Text& part, const Text& by) {
  if (part.empty()) return text;
  Text result;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, part.size(), part) == 0) {
      result += by;
      i += part.size();
    } else {
      result += text[i++];
    }
  }
  return result;
}

Int distance(const Characters& left, const Characters& right) {
  if (left.empty() || right.empty()) return static_cast<Int>(left.size() + right.size());
  std::vector<std::vector<Int>> costs(left.size() + 1, std::vector<Int>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) {
    for (std::size_t j = 0; j <= right.size(); ++j) {
      if (i == 0 || j == 0)
        costs[i][j] = static_cast<Int>(i + j);
      else
        costs[i][j] = std::min({costs[i - 1][j] + 1, costs[i][j - 1] + 1,
                                costs[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)});
    }
  }
  return costs[left.size()][right.size()];
}

void add_like(Oracles& oracles) {
  oracles.push_back(
      oracle("like(string, string)", "like",
             [](const Text& text, const Text& pattern) { return is_like(text, pattern, U'\\'); }));
  oracles.push_back(
      oracle("ilike(string, string)", "ilike", [](const Text& text, const Text& pattern) {
        return is_like(lower(text), lower(pattern), U'\\');
      }));
  for (const char* name : {"like", "ilike"}) {
    const bool ignores_case = *name == 'i';
    oracles.push_back(oracle(Text(name) + "(string, string, string)", name,
                             [=](const Text& text, const Text& pattern, const Text& escape) {
                               const Characters sign = characters_of(escape);
                               if (sign.size() != 1) throw Failure();
                               return is_like(ignores_case ? lower(text) : text,
                                              ignores_case ? lower(pattern) : pattern, sign[0]);
                             }));
  }
}

/// Contains and its like are the same for texts and bytes.
void add_occurrence(Oracles& oracles) {
  const auto holds = [](const Text& name, const Text& text, const Text& part) {
    if (name == "contains") return text.find(part) != Text::npos;
    return name == "startswith" ? text.starts_with(part) : text.ends_with(part);
  };
  for (const char* name : {"contains", "startswith", "endswith"}) {
    oracles.push_back(
        oracle(Text(name) + "(string, string)", name,
               [=](const Text& text, const Text& part) { return holds(name, text, part); }));
    oracles.push_back(oracle(
        Text(name) + "(bytes, bytes)", name,
        [=](const Bytes& text, const Bytes& part) { return holds(name, text.data, part.data); }));
  }
  oracles.push_back(oracle(
      "find_in_set(string, string)", "find_in_set", [](const Text& wanted, const Text& set) -> Int {
        if (wanted.find(',') != Text::npos) return 0;
        Int number = 1;
        Text rest = set + ",";
        for (std::size_t comma = rest.find(','); comma != Text::npos; comma = rest.find(',')) {
          if (rest.substr(0, comma) == wanted) return number;
          rest.erase(0, comma + 1);
          ++number;
        }
        return 0;
      }));
}

void add_replacing(Oracles& oracles) {
  oracles.push_back(oracle(
      "replace(string, string, string)", "replace",
      [](const Text& text, const Text& part, const Text& by) { return replaced(text, part, by); }));
  oracles.push_back(
      oracle("replace(string, string)", "replace",
             [](const Text& text, const Text& part) { return replaced(text, part, ""); }));
  oracles.push_back(oracle("translate(string, string, string)", "translate",
                           [](const Text& text, const Text& from, const Text& to) {
                             const Characters sources = characters_of(from);
                             const Characters targets = characters_of(to);
                             Characters result;
                             for (const char32_t c : characters_of(text)) {
                               const std::size_t place = sources.find(c);
                               if (place == Characters::npos)
                                 result += c;
                               else if (place < targets.size())
                                 result += targets[place];
                             }
                             return text_of(result);
                           }));
  oracles.push_back(oracle("levenshtein(string, string)", "levenshtein",
                           [](const Text& left, const Text& right) -> Int {
                             return distance(characters_of(left), characters_of(right));
                           }));
  oracles.push_back(oracle("levenshtein(string, string, int)", "levenshtein",
                           [](const Text& left, const Text& right, Few limit) -> Int {
                             const Int cost = distance(characters_of(left), characters_of(right));
                             return cost <= limit.value ? cost : -1;
                           }));
}

// --- regular expressions, of a pattern that std::regex reads alike -------------------------------

constexpr const char* kPattern = "([a-z])([0-9,_-]?)";

const std::regex& regex() {
  static const std::regex kRegex(kPattern);
  return kRegex;
}

Build with_pattern(const char* name, std::vector<Expr> more = {}) {
  return [=](const std::vector<Expr>& columns) {
    std::vector<Expr> arguments = {columns[0], lit(kPattern)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return call(name, std::move(arguments));
  };
}

std::vector<std::smatch> matches_of(const Text& text) {
  return {std::sregex_iterator(text.begin(), text.end(), regex()), std::sregex_iterator()};
}

/// As Java counts: a character beyond the first 65,536 is two.
Int java_size(const Text& text) {
  Int size = 0;
  for (const char32_t c : characters_of(text)) size += c > 0xFFFF ? 2 : 1;
  return size;
}

Int place_of(const Text& text, const std::smatch& match) {
  return java_size(text.substr(0, static_cast<std::size_t>(match.position()))) + 1;
}

std::vector<std::optional<Text>> extracted(const Text& text, std::size_t group) {
  std::vector<std::optional<Text>> result;
  for (const std::smatch& match : matches_of(text)) result.emplace_back(match[group].str());
  return result;
}

std::vector<std::optional<Text>> split(const Text& text, Int limit) {
  std::vector<std::optional<Text>> pieces;
  std::size_t begin = 0;
  for (const std::smatch& match : matches_of(text)) {
    if (limit > 0 && static_cast<Int>(pieces.size()) + 1 == limit) break;
    pieces.emplace_back(text.substr(begin, static_cast<std::size_t>(match.position()) - begin));
    begin = static_cast<std::size_t>(match.position() + match.length());
  }
  pieces.emplace_back(text.substr(begin));
  return pieces;
}

void add_regular_expressions(Oracles& oracles) {
  oracles.push_back(oracle("regexp_like(string, string)", with_pattern("regexp_like"),
                           [](const Text& text) { return !matches_of(text).empty(); }));
  oracles.push_back(
      oracle("regexp_count(string, string)", with_pattern("regexp_count"),
             [](const Text& text) -> Int { return static_cast<Int>(matches_of(text).size()); }));
  oracles.push_back(oracle("regexp_instr(string, string)", with_pattern("regexp_instr"),
                           [](const Text& text) -> Int {
                             const auto matches = matches_of(text);
                             return matches.empty() ? 0 : place_of(text, matches[0]);
                           }));
  oracles.push_back(oracle("regexp_instr(string, string, int)",
                           with_pattern("regexp_instr", {lit(1)}), [](const Text& text) -> Int {
                             const auto matches = matches_of(text);
                             return matches.empty() ? 0 : place_of(text, matches[0]);
                           }));
  oracles.push_back(oracle("regexp_substr(string, string)", with_pattern("regexp_substr"),
                           [](const Text& text) -> std::optional<Text> {
                             const auto matches = matches_of(text);
                             if (matches.empty()) return std::nullopt;
                             return matches[0].str();
                           }));
  for (const int group : {0, 1, 2}) {
    oracles.push_back(oracle("regexp_extract(string, string, int)",
                             with_pattern("regexp_extract", {lit(group)}), [=](const Text& text) {
                               const auto all = extracted(text, static_cast<std::size_t>(group));
                               return all.empty() ? Text() : *all[0];
                             }));
    oracles.push_back(oracle(
        "regexp_extract_all(string, string, int)", with_pattern("regexp_extract_all", {lit(group)}),
        [=](const Text& text) { return extracted(text, static_cast<std::size_t>(group)); }));
  }
  oracles.push_back(oracle("regexp_extract(string, string)", with_pattern("regexp_extract"),
                           [](const Text& text) {
                             const auto all = extracted(text, 1);
                             return all.empty() ? Text() : *all[0];
                           }));
  oracles.push_back(oracle("regexp_extract_all(string, string)", with_pattern("regexp_extract_all"),
                           [](const Text& text) { return extracted(text, 1); }));
  oracles.push_back(oracle(
      "regexp_replace(string, string, string)", with_pattern("regexp_replace", {lit("<$2$1>")}),
      [](const Text& text) { return std::regex_replace(text, regex(), "<$2$1>"); }));
  oracles.push_back(
      oracle("regexp_replace(string, string, string, int)",
             with_pattern("regexp_replace", {lit("!"), lit(3)}), [](const Text& text) {
               if (java_size(text) < 3) return text;
               const Characters letters = characters_of(text);
               std::size_t kept = 0;  // the characters that begin before the third place
               while (java_size(text_of(letters.substr(0, kept))) < 2) ++kept;
               return text_of(letters.substr(0, kept)) +
                      std::regex_replace(text_of(letters.substr(kept)), regex(), "!");
             }));
  oracles.push_back(oracle("split(string, string)", with_pattern("split"),
                           [](const Text& text) { return split(text, -1); }));
  oracles.push_back(oracle("split(string, string, int)", with_pattern("split", {lit(2)}),
                           [](const Text& text) { return split(text, 2); }));
}

}  // namespace

Oracles search_oracles() {
  Oracles oracles;
  add_like(oracles);
  add_occurrence(oracles);
  add_replacing(oracles);
  add_regular_expressions(oracles);
  return oracles;
}

}  // namespace millrace::property
