#pragma once

#include "tests/support/kafka_proxy.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::support {

/// A real Apache Kafka broker in a process of its own, started once for all tests of a binary by
/// scripts/kafka (so the tests run from the top of the repository). Where its jars cannot be had,
/// every test that uses it is skipped, with one loud line.
///
///   class MyTest : public KafkaBrokerTest {};   // skips itself; broker() is up
class KafkaBroker : public testing::Environment {
 public:
  /// The environment; registered by linking this file.
  static KafkaBroker& instance();

  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] bool is_available() const { return !bootstrap_servers_.empty(); }
  [[nodiscard]] const std::string& bootstrap_servers() const { return bootstrap_servers_; }
  /// A way to the broker that a test can make a bad one. Clients that begin at
  /// proxy().bootstrap_servers() stay on it.
  [[nodiscard]] KafkaProxy& proxy() { return proxy_; }
  /// Where it serves only who is kSaslUser and knows kSaslPassword (SASL_PLAINTEXT, PLAIN).
  [[nodiscard]] const std::string& sasl_servers() const { return sasl_servers_; }
  static constexpr const char* kSaslUser = "alice";
  static constexpr const char* kSaslPassword = "tell-nobody-4711";
  /// Kills the broker as a power cut does.
  void kill();
  /// Starts it again on the same port and records, and waits until it answers.
  void restart();
  /// A topic name that no other test has.
  [[nodiscard]] std::string unique_topic(const std::string& stem);

 private:
  bool start();

  KafkaProxy proxy_;
  std::string folder_;
  std::string bootstrap_servers_;
  std::string sasl_servers_;
  int topics_ = 0;
};

/// The base of tests that need the broker.
class KafkaBrokerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!broker().is_available()) GTEST_SKIP() << "no Kafka broker can be had here";
  }
  static KafkaBroker& broker() { return KafkaBroker::instance(); }
};

}  // namespace millrace::support
