#include "sql/syntax_hints.hpp"

#include "sql/code_outline.hpp"
#include "sql/letters.hpp"
#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <string_view>

namespace millrace::sql {
namespace {

using stream::lower_case;

/// A form of another engine: what the statement's outline shows of it, and what is written here.
struct ForeignForm {
  const char* pattern;
  const char* instead;
};

constexpr auto kForeignForms = std::to_array<ForeignForm>({
    {R"re(lateral\s+view\b)re",
     "write FROM t CROSS JOIN LATERAL unnest(t.list) AS e(x), for LATERAL VIEW OUTER LEFT JOIN "
     "LATERAL ... ON true"},
    {R"re(interval\s*[-+]?\s*\d)re", "write the interval in quotes: INTERVAL '5 minutes'"},
    {R"re(interval\s*' *'\s*(year|month|week|day|hour|minute|second|millisecond|microsecond)s?\b)re",
     "write the unit in the quotes: INTERVAL '5 minutes'"},
    {R"re(\bemit\s+(changes|final)\b)re", "leave EMIT away: every row is written as it comes"},
    {R"re(\bwatermark\s+for\b)re", "WATERMARK is not supported yet: leave it away"},
    {R"re(create\s+(or\s+replace\s+)?(source\s+)?stream\b)re",
     "write CREATE TABLE name (column type, ...) WITH (connector = 'kafka', ...) for a topic, and "
     "INSERT INTO table SELECT ... for a query"},
    {R"re(create\s+(sink|source|external\s+table|connector)\b)re",
     "write CREATE TABLE name (column type, ...) WITH (connector = 'kafka', ...)"},
    {R"re(create\s+or\s+replace\s+table\b)re", "write CREATE TABLE: a job begins with no tables"},
    {R"re(insert\s+into\s+table\b)re", "write INSERT INTO name SELECT ..."},
    {R"re(insert\s+overwrite\b)re", "write INSERT INTO name SELECT ...: a stream is added to"},
    {R"re((begin|execute)\s+statement\s+set\b)re",
     "write SET statement_set = 'on' before the INSERTs, and SET statement_set = 'off' behind "
     "them"},
    {R"re(\bset\s+')re", "the name of a setting has no single quotes: write SET name = 'value'"},
    {R"re((array|map|struct|row|multiset)\s*<)re",
     "write such a type as one name in double quotes, as in \"map<text, int>\"; an array also as "
     "int[]"},
    {R"re(\bcomment\s*(=\s*)?')re", "write a comment as -- and the text"},
    {R"re(\bmetadata\s+(from|virtual)\b)re",
     "the record's own columns (key, topic, partition, \"offset\", timestamp, headers) need no "
     "declaration: use them by name"},
    {R"re(\bas\s+proctime\s*\()re",
     "a table has no computed columns: CURRENT_TIMESTAMP in the SELECT is the time of the batch"},
    {R"re(\bnot\s+enforced\b)re", "leave PRIMARY KEY away: a stream has none"},
    {R"re(\bpartitioned\s+by\b)re", "leave PARTITIONED BY away: a topic has its own partitions"},
    {R"re(\busing\s+\w+\s+(options|tblproperties)\b)re",
     "write CREATE TABLE name (column type, ...) WITH (connector = '...', ...)"},
    {R"re(create\s+table\s+\w+\s+using(\s+\w+)?)re",
     "write CREATE TABLE name (column type, ...) WITH (connector = '...', ...)"},
    {R"re(\b(options|tblproperties)\s*\()re", "the options of a table stand behind WITH"},
    {R"re(\bfrom\s+table\s*\()re", "windows (TUMBLE, HOP, SESSION) are not supported yet"},
    {R"re(\bwindow\s+(tumbling|hopping|session)\b)re", "windows are not supported yet"},
    {R"re(\bwithin\s+\(?\s*\d)re", "a join of two streams is not supported yet"},
    {R"re(\bfor\s+system_time\b)re",
     "leave FOR SYSTEM_TIME away: a stream's row meets the static table as it is then"},
    {R"re(\bpartition\s+by\b)re",
     "PARTITION BY is not supported; the sink's options key_column and partition_column say where "
     "a record goes"},
    {R"re(\b(not\s+)?(rlike|regexp)\b)re",
     "write text ~ 'pattern' or regexp_like(text, 'pattern')"},
    {R"re(\bdiv\b)re", "write div(a, b)"},
    {R"re(\bselect\s+top\b)re", "LIMIT and TOP are not supported: a stream has no end"},
    {R"re(\*\s*(except|exclude|replace)\s*\()re", "name the columns that are wanted"},
    {R"re(\bas\s*')re", "a name that has quotes has double ones: AS \"name\""},
    {R"re(\btablesample\b)re", "TABLESAMPLE is not supported: write WHERE rand() < 0.1"},
    {R"re(\blike\s+(any|all|some)\b)re", "write text LIKE 'a' OR text LIKE 'b'"},
    {R"re(\bqualify\b)re", "window functions are not supported yet"},
    {R"re(\b(pivot|unpivot)\b)re", "PIVOT is not supported"},
    {R"re(\bshow\s+create\b)re", "SHOW TABLES prints the tables with their columns"},
    {R"re(\b(describe|desc)\s+\w)re", "SHOW TABLES prints the tables with their columns"},
    {R"re(\bexplain\s+(extended|formatted|codegen|cost|plan)\b)re",
     "write EXPLAIN SELECT ... or EXPLAIN INSERT ..."},
    {R"re(\buse\s+(catalog\s+|database\s+)?\w)re", "there are no databases: leave USE away"},
    {R"re(\bfloat\s*\()re", "write double precision"},
    {R"re(//|(^|\n)\s*#)re", "a comment begins with --"},
});

// Words that PostgreSQL reserves and that people like to call columns.
constexpr auto kReservedWords = std::to_array<std::string_view>(
    {"offset", "order",   "group",   "user",  "limit", "end",        "check",
     "column", "default", "desc",    "table", "to",    "references", "window",
     "when",   "then",    "analyse", "both",  "do",    "only"});

std::string_view word_at(std::string_view text, std::size_t position) {
  std::size_t end = position;
  while (end < text.size() && is_word_letter(text[end])) ++end;
  return text.substr(position, end - position);
}

// The word that ends before `position`, past spaces and one comma or dot; where it begins.
std::size_t word_before(std::string_view text, std::size_t position) {
  while (position > 0 && !is_word_letter(text[position - 1])) --position;
  while (position > 0 && is_word_letter(text[position - 1])) --position;
  return position;
}

bool is_reserved(std::string_view word) {
  return std::ranges::find(kReservedWords, lower_case(word)) != kReservedWords.end();
}

// The last place before `end` where the pattern stands; empty when it stands nowhere.
std::smatch last_match(const std::string& text, std::string::const_iterator end,
                       const std::regex& pattern) {
  std::smatch last;
  for (std::sregex_iterator match(text.begin(), end, pattern), none; match != none; ++match)
    last = *match;
  return last;
}

// CREATE TABLE t WITH (...), which PostgreSQL reads as the beginning of CREATE TABLE t ... AS.
void explain_missing_columns(const std::string& text, Error& error) {
  static const std::regex pattern(R"re(create\s+table\s+("[^"]*"|\w+)\s+(with)\b)re",
                                  std::regex::icase);
  const auto end = text.begin() + std::min<std::ptrdiff_t>(error.position + 1, std::ssize(text));
  const std::smatch last = last_match(text, end, pattern);
  if (last.empty() || std::find(last[0].second, end, ';') + 1 < end) return;
  error.message = fmt::format(
      "CREATE TABLE {0} needs a list of columns, which may be empty: "
      "CREATE TABLE {0} () WITH (...)",
      last[1].str());
  error.position = static_cast<std::int32_t>(last.position(2));
}

void explain_reserved_word(const std::string& text, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  const std::size_t before = word_before(text, position);
  for (const std::size_t candidate : {position, before}) {
    const std::string_view word = word_at(text, candidate);
    if (!is_reserved(word)) continue;
    error.message += fmt::format(
        "; {0} is a word of SQL: to use it as a name, write \"{0}\" in double quotes{1}", word,
        lower_case(word) == "offset" ? ", or its table before it, as in c.offset" : "");
    error.position = static_cast<std::int32_t>(candidate);
    return;
  }
}

// SELECT offset + 1 ..., which begins an OFFSET clause behind a SELECT of nothing.
void explain_offset(const std::string& text, Error& error) {
  static const std::regex pattern(R"re(select\s+(offset)\b)re", std::regex::icase);
  const auto end = text.begin() + std::min<std::ptrdiff_t>(error.position, std::ssize(text));
  const std::smatch last = last_match(text, end, pattern);
  if (last.empty() || std::find(last[0].second, end, ';') != end) return;
  error.position = static_cast<std::int32_t>(last.position(1));
  explain_reserved_word(text, error);
}

// WITH (kafka.linger.ms = ...): a name has at most one dot unless it is quoted.
void explain_dotted_option(const std::string& text, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  if (position >= text.size() || text[position] != '.') return;
  std::size_t begin = position;
  while (begin > 0 && (is_word_letter(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  std::size_t end = position;
  while (end < text.size() && (is_word_letter(text[end]) || text[end] == '.')) ++end;
  error.message += fmt::format("; a name with dots is written in double quotes: \"{}\"",
                               std::string_view(text).substr(begin, end - begin));
  error.position = static_cast<std::int32_t>(begin);
}

// LEFT ANTI JOIN and LEFT SEMI JOIN, which PostgreSQL does not have.
void explain_join_word(const std::string& text, Error& error) {
  const std::string word = lower_case(word_at(text, static_cast<std::size_t>(error.position)));
  if (word != "anti" && word != "semi") return;
  error.message += fmt::format(
      "; such a join is written WHERE {}EXISTS (SELECT 1 FROM b WHERE b.x = "
      "a.x)",
      word == "anti" ? "NOT " : "");
}

// exists(list, x -> ...): the word is kept for sub-queries.
void explain_exists(const std::string& text, Error& error) {
  const std::size_t word = word_before(text, static_cast<std::size_t>(error.position));
  if (lower_case(word_at(text, word)) != "exists") return;
  error.message +=
      "; exists before an array is written in double quotes: \"exists\"(array, x -> ...)";
  error.position = static_cast<std::int32_t>(word);
}

// FROM (SELECT ...) without a name, which PostgreSQL's message asks for and does not show.
void explain_missing_alias(Error& error) {
  const bool is_values = error.message == "VALUES in FROM must have an alias";
  if (!is_values && error.message != "subquery in FROM must have an alias") return;
  error.message = is_values ? "VALUES in FROM needs a name: write (VALUES ...) AS v(a, b)"
                            : "a sub-query in FROM needs a name: write (SELECT ...) AS q";
}

// Where the parenthesis that encloses `position` opens; nothing when none does. Quotes are not
// read: this is for a message.
std::optional<std::size_t> open_parenthesis(std::string_view text, std::size_t position) {
  int depth = 0;
  for (std::size_t at = std::min(position, text.size()); at-- > 0;) {
    if (text[at] == ';') break;
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && depth-- == 0) return at;
  }
  return std::nullopt;
}

// try_cast(x AS int) and CAST(x, 'int'): each has the other's form.
void explain_cast(const std::string& text, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  const auto open = open_parenthesis(text, position);
  if (!open) return;
  const std::string function = lower_case(word_at(text, word_before(text, *open)));
  if (function == "try_cast" && lower_case(word_at(text, position)) == "as") {
    error.message += "; write try_cast(value, 'type')";
  } else if (function == "cast" && position < text.size() && text[position] == ',') {
    error.message +=
        "; write CAST(value AS type), or try_cast(value, 'type') for null where it fails";
  }
}

/// Whether the parser may have stopped at what was matched: within it, or right behind.
bool is_near(std::size_t begin, std::size_t end, std::size_t stop, std::string_view outline) {
  if (stop < begin) return false;
  while (end < outline.size() && std::isspace(static_cast<unsigned char>(outline[end])) != 0) ++end;
  return stop <= end;
}

void explain_foreign_form(const std::string& outline, Error& error) {
  const auto stop = static_cast<std::size_t>(error.position);
  const auto [begin, end] = statement_around(outline, stop);
  const std::string statement = outline.substr(begin, end - begin);
  for (const ForeignForm& form : kForeignForms) {
    const std::regex pattern(form.pattern, std::regex::icase);
    for (std::sregex_iterator match(statement.begin(), statement.end(), pattern), none;
         match != none; ++match) {
      std::size_t place = begin + static_cast<std::size_t>(match->position());
      const std::size_t behind = place + static_cast<std::size_t>(match->length());
      if (!is_near(place, behind, stop, outline)) continue;
      while (std::isspace(static_cast<unsigned char>(outline[place])) != 0) ++place;
      error.message += fmt::format("; {}", form.instead);
      error.position = static_cast<std::int32_t>(place);
      return;
    }
  }
}

std::optional<std::size_t> letter_before(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  if (at == 0) return std::nullopt;
  return at - 1;
}

// SELECT a, FROM t; (a int, )
void explain_comma(const std::string& outline, Error& error) {
  const auto before = letter_before(outline, static_cast<std::size_t>(error.position));
  if (!before || outline[*before] != ',') return;
  const std::string next = lower_case(word_at(outline, static_cast<std::size_t>(error.position)));
  const bool ends_list = next.empty() || next == "from" || next == "where" || next == "with";
  if (!ends_list) return;
  error.message += "; there is a comma too many before it";
  error.position = static_cast<std::int32_t>(*before);
}

// Two statements without a semicolon between them.
void explain_missing_semicolon(const std::string& outline, Error& error) {
  constexpr auto kBeginnings = std::to_array<std::string_view>(
      {"create", "insert", "set", "explain", "show", "drop", "select"});
  auto position = static_cast<std::size_t>(error.position);
  std::string word = lower_case(word_at(outline, position));
  if (word == "into") {  // INSERT is the alias of a table then
    position = word_before(outline, position);
    word = lower_case(word_at(outline, position));
  }
  const auto before = letter_before(outline, position);
  const bool begins_statement = std::ranges::find(kBeginnings, word) != kBeginnings.end();
  if (!begins_statement || !before || outline[*before] == '(' || outline[*before] == ',') return;
  const bool begins_line = outline.find('\n', *before) < position;
  if (!begins_line) return;
  error.message += "; is a semicolon missing before it?";
  error.position = static_cast<std::int32_t>(position);
}

// 'it\'s', where the backslash ends nothing.
void explain_backslash(const std::string& text, const std::string& outline, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  const std::size_t begin = statement_around(outline, position).begin;
  const std::size_t slash = text.find("\\'", begin);
  if (slash == std::string::npos || slash > position) return;
  error.message += "; a quote within a text is doubled: 'it''s'";
  error.position = static_cast<std::int32_t>(slash);
}

// split(a, ',')[1]
void explain_subscript(const std::string& outline, Error& error) {
  const auto position = static_cast<std::size_t>(error.position);
  if (position >= outline.size() || outline[position] != '[') return;
  const auto before = letter_before(outline, position);
  if (!before || outline[*before] != ')') return;
  error.message +=
      "; a subscript of a call needs parentheses: (split(a, ','))[1]; it counts from 1";
}

bool is_curly_quote(std::string_view text, std::size_t at) {
  const std::string_view three = text.substr(std::min(at, text.size()), 3);
  return three == "\u2018" || three == "\u2019" || three == "\u201c" || three == "\u201d";
}

}  // namespace

Error with_syntax_hint(Error error, const std::string& text) {
  using Explanation = void (*)(const std::string&, Error&);
  if (error.position < 0) return error;
  const std::string outline = code_outline(text);
  const std::string plain = error.message;
  explain_missing_alias(error);
  if (error.message == plain) explain_missing_columns(text, error);
  if (error.message == plain) explain_cast(text, error);
  for (const Explanation explain :
       {Explanation(&explain_foreign_form), Explanation(&explain_dotted_option),
        Explanation(&explain_subscript), Explanation(&explain_comma),
        Explanation(&explain_missing_semicolon)})
    if (error.message == plain) explain(outline, error);
  if (error.message == plain) explain_backslash(text, outline, error);
  if (error.message == plain) explain_reserved_word(text, error);
  if (error.message == plain) explain_join_word(text, error);
  if (error.message == plain) explain_exists(text, error);
  if (error.message == plain) explain_offset(text, error);
  return error;
}

Error with_name_hint(Error error, const std::string& text) {
  constexpr std::string_view kUnknown = "column not found: ";
  if (!error.message.starts_with(kUnknown) || error.position < 0) return error;
  const auto at = static_cast<std::size_t>(error.position);
  if (at >= text.size()) return error;
  if (text[at] == '"' || text[at] == '`') {
    const std::size_t close = text.find(text[at], at + 1);
    if (text[at] == '"' && close != std::string::npos) {
      error.message += fmt::format("; double quotes are for names: a text is written '{}'",
                                   text.substr(at + 1, close - at - 1));
    }
  } else if (is_curly_quote(text, at)) {
    error.message += "; a text is written in plain quotes: 'text'";
  } else if (lower_case(word_at(text, at)) == "stream") {
    error.message += "; SELECT STREAM is written SELECT: every query reads a stream";
  }
  return error;
}

}  // namespace millrace::sql
