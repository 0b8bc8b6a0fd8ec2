#include "tests/golden/case_process.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

namespace millrace::golden {

namespace {

using Clock = std::chrono::steady_clock;

Verdict failed(std::string reason) { return {Verdict::Kind::kFailed, std::move(reason)}; }

/// The child: the verdict as its kind, one letter, and its reason.
[[noreturn]] void tell(const std::function<Verdict()>& run, int to) {
  const Verdict verdict = run();
  const std::string text = std::to_string(static_cast<int>(verdict.kind)) + verdict.reason;
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(to, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  std::fflush(nullptr);
  _exit(0);
}

/// What comes until the other end closes. False when the time is up before.
bool read_all(int from, Clock::time_point deadline, std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    const int events = left <= 0 ? 0 : poll(&ready, 1, static_cast<int>(left));
    if (events < 0 && errno == EINTR) continue;
    if (events <= 0) return false;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Verdict verdict_of(const std::string& text, int status) {
  if (WIFSIGNALED(status)) return failed(std::string("it crashed: ") + strsignal(WTERMSIG(status)));
  const bool is_told = !text.empty() && text[0] >= '0' && text[0] <= '2';
  if (WEXITSTATUS(status) != 0 || !is_told)
    return failed("it ended with exit code " + std::to_string(WEXITSTATUS(status)));
  return {static_cast<Verdict::Kind>(text[0] - '0'), text.substr(1)};
}

}  // namespace

Verdict run_apart(const std::function<Verdict()>& run, std::chrono::seconds limit) {
  std::array<int, 2> ends{};
  std::fflush(nullptr);
  if (pipe(ends.data()) != 0) return failed("there is no pipe for its process");
  const pid_t child = fork();
  if (child < 0) return failed("there is no process for it");
  if (child == 0) {
    close(ends[0]);
    tell(run, ends[1]);
  }
  close(ends[1]);
  std::string text;
  const bool is_done = read_all(ends[0], Clock::now() + limit, text);
  if (!is_done) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!is_done) return failed("it did not end within " + std::to_string(limit.count()) + " s");
  return verdict_of(text, status);
}

}  // namespace millrace::golden
