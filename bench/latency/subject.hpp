#pragma once

#include "bench/latency/child_process.hpp"
#include "bench/latency/settings.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace millrace::bench {

/// Who is measured: one row of a table.
struct Subject {
  std::string name;
  int in_flight = 0;         ///< of the forwarder; 0 for Millrace
  bool is_again = false;     ///< the A/A row: the same forwarder a second time
  std::string binary = {};   ///< of Millrace; empty: beside this program
  std::string setting = {};  ///< "name=value", set before Millrace's job; empty: none
  [[nodiscard]] bool is_millrace() const { return in_flight == 0; }
};

/// The rows of this command line: the forwarder and its A/A for every in-flight setting, Millrace
/// for every binary, Millrace for every setting of --with.
std::vector<Subject> subjects_of(const Settings& settings, bool with_again);

/// The topics of one run, new for every run.
struct RunTopics {
  std::string clicks;
  std::string enriched;
};

/// What all runs share: a folder for users.csv and checkpoints (removed at the end), names that no
/// other run has, and how a subject is started.
class Workspace {
 public:
  explicit Workspace(const Settings& settings);
  Workspace(const Workspace&) = delete;
  ~Workspace();

  /// Creates the next run's topics.
  Result<RunTopics> create_topics();
  Status delete_topics(const RunTopics& topics) const;
  /// Starts the subject on these topics; it is not ready yet.
  Result<std::unique_ptr<ChildProcess>> start(const Subject& subject, const RunTopics& topics,
                                              bool from_start);

 private:
  std::vector<std::string> forwarder_command(const Subject& subject, const RunTopics& topics,
                                             bool from_start) const;
  std::vector<std::string> millrace_command(const Subject& subject, const RunTopics& topics,
                                            bool from_start);
  std::string job_with(const std::string& setting) const;

  const Settings& settings_;
  std::filesystem::path folder_;
  int runs_ = 0;
};

}  // namespace millrace::bench
