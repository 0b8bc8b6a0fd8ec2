#include "tests/support/kafka_broker.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace millrace::support {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) outcome.output += piece.data();
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

// The rest of the line that begins with `word`.
std::string line_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word + " ");
  if (at == std::string::npos) return "";
  const auto from = at + word.size() + 1;
  return text.substr(from, text.find('\n', from) - from);
}

std::uint16_t port_of(const std::string& address) {
  return static_cast<std::uint16_t>(std::atoi(address.substr(address.rfind(':') + 1).c_str()));
}

constexpr int kJarsMissing = 3;

}  // namespace

KafkaBroker& KafkaBroker::instance() {
  // The framework owns the environment and deletes it at the end.
  static auto* broker =
      dynamic_cast<KafkaBroker*>(testing::AddGlobalTestEnvironment(new KafkaBroker));
  return *broker;
}

namespace {
// Registered before the tests run, whatever their order.
[[maybe_unused]] const auto& registered = KafkaBroker::instance();
}  // namespace

void KafkaBroker::SetUp() {
  std::string pattern = testing::TempDir() + "millrace-kafka.XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) return;
  folder_ = pattern;
  start();
}

bool KafkaBroker::start() {
  // With the test's process the broker goes too, even when the test crashes.
  const auto outcome =
      run("scripts/kafka start --dir " + folder_ + " --owner " + std::to_string(::getpid()) +
          " --proxy-port " + std::to_string(proxy_.port()) + " --sasl " + kSaslUser + ":" +
          kSaslPassword);
  bootstrap_servers_ = line_after(outcome.output, "bootstrap");
  sasl_servers_ = line_after(outcome.output, "sasl");
  if (outcome.exit_code == 0) {
    proxy_.forward_to(port_of(line_after(outcome.output, "behind_proxy")));
    return true;
  }
  if (outcome.exit_code == kJarsMissing) {
    std::fprintf(stderr,
                 "\n*** SKIPPED: the tests that need a Kafka broker (scripts/kafka cannot "
                 "get its jars) ***\n\n");
  } else {
    ADD_FAILURE() << "scripts/kafka start failed with exit code " << outcome.exit_code;
  }
  bootstrap_servers_.clear();
  return false;
}

void KafkaBroker::TearDown() {
  if (folder_.empty()) return;
  run("scripts/kafka stop --dir " + folder_);
  run("rm -rf " + folder_);
}

void KafkaBroker::kill() {
  int pid = 0;
  std::ifstream(folder_ + "/kafka.pid") >> pid;
  if (pid > 0) ::kill(pid, SIGKILL);
}

void KafkaBroker::restart() { ASSERT_TRUE(start()); }

std::string KafkaBroker::unique_topic(const std::string& stem) {
  return stem + "-" + std::to_string(++topics_);
}

}  // namespace millrace::support
