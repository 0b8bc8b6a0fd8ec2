#include "tests/golden/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <system_error>

namespace millrace::golden {

namespace {

using Kind = Verdict::Kind;

std::size_t count_of(const std::vector<Outcome>& outcomes, Kind kind) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcomes, [kind](const Outcome& outcome) { return outcome.verdict.kind == kind; }));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '&' || letter == '<' || letter == '>' || letter == '"')
      result += fmt::format("&#{};", static_cast<int>(letter));
    else
      result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  }
  return result;
}

std::string xml_of(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  std::string text = fmt::format(R"(  <testcase name="{}" classname="{}" status="run" result="{}")",
                                 escaped(outcome.name), escaped(outcome.group),
                                 verdict.kind == Kind::kSkipped ? "skipped" : "completed");
  if (verdict.kind == Kind::kPassed) return text + " />\n";
  const char* const element = verdict.kind == Kind::kSkipped ? "skipped" : "failure";
  text += fmt::format(">\n    <{} message=\"{}\" />\n", element, escaped(verdict.reason));
  return text + "  </testcase>\n";
}

}  // namespace

Result<std::map<std::string, std::string>> read_exceptions(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail(ErrorCode::kIo, "cannot read " + path);
  const std::regex form(R"x(- `[^/`]+/([^`]+)` fails with "([^"]+)":.*)x");
  std::map<std::string, std::string> exceptions;
  for (std::string line; std::getline(file, line);) {
    std::smatch parts;
    if (!line.starts_with("- ")) continue;
    if (!std::regex_match(line, parts, form))
      return fail(ErrorCode::kInvalidArgument, path + ": not read: " + line);
    exceptions[parts[1]] = parts[2];
  }
  return exceptions;
}

Verdict held_to(const Allowances& allowances, const std::string& name, Verdict verdict) {
  const auto exception = allowances.exceptions.find(name);
  if (exception != allowances.exceptions.end()) {
    if (verdict.kind == Kind::kFailed &&
        verdict.reason.find(exception->second) != std::string::npos)
      return {Kind::kSkipped, "another answer is ours: " + verdict.reason};
    return {Kind::kFailed, "is an exception, but not as it says: " + verdict.reason};
  }
  const bool may_skip = !allowances.is_strict || allowances.may_skip.contains(name);
  if (verdict.kind != Kind::kSkipped || may_skip) return verdict;
  return {Kind::kFailed, "may not be skipped, but: " + verdict.reason};
}

std::vector<Outcome> unused_allowances(const Allowances& allowances,
                                       const std::vector<Outcome>& outcomes) {
  if (!allowances.is_strict) return {};
  std::set<std::string> unused = allowances.may_skip;
  for (const auto& [name, says] : allowances.exceptions) unused.insert(name);
  for (const Outcome& outcome : outcomes)
    if (outcome.verdict.kind != Kind::kPassed) unused.erase(outcome.name);
  std::vector<Outcome> faults;
  for (const std::string& name : unused)
    faults.push_back({"allowed", name, {Kind::kFailed, "is not skipped: take it off the list"}});
  return faults;
}

std::string counts_text(const std::vector<Outcome>& outcomes) {
  return fmt::format("{} passed, {} failed, {} skipped", count_of(outcomes, Kind::kPassed),
                     count_of(outcomes, Kind::kFailed), count_of(outcomes, Kind::kSkipped));
}

Status write_report(const std::string& path, const std::vector<Outcome>& outcomes) {
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  std::ofstream file(path, std::ios::binary);
  file << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"golden\">\n";
  for (const Outcome& outcome : outcomes) file << xml_of(outcome);
  file << "</testsuite>\n";
  file.close();
  if (!file) return fail(ErrorCode::kIo, "cannot write " + path);
  return {};
}

}  // namespace millrace::golden
