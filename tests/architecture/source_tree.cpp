#include "tests/architecture/source_tree.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

namespace millrace::architecture {

namespace {

bool is_name_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Where the text in quotes that opens at `at` ends, behind its last quote.
std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// Where the raw text ends whose first quote is at `at`: R"tag(...)tag".
std::size_t raw_end(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

// Where what is no code and begins at `at` ends; `at` itself where there is code.
std::size_t passed_over(std::string_view text, std::size_t at) {
  const auto upto = [&](std::string_view end) {
    const std::size_t found = text.find(end, at + 2);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//" || text.substr(at, 8) == "#include") return upto("\n") - 1;
  if (text.substr(at, 2) == "/*") return upto("*/");
  if (text.substr(at, 2) == "R\"") return raw_end(text, at + 1);
  if (text[at] == '"' || text[at] == '\'') return quoted_end(text, at);
  return at;
}

}  // namespace

std::string_view SourceFile::folder() const {
  return std::string_view(path).substr(0, path.find('/'));
}

std::string_view SourceFile::name() const {
  return std::string_view(path).substr(path.rfind('/') + 1);
}

std::size_t SourceFile::line_count() const {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  std::istringstream lines(file.text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const auto word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const auto open = line.find_first_of("<\"", word);
    if (open == std::string::npos) continue;
    const bool quoted = line[open] == '"';
    const auto close = line.find(quoted ? '"' : '>', open + 1);
    if (close == std::string::npos) continue;
    includes.push_back({number, line.substr(open + 1, close - open - 1), quoted});
  }
  return includes;
}

std::vector<Identifier> identifiers_of(const SourceFile& file) {
  const std::string_view text = file.text;
  std::vector<Identifier> identifiers;
  std::size_t at = 0, line = 1;
  while (at < text.size()) {
    const std::size_t begin = at;
    at = passed_over(text, at);
    if (at == begin && is_name_letter(text[at])) {
      const bool is_number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      while (at < text.size() && (is_name_letter(text[at]) || (is_number && text[at] == '\'')))
        ++at;
      if (!is_number) identifiers.push_back({line, std::string(text.substr(begin, at - begin))});
    }
    at = std::max(at, begin + 1);
    line += static_cast<std::size_t>(std::ranges::count(text.substr(begin, at - begin), '\n'));
  }
  return identifiers;
}

std::vector<SourceFile> read_sources(const std::filesystem::path& root,
                                     const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const auto& folder : folders) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const auto extension = entry.path().extension();
      if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      files.push_back({std::filesystem::relative(entry.path(), root).generic_string(),
                       std::string(std::istreambuf_iterator<char>(stream), {})});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

}  // namespace millrace::architecture
