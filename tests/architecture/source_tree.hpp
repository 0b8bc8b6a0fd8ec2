#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::architecture {

/// One source file: its path from the top of the repository, with '/' between, and its text.
struct SourceFile {
  std::string path;
  std::string text;

  /// The first folder of the path: "actors" for "actors/task.cpp".
  [[nodiscard]] std::string_view folder() const;
  /// The path's last part: "task.cpp".
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::size_t line_count() const;
};

/// What an #include line names, and where.
struct Include {
  std::size_t line = 0;
  std::string target;   ///< "actors/task.hpp", without quotes or brackets
  bool quoted = false;  ///< "..." rather than <...>
};

/// The includes of a file, in order. Comments and raw strings at the start of a line are not told
/// apart; the house has none that look like an include.
std::vector<Include> includes_of(const SourceFile& file);

/// A name that stands in the code: not in a comment, a text in quotes or an #include line.
struct Identifier {
  std::size_t line = 0;
  std::string name;
};

/// The identifiers (and words of C++) of a file, in order.
std::vector<Identifier> identifiers_of(const SourceFile& file);

/// Reads every .hpp and .cpp below the given folders of `root`; folders that do not exist are
/// passed over. Sorted by path.
std::vector<SourceFile> read_sources(const std::filesystem::path& root,
                                     const std::vector<std::string>& folders);

}  // namespace millrace::architecture
