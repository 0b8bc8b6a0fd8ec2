#include "cli/stop_signals.hpp"
#include "tests/support/engine_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <future>

namespace millrace::cli {
namespace {

// The exit code of `millrace run -e <nothing to run>` behind these redirections; -1 when it died.
int ended_with(const std::string& redirections) {
  const std::string command = support::engine_path() + " run -e '-- nothing' " + redirections;
  const int status = std::system(command.c_str());
  // The shell tells of a death as 128 and the signal.
  return WIFEXITED(status) && WEXITSTATUS(status) < 128 ? WEXITSTATUS(status) : -1;
}

TEST(Process, ALineThatNobodyCanTakeIsLostAndNothingElse) {
  EXPECT_EQ(ended_with("2> /dev/full"), 2);
  EXPECT_EQ(ended_with("> /dev/full 2>&1"), 2);
}

TEST(Process, RunsWithoutStandardStreams) { EXPECT_EQ(ended_with("<&- >&- 2>&-"), 2); }

TEST(Process, AFolderIsNoJob) {
  support::EngineProcess engine({"run", "/"}, "/");
  EXPECT_EQ(engine.wait(), 2);
  EXPECT_EQ(engine.said(), "millrace: /: the job cannot be read: no such file, or not a file\n");
}

TEST(StopSignals, AreStillWatchedAfterASignalOfNoMeaning) {
  std::promise<void> stopped;
  StopSignals signals;
  signals.watch([&] { stopped.set_value(); });

  kill(getpid(), SIGUSR2);
  kill(getpid(), SIGPIPE);
  kill(getpid(), SIGTERM);

  stopped.get_future().wait();
  signals.end();
}

}  // namespace
}  // namespace millrace::cli
