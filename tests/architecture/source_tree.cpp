#include "tests/architecture/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace millrace::architecture {

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
