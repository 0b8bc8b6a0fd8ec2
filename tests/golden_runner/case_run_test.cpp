// What the runner of golden cases must not let pass. A case here is made up.

#include "tests/golden/case_run.hpp"

#include "tests/golden/case_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace millrace::golden {
namespace {

using Kind = Verdict::Kind;

// Divides ten by v; `more` are further members of the case.
std::string case_of(const std::string& more) {
  return R"({"sources": {"a": {"schema": [["v", "int"]]}},
             "query": [{"op": "read", "source": "a"},
                       {"op": "select", "columns": [{"as": "d", "expr":
                         {"fn": "div", "args": [{"lit": 10, "type": "int"}, {"col": "v"}]}}]}],
             "output_mode": "append", "output_schema": [["d", "bigint"]], "stateful": false, )" +
         more + "}";
}

Verdict verdict_of(const std::string& golden) {
  return run_case(formats::JsonValue::parse(golden).value(), {});
}
std::string told(const std::string& golden) {
  const Verdict verdict = verdict_of(golden);
  const char* const words[] = {"passed", "failed: ", "skipped: "};
  return words[static_cast<int>(verdict.kind)] + verdict.reason;
}

constexpr const char* kDivisionError =
    R"("expect_error": {"when": "run", "condition": "DIVIDE_BY_ZERO", "says": "Division by zero"})";

TEST(GoldenCase, PassesWhenItsRowsCome) {
  EXPECT_EQ(
      told(case_of(R"("steps": [{"add": {"a": [[2], [5]]}, "batches": [{"rows": [[2], [5]]}]}])")),
      "passed");
}

TEST(GoldenCase, FailsForARowMoreOrLess) {
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"a": [[2], [5]]}, "batches": [{"rows": [[5]]}]}])")),
            "failed: step 0: got unexpected [2]");
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"a": [[5], [5]]}, "batches": [{"rows": [[2]]}]}])")),
            "failed: step 0: got unexpected [2]");
}

TEST(GoldenCase, FailsForARowOfAnotherLength) {
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"a": [[5]]}, "batches": [{"rows": [[2, 3]]}]}])")),
            "failed: step 0: [2,3] is no row of 1 columns");
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"a": [[]]}, "batches": [{"rows": [[2]]}]}])")),
            "failed: step 0: [] is no row of 1 columns");
}

TEST(GoldenCase, FailsWhenItHasNoStepOrNoSchema) {
  EXPECT_EQ(told(case_of(R"("steps": [])")), "failed: the case has no step");
  EXPECT_EQ(
      told(
          R"({"sources": {"a": {"schema": [["v", "int"]]}}, "query": [{"op": "read", "source": "a"}],
                     "steps": [{"add": {"a": [[1]]}, "batches": [{"rows": [[1]]}]}]})"),
      "failed: the case has no output_schema");
}

TEST(GoldenCase, AnErrorOfAStepNeedsTheRowsThatComeBeforeIt) {
  const auto steps = [](const std::string& rows) {
    return case_of(R"("steps": [{"add": {"a": [[5]]}, "batches": [{"rows": [[2]]}]},
                                {"add": {"a": [[0]]}, "batches": [{"rows": )" +
                   rows + "}], " + kDivisionError + "}]");
  };
  EXPECT_EQ(told(steps("[]")), "passed");
  EXPECT_EQ(told(steps("[[2]]")), "failed: step 1: expected [2]");
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"a": [[5]]}, "batches": [], )" +
                         std::string(kDivisionError) + "}]")),
            std::string("failed: step 0: no error; expected ") +
                R"({"when":"run","condition":"DIVIDE_BY_ZERO","says":"Division by zero"})");
}

TEST(GoldenCase, AnErrorOfAStepLeavesNoRowUntold) {
  RunSettings row_by_row;
  row_by_row.batch_rows = 1;
  const std::string golden = case_of(R"("steps": [{"add": {"a": [[5], [0]]}, "batches": [], )" +
                                     std::string(kDivisionError) + "}]");
  const Verdict verdict = run_case(formats::JsonValue::parse(golden).value(), row_by_row);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_EQ(verdict.reason, "step 0: got unexpected [2]");
}

TEST(GoldenCase, AnErrorBesideTheStepsIsARefusal) {
  EXPECT_EQ(told(case_of(kDivisionError)),
            std::string("failed: not refused; expected ") +
                R"({"when":"run","condition":"DIVIDE_BY_ZERO","says":"Division by zero"})");
}

