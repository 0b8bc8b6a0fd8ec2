#pragma once

#include "millrace/error.hpp"

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace millrace::bench {

/// What a process has used so far.
struct ProcessUsage {
  double cpu_seconds = 0;  ///< user and system
  std::int64_t resident_bytes = 0;
  std::int64_t peak_resident_bytes = 0;
};

/// A process that we started: its standard error is read for the `ready:` line and kept for error
/// messages. The destructor stops it (SIGTERM, then SIGKILL). For one thread.
class ChildProcess {
 public:
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Waits for a line that begins with "ready:"; an error with the child's last lines when it ends
  /// first or the time is over. Returns the moment in steady ns at which the line was read.
  Result<std::int64_t> wait_until_ready(int seconds);
  [[nodiscard]] Result<ProcessUsage> usage() const;
  /// False once it has ended by itself.
  [[nodiscard]] bool is_running();
  /// SIGTERM, waits, SIGKILL after 40 s. Ok when it exits with 0.
  Status stop();
  [[nodiscard]] std::string last_lines() const;
  /// When it was started, in steady ns.
  [[nodiscard]] std::int64_t started_ns() const { return started_ns_; }

 private:
  ChildProcess(pid_t pid, int error_pipe, std::int64_t started_ns);
  void read_lines();
  void note_line(std::string line);

  pid_t pid_;
  int error_pipe_;
  std::int64_t started_ns_;
  bool has_ended_ = false;
  int exit_status_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::int64_t ready_ns_ = 0;
  bool is_closed_ = false;

  std::thread reader_;
};

}  // namespace millrace::bench
