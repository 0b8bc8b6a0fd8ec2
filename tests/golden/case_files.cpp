#include "tests/golden/case_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace millrace::golden {

namespace fs = std::filesystem;

Result<std::vector<std::string>> find_case_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!fs::is_directory(path, problem)) {
      if (!fs::exists(path, problem)) return fail(ErrorCode::kNotFound, "no such path: " + path);
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(path, problem))
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    if (files.size() == before) return fail(ErrorCode::kNotFound, "no case below " + path);
  }
  std::ranges::sort(files);
  return files;
}

Result<formats::JsonValue> read_case_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail(ErrorCode::kIo, "cannot read " + path);
  return formats::JsonValue::parse(text.str());
}

}  // namespace millrace::golden
