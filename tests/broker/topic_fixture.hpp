#pragma once

#include "connectors/kafka_probe.hpp"
#include "tests/support/engine_process.hpp"
#include "tests/support/kafka_broker.hpp"
#include "tests/support/kafka_records.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::support {

using connectors::KafkaProbe;
using connectors::KafkaProbeRecord;

/// Topics of a test's own on the real broker, and a plain client beside the engine.
class TopicTest : public KafkaBrokerTest {
 protected:
  using Records = std::vector<KafkaProbeRecord>;

  void SetUp() override {
    KafkaBrokerTest::SetUp();
    if (broker().is_available()) probe_ = KafkaProbe::open(broker().bootstrap_servers()).value();
  }

  /// Makes a topic that no other test has; settings as the broker names them.
  std::string create(const std::string& stem, int partitions = 1,
                     const std::vector<std::pair<std::string, std::string>>& settings = {}) {
    auto topic = broker().unique_topic(stem);
    const auto created = probe_->create_topic(topic, partitions, settings);
    EXPECT_TRUE(created.has_value()) << created.error().message;
    return topic;
  }
  /// Returns when all are acknowledged.
  void write(const std::string& topic, const Records& records) {
    for (const auto& record : records) ASSERT_TRUE(probe_->write(topic, record));
    ASSERT_TRUE(probe_->flush());
  }
  /// Every record there is now, partition by partition.
  Records read(const std::string& topic) { return probe_->read_all(topic).value(); }
  /// Waits, at most a minute, until the records of a topic are enough. More may come until the
  /// engine has stopped, so that what is judged is read again then.
  template <typename Predicate>
  void await_until(const std::string& topic, Predicate is_enough) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      const auto seen = probe_->read_all(topic);  // a topic that the engine makes is not there yet
      if (seen && is_enough(*seen)) return;
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "not enough in topic " << topic;
    }
  }
  void await(const std::string& topic, std::size_t count) {
    await_until(topic, [count](const Records& seen) { return seen.size() >= count; });
  }
  /// Ends an engine as its user does, and sees it end well.
  static void stop(EngineProcess& engine) {
    engine.signal(SIGTERM);
    EXPECT_EQ(engine.wait(), 0) << engine.said();
  }

  std::unique_ptr<KafkaProbe> probe_;
};

}  // namespace millrace::support
