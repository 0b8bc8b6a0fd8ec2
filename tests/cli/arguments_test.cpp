#include "cli/arguments.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::cli {
namespace {

ParsedArguments parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "millrace");
  std::vector<char*> values;
  for (std::string& word : words) values.push_back(word.data());
  return parse_arguments(static_cast<int>(values.size()), values.data());
}

TEST(Arguments, NameAJobItsValuesAndProgress) {
  const auto result = parsed({"run", "--set", "A=1", "--set", "B=x=y", "job.sql", "--progress"});

  ASSERT_TRUE(result.arguments);
  EXPECT_EQ(result.arguments->command, Arguments::Command::kRun);
  EXPECT_EQ(result.arguments->job_file, "job.sql");
  EXPECT_EQ(result.arguments->values,
            (std::map<std::string, std::string>{{"A", "1"}, {"B", "x=y"}}));
  EXPECT_EQ(result.arguments->progress, ProgressForm::kText);
}

TEST(Arguments, ProgressTakesItsFormAndLeavesTheJobAlone) {
  const auto before = parsed({"run", "--progress", "json", "job.sql"});
  ASSERT_TRUE(before.arguments);
  EXPECT_EQ(before.arguments->progress, ProgressForm::kJson);
  EXPECT_EQ(before.arguments->job_file, "job.sql");
  EXPECT_EQ(parsed({"run", "--progress", "job.sql"}).arguments->job_file, "job.sql");
  EXPECT_EQ(parsed({"run", "job.sql", "--progress=json"}).arguments->progress, ProgressForm::kJson);
  EXPECT_EQ(parsed({"run", "job.sql", "--progress", "text"}).arguments->progress,
            ProgressForm::kText);
  EXPECT_EQ(parsed({"run", "job.sql"}).arguments->progress, ProgressForm::kNone);

  ::testing::internal::CaptureStderr();
  EXPECT_EQ(parsed({"run", "job.sql", "--progress=xml"}).exit_code, kRefused);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "millrace: --progress takes text or json, not xml\n"
            "millrace --help shows how to use it.\n");
}

TEST(Arguments, GiveAJobAsText) {
  const auto result = parsed({"explain", "-e", "SELECT 1"});

  ASSERT_TRUE(result.arguments);
  EXPECT_EQ(result.arguments->command, Arguments::Command::kExplain);
  EXPECT_EQ(result.arguments->job_text, "SELECT 1");
}

TEST(Arguments, AskForTheReferenceOfFunctions) {
  const auto result = parsed({"functions"});

  ASSERT_TRUE(result.arguments);
  EXPECT_EQ(result.arguments->command, Arguments::Command::kFunctions);
}

TEST(Arguments, WrongUsageIsRefused) {
  EXPECT_EQ(parsed({}).exit_code, kRefused);
  EXPECT_EQ(parsed({"rnu", "job.sql"}).exit_code, kRefused);
  EXPECT_EQ(parsed({"run"}).exit_code, kRefused);
  EXPECT_EQ(parsed({"run", "job.sql", "-e", "SELECT 1"}).exit_code, kRefused);
  EXPECT_EQ(parsed({"run", "job.sql", "--set", "A"}).exit_code, kRefused);
  EXPECT_EQ(parsed({"run", "job.sql", "--wrong"}).exit_code, kRefused);
}

TEST(Arguments, AnUnknownCommandNamesTheNearest) {
  ::testing::internal::CaptureStderr();

  EXPECT_EQ(parsed({"rnu", "job.sql"}).exit_code, kRefused);
  EXPECT_EQ(parsed({"job.sql"}).exit_code, kRefused);

  EXPECT_EQ(
      ::testing::internal::GetCapturedStderr(),
      "millrace: there is no command rnu; did you mean run?\n"
      "millrace --help shows how to use it.\n"
      "millrace: there is no command job.sql; there are run, explain, functions and checkpoint\n"
      "millrace --help shows how to use it.\n");
}

TEST(Arguments, AnUnknownOptionNamesTheNearest) {
  ::testing::internal::CaptureStderr();

  EXPECT_EQ(parsed({"run", "job.sql", "--progres"}).exit_code, kRefused);
  EXPECT_EQ(parsed({"run", "job.sql", "--set", "A=1", "--exceute=x"}).exit_code, kRefused);

  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "millrace: there is no option --progres; did you mean --progress?\n"
            "millrace --help shows how to use it.\n"
            "millrace: there is no option --exceute; did you mean --execute?\n"
            "millrace --help shows how to use it.\n");
}

TEST(Arguments, AFileAndATextAreTwoJobs) {
  ::testing::internal::CaptureStderr();

  EXPECT_EQ(parsed({"run", "job.sql", "-e", "x"}).exit_code, kRefused);

  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "millrace: two jobs are given, the file job.sql and the text behind -e: leave one out\n"
            "millrace --help shows how to use it.\n");
}

TEST(Arguments, HelpAndVersionEndWell) {
  EXPECT_EQ(parsed({"--help"}).exit_code, kOk);
  EXPECT_EQ(parsed({"run", "--help"}).exit_code, kOk);
  EXPECT_EQ(parsed({"--version"}).exit_code, kOk);
  EXPECT_FALSE(parsed({"--version"}).arguments);
}

TEST(Arguments, ACheckpointIsShownRolledBackOrDeleted) {
  const auto shown = parsed({"checkpoint", "show", "chk/q"});
  ASSERT_TRUE(shown.arguments);
  EXPECT_EQ(shown.arguments->command, Arguments::Command::kCheckpoint);
  EXPECT_EQ(shown.arguments->checkpoint->verb, CheckpointRequest::Verb::kShow);
  EXPECT_EQ(shown.arguments->checkpoint->folder, "chk/q");
  const auto back = parsed({"checkpoint", "rollback", "chk/q", "--to", "7"});
  ASSERT_TRUE(back.arguments);
  EXPECT_EQ(back.arguments->checkpoint->verb, CheckpointRequest::Verb::kRollBack);
  EXPECT_EQ(back.arguments->checkpoint->to, 7);
  EXPECT_EQ(parsed({"checkpoint", "delete", "chk/q"}).arguments->checkpoint->verb,
            CheckpointRequest::Verb::kDelete);
  const auto check = parsed({"checkpoint", "check", "job.sql", "chk/q", "--set", "A=1"});
  ASSERT_TRUE(check.arguments);
  EXPECT_EQ(check.arguments->checkpoint->verb, CheckpointRequest::Verb::kCheck);
  EXPECT_EQ(check.arguments->checkpoint->folder, "chk/q");
  EXPECT_EQ(check.arguments->job_file, "job.sql");
  EXPECT_EQ(check.arguments->values, (std::map<std::string, std::string>{{"A", "1"}}));
  EXPECT_EQ(parsed({"checkpoint", "check", "job.sql"}).exit_code, kRefused) << "which folder?";
  EXPECT_EQ(parsed({"checkpoint", "rollback", "chk/q"}).exit_code, kRefused) << "to where?";
  EXPECT_EQ(parsed({"checkpoint"}).exit_code, kRefused);
}

}  // namespace
}  // namespace millrace::cli
