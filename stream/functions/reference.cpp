#include "stream/functions/reference.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace millrace::stream {

namespace {

using Overloads = std::vector<const FunctionOverload*>;

constexpr const char* kHead = R"(# Functions

Made by `millrace functions` from the registry that queries are planned with; `./dev docs` writes it
anew and a test compares.

How to read it: a result is null where an argument is null, unless "Null:" says otherwise. "Fails:"
names the rows that cannot be computed; what becomes of such a row is the query's business. An int
is taken where a bigint is asked for, and both where a double is; functions of texts take other
scalars as their text. Positions in texts count characters (Unicode code points) from 1. A function
is *not reproducible* if the same arguments can give another result at the next run; exactly-once
delivery by `resume` refuses queries that use one.
)";

// What a family needs said once.
const std::map<std::string, const char*, std::less<>>& introductions() {
  static const std::map<std::string, const char*, std::less<>> texts = {
      {"Regular expressions",
       "The syntax is RE2's, which takes time linear in the text whatever the pattern, with Java's "
       "spellings `(?<name>...)`, `\\uXXXX`, `\\h`, `\\R`, `\\p{Alpha}` and its kin, "
       "`\\p{IsGreek}`. "
       "It differs from Java's, and so from Spark's: look-ahead, look-behind, back "
       "references, "
       "possessive and atomic groups, `&&` and brackets within brackets are refused; repetitions "
       "go "
       "up to 1,000; `$` matches at the very end only, not before a last line feed; `.` leaves out "
       "line feeds only; `(?i)` knows all of Unicode. A literal pattern is checked when the query "
       "is "
       "planned. Matching may allocate and lock inside RE2."},
      {"Mathematics",
       "exp, ln, log10, pow, cbrt, hypot, asin, acos, atan and atan2 give the last digit that "
       "Java's "
       "StrictMath gives; sin, cos, tan, sinh, tanh, expm1 and log1p are the C library's and may "
       "differ from it by the last digit."},
      {"Random values",
       "Each call of each task has a generator of its own, which begins with the seed when the "
       "query starts and goes on from there. rand(seed) and randn(seed) give the numbers that "
       "Spark gives for the same seed in the first partition of the first batch; Spark adds the "
       "partition's number to the seed and begins anew with every batch."},
  };
  return texts;
}

bool reads_alike(const FunctionOverload& left, const FunctionOverload& right) {
  return left.description == right.description && left.nulls == right.nulls &&
         left.errors == right.errors && left.is_reproducible == right.is_reproducible;
}

std::string result_of(const FunctionOverload& overload) {
  if (overload.result.is(TypeKind::kNull)) return "";
  return " → `" + overload.result.to_string() + "`";
}

std::string remarks_of(const FunctionOverload& overload) {
  std::string text = overload.description;
  if (!overload.nulls.empty()) text += " Null: " + overload.nulls + ".";
  if (!overload.errors.empty()) text += " Fails: " + overload.errors + ".";
  if (!overload.is_reproducible) text += " Not reproducible.";
  return text;
}

/// One function: its signatures, those that read alike together, and what there is to say.
void write_function(std::string& page, const Overloads& overloads, const std::string& aliases) {
  page += "\n### " + overloads.front()->name + "\n";
  if (!aliases.empty()) page += "\nAlso " + aliases + ".\n";
  for (std::size_t i = 0; i < overloads.size();) {
    page += "\n";
    const std::size_t first = i;
    for (; i < overloads.size() && reads_alike(*overloads[first], *overloads[i]); ++i)
      page += "- `" + signature_of(*overloads[i]) + "`" + result_of(*overloads[i]) + "\n";
    page += "\n" + remarks_of(*overloads[first]) + "\n";
  }
}

/// The names that are other words for each function.
std::map<std::string, std::string> find_aliases(const FunctionRegistry& registry) {
  std::map<std::string, std::string> aliases;
  const auto note = [&](const std::string& function, const std::string& words) {
    std::string& list = aliases[function];
    list += (list.empty() ? "" : ", ") + words;
  };
  for (const std::string_view name : registry.names()) {
    const std::string shown = "`" + std::string(name) + "`";
    if (const auto base = registry.base_of_try_form(name))
      note(std::string(*base), shown + " (null where this fails)");
    const auto overloads = registry.overloads(name);
    if (!overloads.empty() && !overloads.front()->alias_of.empty())
      note(overloads.front()->alias_of, shown);
  }
  return aliases;
}

/// The overloads of a name that a family holds and that are its own.
Overloads overloads_in(const FunctionRegistry& registry, std::string_view name,
                       std::string_view family) {
  Overloads found;
  for (const FunctionOverload* overload : registry.overloads(name)) {
    if (overload->family == family && overload->alias_of.empty()) found.push_back(overload);
  }
  return found;
}

/// Every type by its name, one example of those that have parameters.
const std::vector<std::pair<const char*, DataType>>& example_types() {
  using enum TypeKind;
  static const std::vector<std::pair<const char*, DataType>> types = {
      {"boolean", kBoolean},
      {"int", kInt32},
      {"bigint", kInt64},
      {"decimal", DataType::decimal(10, 2)},
      {"double", kDouble},
      {"string", kString},
      {"bytes", kBytes},
      {"date", kDate},
      {"timestamp", kTimestamp},
      {"interval", kInterval},
      {"array", DataType::array(kInt32)},
      {"map", DataType::map(kString, kInt32)},
      {"struct", DataType::structure({{"a", kInt32}})},
  };
  return types;
}

std::string targets_of(const FunctionRegistry& registry, const DataType& from, bool can_fail) {
  std::string list;
  for (const auto& [name, to] : example_types()) {
    const FunctionOverload* cast = registry.find_cast(from, to);
    if (cast == nullptr || cast->can_fail != can_fail) continue;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return list;
}

void write_casts(std::string& page, const FunctionRegistry& registry) {
  page +=
      "\n`cast(value as type)`; a cast that fails does so where the type cannot hold the value.\n"
      "\n| from | to | to, but may fail |\n|---|---|---|\n";
  for (const auto& [name, from] : example_types()) {
    const std::string safe = targets_of(registry, from, false);
    const std::string failing = targets_of(registry, from, true);
    if (safe.empty() && failing.empty()) continue;
    page += std::string("| ") + name + " | " + safe + " | " + failing + " |\n";
  }
}

}  // namespace

std::string function_reference(const FunctionRegistry& registry) {
  std::string page = kHead;
  const auto aliases = find_aliases(registry);
  for (const std::string& family : registry.families()) {
    std::string functions;
    for (const std::string_view name : registry.names()) {
      const Overloads overloads = overloads_in(registry, name, family);
      if (overloads.empty()) continue;
      const auto also = aliases.find(std::string(name));
      write_function(functions, overloads, also == aliases.end() ? "" : also->second);
    }
    const bool is_casts = family == "Casts";
    if (functions.empty() && !is_casts) continue;
    page += "\n## " + family + "\n";
    if (is_casts) write_casts(page, registry);
    const auto introduction = introductions().find(family);
    if (introduction != introductions().end())
      page += std::string("\n") + introduction->second + "\n";
    page += functions;
  }
  return page;
}

}  // namespace millrace::stream
