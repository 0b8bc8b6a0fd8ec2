#include "tests/golden/run_report.hpp"

#include "tests/golden/arguments.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace millrace::golden {
namespace {

using Kind = Verdict::Kind;

TEST(GoldenRun, ASkipThatNobodyAllowedIsAFailure) {
  const Verdict skip{Kind::kSkipped, "state is not built"};
  const Allowances allowances{true, {"a"}, {}};
  EXPECT_EQ(held_to(allowances, "a", skip).kind, Kind::kSkipped);
  EXPECT_EQ(held_to(allowances, "b", skip).kind, Kind::kFailed);
  EXPECT_EQ(held_to(allowances, "b", skip).reason, "may not be skipped, but: state is not built");
  EXPECT_EQ(held_to(allowances, "a", {Kind::kFailed, "x"}).kind, Kind::kFailed);
  EXPECT_EQ(held_to(allowances, "b", {}).kind, Kind::kPassed);
}

TEST(GoldenRun, AnExceptionFailsAsItSaysOrIsAFailure) {
  const Allowances allowances{true, {}, {{"a", "two columns"}}};
  EXPECT_EQ(held_to(allowances, "a", {Kind::kFailed, "refused: two columns called k"}).kind,
            Kind::kSkipped);
  EXPECT_EQ(held_to(allowances, "a", {Kind::kFailed, "got unexpected [1]"}).kind, Kind::kFailed);
  EXPECT_EQ(held_to(allowances, "a", {}).kind, Kind::kFailed);
}

TEST(GoldenRun, AnAllowanceThatNobodyTakesIsAFailure) {
  const std::vector<Outcome> outcomes = {{"g", "passed", {}},
                                         {"g", "skipped", {Kind::kSkipped, "r"}}};
  const auto faults =
      unused_allowances({true, {"passed", "skipped", "missing"}, {{"gone", "text"}}}, outcomes);
  ASSERT_EQ(faults.size(), 3U);
  EXPECT_EQ(faults[0].name, "gone");
  EXPECT_EQ(faults[1].name, "missing");
  EXPECT_EQ(faults[2].name, "passed");
  EXPECT_EQ(faults[2].verdict.kind, Kind::kFailed);
}

TEST(GoldenRun, WhereNobodyAsksForStrictnessASkipIsASkip) {
  const Allowances allowances;
  const Verdict skip{Kind::kSkipped, "state is not built"};
  EXPECT_EQ(held_to(allowances, "a", skip).kind, Kind::kSkipped);
  EXPECT_EQ(held_to(allowances, "a", {Kind::kFailed, "x"}).kind, Kind::kFailed);
  EXPECT_TRUE(unused_allowances({false, {"missing"}, {{"gone", "text"}}}, {}).empty());
  const std::vector<std::string> plain = {"folder"};
  const std::vector<std::string> strict = {"--strict", "folder"};
  EXPECT_FALSE(read_arguments(plain)->allowances.is_strict);
  EXPECT_TRUE(read_arguments(strict)->allowances.is_strict);
}

TEST(GoldenRun, ReadsTheNamesThatMayBeSkipped) {
  const std::vector<std::string> words = {"--may-skip", "a,b-c", "--report", "r.xml", "folder"};
  const auto arguments = read_arguments(words);
  ASSERT_TRUE(arguments) << arguments.error().message;
  EXPECT_EQ(arguments->allowances.may_skip, (std::set<std::string>{"a", "b-c"}));
  EXPECT_EQ(arguments->report, "r.xml");
}

TEST(GoldenRun, ReadsTheListOfExceptions) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "millrace-golden-exceptions.md";
  std::ofstream(path) << "# Cases\n\ntext\n- `joins/a-b` fails with \"two columns\": why not\n";
  const auto exceptions = read_exceptions(path);
  ASSERT_TRUE(exceptions) << exceptions.error().message;
  EXPECT_EQ(*exceptions, (std::map<std::string, std::string>{{"a-b", "two columns"}}));

  std::ofstream(path) << "- `joins/a-b`: without a text\n";
  EXPECT_FALSE(read_exceptions(path));
  std::filesystem::remove(path);
}

TEST(GoldenRun, ReportsWhatDevTestCounts) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "millrace-golden-report";
  std::filesystem::remove_all(folder);
  const std::vector<Outcome> outcomes = {{"g", "one", {}},
                                         {"g", "two", {Kind::kFailed, "a < \"b\""}},
                                         {"g", "three", {Kind::kSkipped, "c"}}};
  ASSERT_TRUE(write_report(folder / "report.xml", outcomes));
  std::ostringstream text;
  text << std::ifstream(folder / "report.xml").rdbuf();
  std::filesystem::remove_all(folder);
  EXPECT_EQ(text.str(), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="golden">
  <testcase name="one" classname="g" status="run" result="completed" />
  <testcase name="two" classname="g" status="run" result="completed">
    <failure message="a &#60; &#34;b&#34;" />
  </testcase>
  <testcase name="three" classname="g" status="run" result="skipped">
    <skipped message="c" />
  </testcase>
</testsuite>
)");
  EXPECT_EQ(counts_text(outcomes), "1 passed, 1 failed, 1 skipped");
}

}  // namespace
}  // namespace millrace::golden
