#include "cli/stop_signals.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>

namespace millrace::cli {
namespace {

// Wakes the watcher for its end.
constexpr int kEndSignal = SIGUSR2;
// Who signals a process and its group, as `timeout` does, means one stop.
constexpr std::chrono::milliseconds kSameStop{200};

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

StopSignals::StopSignals() {
  std::signal(SIGPIPE, SIG_IGN);  // who reads our lines may go away at any time
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, kEndSignal}) sigaddset(&signals_, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

void StopSignals::end() {
  if (!watcher_.joinable()) return;
  is_ended_ = true;
  pthread_kill(watcher_.native_handle(), kEndSignal);
  watcher_.join();
}

void StopSignals::watch(std::function<void()> on_stop) {
  watcher_ = std::thread([this, stop = std::move(on_stop)] { wait_for_signals(stop); });
}

void StopSignals::wait_for_signals(const std::function<void()>& on_stop) {
  std::thread stopper;
  std::chrono::steady_clock::time_point first;
  int signal = 0;
  while (sigwait(&signals_, &signal) == 0) {
    if (signal == kEndSignal) {
      if (is_ended_) break;
      continue;  // somebody else's
    }
    const auto now = std::chrono::steady_clock::now();
    if (stopper.joinable() && (signal == SIGHUP || now - first < kSameStop)) continue;
    if (stopper.joinable()) _exit(128 + signal);
    first = now;
    stopper = std::thread(on_stop);
  }
  if (stopper.joinable()) stopper.join();
}

}  // namespace millrace::cli
