#include "tests/golden/arguments.hpp"
#include "tests/golden/case_files.hpp"
#include "tests/golden/case_run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

// Runs golden cases: a line a case, then "N passed, N failed, N skipped". The exit code is 0 when
// none failed and enough passed, 1 when not, 2 when it was called wrongly.

namespace {

using namespace millrace;
using namespace millrace::golden;

Verdict run_file(const std::string& path, const RunSettings& settings) {
  const auto golden = read_case_file(path);
  if (!golden) return {Verdict::Kind::kFailed, golden.error().message};
  return run_case(*golden, settings);
}

void print(const std::string& path, const Verdict& verdict) {
  constexpr const char* kWords[] = {"passed ", "FAILED ", "skipped"};
  const std::filesystem::path file(path);
  fmt::print("{} {}/{}{}{}\n", kWords[static_cast<int>(verdict.kind)],
             file.parent_path().filename().string(), file.stem().string(),
             verdict.reason.empty() ? "" : ": ", verdict.reason);
  std::fflush(stdout);
}

int run_all(const Arguments& arguments) {
  const auto files = find_case_files(arguments.paths);
  if (!files) {
    fmt::print(stderr, "millrace_golden: {}\n", files.error().message);
    return 2;
  }
  std::size_t counts[3] = {};
  for (const std::string& path : *files) {
    const Verdict verdict = run_file(path, arguments.settings);
    ++counts[static_cast<int>(verdict.kind)];
    print(path, verdict);
  }
  const auto [passed, failed, skipped] = counts;
  fmt::print("{} passed, {} failed, {} skipped\n", passed, failed, skipped);
  return failed == 0 && passed >= arguments.passed_min ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> all(words + 1, words + count);
  const auto arguments = read_arguments(all);
  if (!arguments) {
    fmt::print(stderr, "millrace_golden: {}\n{}", arguments.error().message, kUsage);
    return 2;
  }
  return run_all(*arguments);
}
