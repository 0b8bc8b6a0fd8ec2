#include "tests/support/engine_process.hpp"

#include "millrace/assert.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace millrace::support {

namespace {

/// Longer than any test's engine is silent.
constexpr int kWaitMsMax = 60'000;

void close_end(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

// Takes what a pipe has that is said to have some; closes it at its end.
void take(int& pipe, std::string& text) {
  char bytes[4096];
  const ssize_t count = read(pipe, bytes, sizeof(bytes));
  if (count <= 0) return close_end(pipe);
  text.append(bytes, static_cast<std::size_t>(count));
}

}  // namespace

std::string engine_path(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

EngineProcess::EngineProcess(const std::vector<std::string>& arguments, const std::string& folder,
                             const std::map<std::string, std::string>& environment,
                             const std::string& program) {
  int errors[2];
  int output[2];
  int input[2];
  for (int* ends : {errors, output, input}) MILLRACE_ASSERT(pipe2(ends, O_CLOEXEC) == 0);
  const std::string path = engine_path(program);
  std::vector<char*> words = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  pid_ = fork();
  MILLRACE_ASSERT(pid_ >= 0);
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // never outlives the test
    dup2(errors[1], STDERR_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(input[0], STDIN_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(folder.c_str()) == 0) execv(path.c_str(), words.data());
    _exit(127);
  }
  for (const int end : {errors[1], output[1], input[0]}) ::close(end);
  errors_ = errors[0];
  output_ = output[0];
  input_ = input[1];
}

EngineProcess::~EngineProcess() {
  kill();
  close_end(errors_);
  close_end(output_);
  close_input();
}

void EngineProcess::write_input(const std::string& text) const {
  const ssize_t written = write(input_, text.data(), text.size());
  MILLRACE_ASSERT(written == static_cast<ssize_t>(text.size()));
}

void EngineProcess::close_input() { close_end(input_); }

bool EngineProcess::read_more(int wait_ms_max) {
  if (errors_ < 0 && output_ < 0) return false;
  pollfd readable[] = {{errors_, POLLIN, 0},
                       {output_, POLLIN, 0}};  // one below zero is passed over
  const int ready = poll(readable, 2, wait_ms_max);
  is_stuck_ = ready == 0;
  if (ready <= 0) return false;
  if (readable[0].revents != 0) take(errors_, said_);
  if (readable[1].revents != 0) take(output_, shown_);
  return true;
}

bool EngineProcess::await_line(const std::string& text) {
  while (said_.find(text) == std::string::npos)
    if (!read_more(kWaitMsMax)) return false;
  return true;
}

void EngineProcess::signal(int number) const {
  if (!has_ended_) ::kill(pid_, number);
}

void EngineProcess::kill() {
  signal(SIGKILL);
  (void)wait();
}

int EngineProcess::wait() {
  while (read_more(kWaitMsMax)) {
  }
  if (is_stuck_) signal(SIGKILL);
  if (!has_ended_) {
    waitpid(pid_, &status_, 0);
    has_ended_ = true;
  }
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
}

}  // namespace millrace::support
