#include "tests/support/kafka_broker.hpp"

#include "tests/support/kafka_script.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace millrace::support {
namespace {

std::uint16_t port_of(const std::string& address) {
  return static_cast<std::uint16_t>(std::atoi(address.substr(address.rfind(':') + 1).c_str()));
}

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
  folder_ = make_kafka_folder();
  if (!folder_.empty()) start();
}

bool KafkaBroker::start() {
  // With the test's process the broker goes too, even when the test crashes.
  auto outcome = run_kafka_script(
      "start --dir " + folder_ + " --owner " + std::to_string(::getpid()) + " --proxy-port " +
      std::to_string(proxy_.port()) + " --sasl " + kSaslUser + ":" + kSaslPassword);
  bootstrap_servers_ = outcome.places["bootstrap"];
  sasl_servers_ = outcome.places["sasl"];
  if (outcome.exit_code == 0) {
    proxy_.forward_to(port_of(outcome.places["behind_proxy"]));
    return true;
  }
  if (outcome.exit_code == KafkaScriptOutcome::kJarsMissing) {
    std::fprintf(stderr,
                 "\n*** SKIPPED: the tests that need a Kafka broker (scripts/kafka cannot "
                 "get its jars) ***\n\n");
  } else {
    ADD_FAILURE() << "scripts/kafka start failed with exit code " << outcome.exit_code;
  }
  bootstrap_servers_.clear();
  return false;
}

void KafkaBroker::TearDown() { remove_kafka(folder_); }

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
