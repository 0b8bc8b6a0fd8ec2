#include "connectors/kafka_client.hpp"

#include "connectors/kafka_mock.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <optional>

namespace millrace::connectors {
namespace {

/// The error that a sink's client gives its owner when the library calls this one fatal.
Error told_of(rd_kafka_resp_err_t fatal) {
  const auto mock = KafkaMock::start().value();
  std::mutex mutex;
  std::optional<Error> told;
  support::Signal signal;
  KafkaClientSpec spec;
  spec.owner = "sink kept";
  spec.role = KafkaRole::kSink;
  spec.settings =
      kafka_settings({{"bootstrap_servers", mock->bootstrap_servers()}}, KafkaRole::kSink).value();
  spec.on_fatal = [&](Error error) {
    {
      const std::lock_guard lock(mutex);
      told = std::move(error);
    }
    signal.raise();
  };
  const auto client = KafkaClient::create(std::move(spec)).value();
  rd_kafka_test_fatal_error(client->handle(), fatal, "for a test");
  EXPECT_TRUE(signal.wait());
  const std::lock_guard lock(mutex);
  return told.value_or(Error{});
}

// Only the first is for good: a query whose client lost its way may start again.
TEST(KafkaClient, TellsAnotherOwnerFromAClientThatLostItsWay) {
  EXPECT_EQ(told_of(RD_KAFKA_RESP_ERR__FENCED).code, ErrorCode::kConflict);
  EXPECT_EQ(told_of(RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH).code, ErrorCode::kConflict);
  const Error lost = told_of(RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER);
  EXPECT_EQ(lost.code, ErrorCode::kIo);
  EXPECT_NE(lost.message.find("sink kept: the Kafka client cannot go on: "), std::string::npos)
      << lost.message;
}

}  // namespace
}  // namespace millrace::connectors
