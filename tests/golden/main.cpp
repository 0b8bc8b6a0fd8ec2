#include "tests/golden/arguments.hpp"
#include "tests/golden/case_files.hpp"
#include "tests/golden/case_process.hpp"
#include "tests/golden/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Runs golden cases: a line a case, then "N passed, N failed, N skipped". A case that needs what is
// not built is skipped, with what that is; with --strict only those may be that --may-skip names.
// The exit code is 0 when none failed, 1 when one did, 2 when it was called wrongly.

namespace {

using namespace millrace;
using namespace millrace::golden;

constexpr std::chrono::seconds kLimit{120};

/// Nothing for a case that is not asked for.
std::optional<Outcome> run_file(const std::string& path, const Arguments& arguments) {
  const std::filesystem::path file(path);
  Outcome outcome{file.parent_path().filename().string(), file.stem().string(), {}};
  const auto golden = read_case_file(path);
  if (golden && arguments.leaves_state_out && golden->get_boolean("stateful").value_or(false))
    return std::nullopt;
  Verdict verdict = golden
                        ? run_apart([&] { return run_case(*golden, arguments.settings); }, kLimit)
                        : Verdict{Verdict::Kind::kFailed, golden.error().message};
  outcome.verdict = held_to(arguments.allowances, outcome.name, std::move(verdict));
  return outcome;
}

void print(const Outcome& outcome) {
  constexpr const char* kWords[] = {"passed ", "FAILED ", "skipped"};
  const Verdict& verdict = outcome.verdict;
  fmt::print("{} {}/{}{}{}\n", kWords[static_cast<int>(verdict.kind)], outcome.group, outcome.name,
             verdict.reason.empty() ? "" : ": ", verdict.reason);
  std::fflush(stdout);
}

bool has_failed(const Outcome& outcome) { return outcome.verdict.kind == Verdict::Kind::kFailed; }

// A folder may hold the list of its cases with another answer.
Status add_exceptions(Arguments& arguments) {
  for (const std::string& path : arguments.paths) {
    const std::string list = path + "/exceptions.md";
    if (!std::filesystem::exists(list)) continue;
    MILLRACE_ASSIGN(auto exceptions, read_exceptions(list));
    arguments.allowances.exceptions.merge(exceptions);
  }
  return {};
}

Result<std::vector<Outcome>> run_all(Arguments arguments) {
  MILLRACE_TRY(add_exceptions(arguments));
  MILLRACE_ASSIGN(const auto files, find_case_files(arguments.paths));
  std::vector<Outcome> outcomes;
  for (const std::string& path : files) {
    auto outcome = run_file(path, arguments);
    if (!outcome) continue;
    print(*outcome);
    outcomes.push_back(std::move(*outcome));
  }
  for (Outcome& fault : unused_allowances(arguments.allowances, outcomes)) {
    print(fault);
    outcomes.push_back(std::move(fault));
  }
  if (!arguments.report.empty()) MILLRACE_TRY(write_report(arguments.report, outcomes));
  return outcomes;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> all(words + 1, words + count);
  const auto arguments = read_arguments(all);
  if (!arguments) {
    fmt::print(stderr, "millrace_golden: {}\n{}", arguments.error().message, kUsage);
    return 2;
  }
  const auto outcomes = run_all(*arguments);
  if (!outcomes) {
    fmt::print(stderr, "millrace_golden: {}\n", outcomes.error().message);
    return 2;
  }
  fmt::print("{}\n", counts_text(*outcomes));
  return std::ranges::any_of(*outcomes, has_failed) ? 1 : 0;
}
