#pragma once

#include "millrace/error.hpp"

#include "tests/golden/case_run.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace millrace::golden {

/// A case of a run and what became of it.
struct Outcome {
  std::string group;  ///< its folder
  std::string name;   ///< its file, without .json
  Verdict verdict;
};

/// What is expected of a run beside that its cases pass.
struct Allowances {
  bool is_strict = false;          ///< only what may be skipped is
  std::set<std::string> may_skip;  ///< names of cases; read when strict
  /// Cases for which we chose another answer, and what their failure must hold.
  std::map<std::string, std::string> exceptions;
};

/// Reads exceptions from a list of lines: - `group/name` fails with "text": why
[[nodiscard]] Result<std::map<std::string, std::string>> read_exceptions(const std::string& path);

/// The verdict that counts: a case with another answer is skipped when it fails as the exception
/// says, and a failure when not; when strict, a skip that nobody allowed is a failure.
[[nodiscard]] Verdict held_to(const Allowances& allowances, const std::string& name,
                              Verdict verdict);

/// When strict, a failure for each allowance that no case of the run took: it says less than it
/// seems to.
[[nodiscard]] std::vector<Outcome> unused_allowances(const Allowances& allowances,
                                                     const std::vector<Outcome>& outcomes);

/// "12 passed, 0 failed, 1 skipped".
[[nodiscard]] std::string counts_text(const std::vector<Outcome>& outcomes);

/// Writes the outcomes as the XML of a GoogleTest run, which `./dev test` counts. Makes its folder.
[[nodiscard]] Status write_report(const std::string& path, const std::vector<Outcome>& outcomes);

}  // namespace millrace::golden
