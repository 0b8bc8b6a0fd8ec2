#include "bench/latency/child_process.hpp"

#include "bench/latency/steady_time.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

namespace millrace::bench {
namespace {

constexpr std::size_t kLinesKept = 20;
constexpr int kStopSeconds = 40;

std::vector<char*> to_argv(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

// Runs in the child: standard error goes into the pipe, standard output to nowhere.
[[noreturn]] void become(char* const* argv, int error_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(error_pipe, STDERR_FILENO);
  execv(argv[0], argv);
  constexpr std::string_view kMessage = "cannot be executed\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(127);
}

std::int64_t kilobytes_after(const std::string& status, const char* name) {
  const auto found = status.find(name);
  if (found == std::string::npos) return 0;
  return std::strtoll(status.c_str() + found + std::strlen(name), nullptr, 10) * 1024;
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& command) {
  const auto argv = to_argv(command);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail(ErrorCode::kIo, "no pipe for a child");
  const auto started = steady_ns();
  const pid_t pid = fork();
  if (pid < 0) return fail(ErrorCode::kIo, "no process for: " + command.front());
  if (pid == 0) become(argv.data(), ends[1]);
  close(ends[1]);
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, ends[0], started));
}

ChildProcess::ChildProcess(pid_t pid, int error_pipe, std::int64_t started_ns)
    : pid_(pid),
      error_pipe_(error_pipe),
      started_ns_(started_ns),
      reader_([this] { read_lines(); }) {}

ChildProcess::~ChildProcess() {
  static_cast<void>(stop());
  reader_.join();
  close(error_pipe_);
}

void ChildProcess::read_lines() {
  std::string line;
  std::array<char, 4096> bytes{};
  for (;;) {
    const auto count = read(error_pipe_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (const char letter : std::string_view(bytes.data(), static_cast<std::size_t>(count))) {
      if (letter != '\n') {
        line += letter;
        continue;
      }
      note_line(std::move(line));
      line.clear();
    }
  }
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

void ChildProcess::note_line(std::string line) {
  const std::lock_guard lock(mutex_);
  if (ready_ns_ == 0 && line.starts_with("ready:")) ready_ns_ = steady_ns();
  lines_.push_back(std::move(line));
  if (lines_.size() > kLinesKept) lines_.pop_front();
  changed_.notify_all();
}

Result<std::int64_t> ChildProcess::wait_until_ready(int seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(seconds),
                    [this] { return ready_ns_ != 0 || is_closed_; });
  if (ready_ns_ != 0) return ready_ns_;
  lock.unlock();
  return fail(ErrorCode::kUnavailable, "a process did not become ready; it said:\n" + last_lines());
}

Result<ProcessUsage> ChildProcess::usage() const {
  const auto folder = "/proc/" + std::to_string(pid_);
  const auto stat = read_file(folder + "/stat");
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return fail(ErrorCode::kNotFound, "a process has ended");
  // Behind the name: state is field 3, utime 14, stime 15.
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user_ticks = 0;
  double system_ticks = 0;
  fields >> user_ticks >> system_ticks;
  const auto status = read_file(folder + "/status");
  ProcessUsage usage;
  usage.cpu_seconds = (user_ticks + system_ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  usage.resident_bytes = kilobytes_after(status, "VmRSS:");
  usage.peak_resident_bytes = kilobytes_after(status, "VmHWM:");
  return usage;
}

bool ChildProcess::is_running() {
  if (has_ended_) return false;
  has_ended_ = waitpid(pid_, &exit_status_, WNOHANG) == pid_;
  return !has_ended_;
}

Status ChildProcess::stop() {
  if (is_running()) kill(pid_, SIGTERM);
  const auto deadline = steady_ns() + kStopSeconds * 1'000'000'000LL;
  while (is_running()) {
    if (steady_ns() > deadline) kill(pid_, SIGKILL);
    sleep_until_ns(steady_ns() + 5'000'000);
  }
  if (WIFEXITED(exit_status_) && WEXITSTATUS(exit_status_) == 0) return {};
  return fail(ErrorCode::kInternal, fmt::format("a process ended with status {:#x}; it said:\n{}",
                                                exit_status_, last_lines()));
}

std::string ChildProcess::last_lines() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& line : lines_) text += "  " + line + "\n";
  return text;
}

}  // namespace millrace::bench
