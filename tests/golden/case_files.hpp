#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <string>
#include <vector>

namespace millrace::golden {

/// The case files that the paths name: files themselves, of folders every .json below. Sorted.
/// kNotFound names a path that there is not, or a folder that holds none.
[[nodiscard]] Result<std::vector<std::string>> find_case_files(
    const std::vector<std::string>& paths);

/// Reads one.
[[nodiscard]] Result<formats::JsonValue> read_case_file(const std::string& path);

}  // namespace millrace::golden
