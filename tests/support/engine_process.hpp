#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace millrace::support {

/// The `millrace` binary in a process of its own, as a user starts it. The destructor kills it.
class EngineProcess {
 public:
  /// Starts `millrace` with these arguments and more environment, in `folder`. What it says on
  /// standard error and shows on standard output is kept. `program` is a binary beside this one.
  /// Its standard input stays open and empty.
  EngineProcess(const std::vector<std::string>& arguments, const std::string& folder,
                const std::map<std::string, std::string>& environment = {},
                const std::string& program = "millrace");
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  /// Waits until its standard error has this text in it; false when it ended without, or did not
  /// say it within a minute.
  [[nodiscard]] bool await_line(const std::string& text);
  [[nodiscard]] bool await_ready() { return await_line("ready: "); }
  void signal(int number) const;
  /// Gives it standard input, a few kilobytes at most.
  void write_input(const std::string& text) const;
  /// Ends its standard input.
  void close_input();
  /// kill -9, and waits.
  void kill();
  /// Waits for its end: the exit code, or -signal. One that neither ends nor says anything for a
  /// minute is killed.
  [[nodiscard]] int wait();
  /// Everything it has said so far.
  [[nodiscard]] const std::string& said() const { return said_; }
  /// Everything it has written to standard output so far.
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  /// Takes what the pipes have; false at their end, or when nothing comes for so long.
  bool read_more(int wait_ms_max);

  pid_t pid_ = -1;
  int errors_ = -1;  ///< -1: at its end
  int output_ = -1;  ///< -1: at its end
  int input_ = -1;
  bool is_stuck_ = false;
  bool has_ended_ = false;
  int status_ = 0;
  std::string said_;
  std::string shown_;
};

/// The path of a binary beside this one.
[[nodiscard]] std::string engine_path(const std::string& program = "millrace");

}  // namespace millrace::support