TEST(GoldenCase, OnlyWhatIsNotBuiltIsSkipped) {
  const auto query = [](const std::string& op) {
    return R"({"sources": {"a": {"schema": [["v", "int"]]}}, "output_schema": [["v", "int"]],
               "query": [{"op": "read", "source": "a"}, )" +
           op + R"(], "steps": [{"add": {"a": []}}]})";
  };
  EXPECT_EQ(told(query(R"({"op": "sample"})")), "skipped: operator sample is not built");
  EXPECT_EQ(told(query(R"({"op": "filter", "condition": {"col": "w"}})")).substr(0, 16),
            "failed: refused:");
  EXPECT_EQ(
      told(
          query(
              R"({"op": "filter", "condition": {"fn": "upper", "args": [{"col": "v"}, {"col": "v"}]}})"))
          .substr(0, 16),
      "failed: refused:");
}

// -- cases that somebody else wrote ---------------------------------------------------------------

TEST(GoldenCase, ACaseThatCannotBeReadSaysWhereItEnds) {
  const auto query = [](const std::string& first, const std::string& rest) {
    return R"({"sources": {"a": {"schema": [["v", "int"]]}}, "output_schema": [["v", "int"]],
               "query": [)" +
           first + rest + R"(], "steps": [{"add": {"a": []}}]})";
  };
  const std::string read = R"({"op": "read", "source": "a"})";
  EXPECT_EQ(told("[]"), "failed: the case cannot be read: an object is expected, and there is []");
  EXPECT_EQ(told(R"({"steps": [{}]})"),
            "failed: the case cannot be read: a member query is expected, and there is "
            "{\"steps\":[{}]}");
  EXPECT_EQ(told(query(R"({"op": "read"})", "")),
            "failed: the case cannot be read: a member source is expected, and there is "
            "{\"op\":\"read\"}");
  EXPECT_EQ(told(query(R"({"op": "read", "source": "b"})", "")),
            "failed: the case cannot be read: nothing is called b");
  EXPECT_EQ(told(query(R"({"op": 7})", "")),
            "failed: the case cannot be read: a text is expected, and there is 7");
  EXPECT_EQ(told(query(read, R"(, {"op": "filter"})")),
            "failed: the case cannot be read: a member condition is expected, and there is "
            "{\"op\":\"filter\"}");
  EXPECT_EQ(told(query(read, R"(, {"op": "filter", "condition": []})")),
            "failed: the case cannot be read: an object is expected, and there is []");
  EXPECT_EQ(told(query(read, R"(, {"op": "filter", "condition": {"fn": "upper"}})")),
            "failed: the case cannot be read: a member args is expected, and there is "
            "{\"fn\":\"upper\"}");
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"b": [[2]]}}])")),
            "failed: the case cannot be read: no source is called b");
  EXPECT_EQ(told(case_of(R"("steps": [{"add": {"a": [[2]]}, "batches": [{}]}])")),
            "failed: the case cannot be read: a member rows is expected, and there is {}");
  EXPECT_EQ(told(case_of(R"("steps": 3)")),
            "failed: the case cannot be read: an array is expected, and there is 3");
}

TEST(GoldenCase, WhatNobodyKnowsIsSkipped) {
  EXPECT_EQ(told(case_of(R"("steps": [], "weather": "rain")")),
            "skipped: the case has a member weather, which is not known");
  EXPECT_EQ(told(case_of(R"("steps": [{"wait": 3}])")), "skipped: step 0: step wait is not built");
  EXPECT_EQ(told(R"({"sources": {"a": {"schema": [["v", "complex"]]}}, "query": [{"op": "read",
                     "source": "a"}], "steps": [{"add": {"a": []}}]})"),
            "skipped: type complex is not built");
}

TEST(GoldenCase, OneThatCrashesOrNeverEndsIsAFailure) {
  using std::chrono::seconds;
  const Verdict passed = run_apart([] { return Verdict(); }, seconds(60));
  EXPECT_EQ(passed.kind, Kind::kPassed);
  const Verdict skipped = run_apart([] { return Verdict{Kind::kSkipped, "why"}; }, seconds(60));
  EXPECT_EQ(skipped.kind, Kind::kSkipped);
  EXPECT_EQ(skipped.reason, "why");
  const Verdict crashed = run_apart(
      [] {
        std::signal(SIGABRT, SIG_DFL);
        std::raise(SIGABRT);
        return Verdict();
      },
      seconds(60));
  EXPECT_EQ(crashed.kind, Kind::kFailed);
  EXPECT_EQ(crashed.reason, "it crashed: Aborted");
  const Verdict endless = run_apart(
      [] {
        while (true) pause();
        return Verdict();
      },
      seconds(0));
  EXPECT_EQ(endless.reason, "it did not end within 0 s");
}

}  // namespace
}  // namespace millrace::golden
