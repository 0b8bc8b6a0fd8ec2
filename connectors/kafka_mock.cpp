#include "connectors/kafka_mock.hpp"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>

namespace millrace::connectors {
namespace {

constexpr std::int16_t kProduceRequest = 0;
constexpr std::int16_t kOffsetCommitRequest = 8;
constexpr std::int32_t kBroker = 1;

rd_kafka_resp_err_t answer_of(KafkaMockError error) {
  switch (error) {
    case KafkaMockError::kNone:
      return RD_KAFKA_RESP_ERR_NO_ERROR;
    case KafkaMockError::kNotLeader:
      return RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION;
    case KafkaMockError::kRequestTimedOut:
      return RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT;
    case KafkaMockError::kTooLarge:
      return RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
    case KafkaMockError::kTopicUnauthorized:
      return RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
    case KafkaMockError::kDuplicate:
      return RD_KAFKA_RESP_ERR_DUPLICATE_SEQUENCE_NUMBER;
  }
  return RD_KAFKA_RESP_ERR_UNKNOWN;
}

}  // namespace

Result<std::unique_ptr<KafkaMock>> KafkaMock::start() {
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  rd_kafka_t* handle = rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason.data(), reason.size());
  if (handle == nullptr) {
    rd_kafka_conf_destroy(conf);
    return fail(ErrorCode::kInternal, fmt::format("mock cluster: {}", reason.data()));
  }
  rd_kafka_mock_cluster_t* cluster = rd_kafka_mock_cluster_new(handle, 1);
  if (cluster == nullptr) {
    rd_kafka_destroy(handle);
    return fail(ErrorCode::kUnavailable, "mock cluster: no port on 127.0.0.1 can be opened");
  }
  return std::unique_ptr<KafkaMock>(new KafkaMock(handle, cluster));
}

KafkaMock::~KafkaMock() {
  rd_kafka_mock_cluster_destroy(cluster_);
  rd_kafka_destroy(handle_);
}

std::string KafkaMock::bootstrap_servers() const {
  return rd_kafka_mock_cluster_bootstraps(cluster_);
}

Status KafkaMock::create_topic(const std::string& topic, std::int32_t partitions) {
  const auto error = rd_kafka_mock_topic_create(cluster_, topic.c_str(), partitions, 1);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("topic {} cannot be created: {}", topic, rd_kafka_err2str(error)));
}

void KafkaMock::push_produce_answer(KafkaMockError error, int count) {
  for (int i = 0; i < count; ++i) {
    rd_kafka_mock_push_request_errors(cluster_, kProduceRequest, 1, answer_of(error));
  }
}

void KafkaMock::clear_produce_answers() {
  rd_kafka_mock_clear_request_errors(cluster_, kProduceRequest);
}

void KafkaMock::push_group_commit_refusals(int count) {
  for (int i = 0; i < count; ++i) {
    rd_kafka_mock_push_request_errors(cluster_, kOffsetCommitRequest, 1,
                                      RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED);
  }
}

void KafkaMock::set_broker_up(bool is_up) {
  if (is_up) {
    rd_kafka_mock_broker_set_up(cluster_, kBroker);
  } else {
    rd_kafka_mock_broker_set_down(cluster_, kBroker);
  }
}

}  // namespace millrace::connectors
