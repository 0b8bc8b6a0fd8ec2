// What CI runs, with a `dev` that does nothing: what it calls, when it stops and how it ends.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace millrace::architecture {
namespace {

class CiRunTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "millrace-ci.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::filesystem::create_directory(folder_ / ".ci");
    std::filesystem::copy_file(".ci/run", folder_ / ".ci/run");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Runs it with a `dev` of this body ($1 is the command) and these settings; the exit code.
  int run(const std::string& body, const std::string& settings = "") {
    std::ofstream(folder_ / "dev") << "#!/bin/sh\necho ran $1\n" << body << "\n";
    std::filesystem::permissions(folder_ / "dev", std::filesystem::perms::owner_all);
    const std::string command = settings + " bash '" + (folder_ / ".ci/run").string() + "' > '" +
                                (folder_ / "said").string() + "' 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream file(folder_ / "said");
    said_ = std::string(std::istreambuf_iterator<char>(file), {});
    return WEXITSTATUS(status);
  }
  [[nodiscard]] bool says(const std::string& text) const {
    return said_.find(text) != std::string::npos;
  }

  std::filesystem::path folder_;
  std::string said_;
};

TEST_F(CiRunTest, RunsTheTestsThenTheSanitizersAndSaysWhatItLeftOut) {
  EXPECT_EQ(run(""), 0);

  EXPECT_TRUE(says("ran test\nran tsan\nran asan\n")) << said_;
  EXPECT_TRUE(
      says("Left out: under tsan all but actors (channel, gate, task, coordinator); under "
           "asan the CAF shells, connectors, session, sql, cli, embedding, simulation, "
           "property, fuzz, golden, hot_path, broker; clang-tidy; benchmarks\n"))
      << said_;
}

TEST_F(CiRunTest, FailsWhenOneOfThemFailsAndRunsTheOthers) {
  for (const char* failing : {"test", "tsan", "asan"}) {
    EXPECT_EQ(run("[ $1 != " + std::string(failing) + " ]"), 1) << failing;
    EXPECT_TRUE(says("ran test\nran tsan\nran asan\n")) << said_;
  }
}

TEST_F(CiRunTest, LeavesOutWhatWouldTakeTooLong) {
  EXPECT_EQ(run("", "MILLRACE_CI_SECONDS=300"), 0);

  EXPECT_TRUE(says("ran test\nran tsan\n")) << said_;
  EXPECT_FALSE(says("ran asan")) << said_;
  EXPECT_TRUE(says("Left out: asan (needs 480 s, ")) << said_;
}

TEST_F(CiRunTest, LeavesOutWhatItHasNoSecondFor) {
  EXPECT_EQ(run("", "MILLRACE_CI_SECONDS=0 MILLRACE_CI_TSAN_SECONDS=0"), 0);

  EXPECT_FALSE(says("ran tsan")) << said_;
  EXPECT_TRUE(says("Left out: tsan (needs 0 s, ")) << said_;
}

TEST_F(CiRunTest, CutsOffWhatTakesTooLongWithAllThatItStarted) {
  const std::string body = "[ $1 != tsan ] || { sleep 600 & echo $! > started; wait; }";

  // A run that had no time has not failed.
  EXPECT_EQ(run(body, "MILLRACE_CI_SECONDS=5 MILLRACE_CI_TSAN_SECONDS=0"), 0);

  EXPECT_TRUE(says("Left out: tsan (cut off at the limit of 5 s); asan (needs 480 s, ")) << said_;
  pid_t started = 0;
  std::ifstream(folder_ / "started") >> started;
  ASSERT_GT(started, 0);
  while (kill(started, 0) == 0) std::this_thread::yield();
}

}  // namespace
}  // namespace millrace::architecture
