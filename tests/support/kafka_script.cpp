#include "tests/support/kafka_script.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>

namespace millrace::support {

KafkaScriptOutcome run_kafka_script(const std::string& arguments) {
  KafkaScriptOutcome outcome;
  std::FILE* pipe = ::popen(("scripts/kafka " + arguments).c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) {
    std::string line = piece.data();
    if (line.ends_with('\n')) line.pop_back();
    const auto blank = line.find(' ');
    if (blank != std::string::npos) outcome.places[line.substr(0, blank)] = line.substr(blank + 1);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

std::string make_kafka_folder() {
  std::string pattern = testing::TempDir() + "millrace-kafka.XXXXXX";
  return ::mkdtemp(pattern.data()) == nullptr ? "" : pattern;
}

void remove_kafka(const std::string& folder) {
  if (folder.empty()) return;
  (void)run_kafka_script("stop --dir " + folder);
  std::filesystem::remove_all(folder);
}

}  // namespace millrace::support
