#pragma once

#include <map>
#include <string>

namespace millrace::support {

/// What scripts/kafka said: its exit code, and the places of a broker by name ("bootstrap" ->
/// "127.0.0.1:20123").
struct KafkaScriptOutcome {
  static constexpr int kJarsMissing = 3;

  int exit_code = -1;
  std::map<std::string, std::string> places;
};

/// Runs scripts/kafka with these arguments; from the top of the repository, where the tests run.
[[nodiscard]] KafkaScriptOutcome run_kafka_script(const std::string& arguments);

/// Makes an empty folder for a broker.
[[nodiscard]] std::string make_kafka_folder();

/// Stops the broker of a folder, and removes the folder.
void remove_kafka(const std::string& folder);

}  // namespace millrace::support
