#pragma once

#include "tests/architecture/source_tree.hpp"

#include <string>
#include <vector>

// The rules of the house that a machine can check. Each check returns one sentence per breach,
// "path:line: what is wrong", and nothing when all is well.

namespace millrace::architecture {

/// Every folder that holds C++: the rooms bottom up, then what may look into all of them.
const std::vector<std::string>& source_folders();

/// A room includes only rooms below it; nothing includes tests, bench or examples but themselves.
std::vector<std::string> check_room_edges(const std::vector<SourceFile>& files);

/// A third-party library is included in its one place; a library without a place is a breach too.
std::vector<std::string> check_library_places(const std::vector<SourceFile>& files);

/// No file is named for a drawer ("string_utils"), and one idea has one word: names in the code
/// that are another word for a thing of the glossary (ARCHITECTURE.md) are breaches.
std::vector<std::string> check_words(const std::vector<SourceFile>& files);

/// No source file is longer than 600 lines.
std::vector<std::string> check_file_sizes(const std::vector<SourceFile>& files);

/// The public headers stay few and short enough to be read in a sitting: 18 files, 2,000 lines.
std::vector<std::string> check_public_headers(const std::vector<SourceFile>& files);

}  // namespace millrace::architecture
