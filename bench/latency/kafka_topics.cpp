#include "bench/latency/kafka_topics.hpp"

#include "bench/latency/kafka_client.hpp"
#include "bench/latency/steady_time.hpp"

#include <array>

namespace millrace::bench {
namespace {

constexpr int kRequestTimeoutMs = 20'000;
constexpr std::int64_t kServedWithinNs = 20'000'000'000;
constexpr std::int64_t kRetryNs = 20'000'000;

struct EventCloser {
  void operator()(rd_kafka_event_t* event) const { rd_kafka_event_destroy(event); }
};
using Event = std::unique_ptr<rd_kafka_event_t, EventCloser>;

Result<KafkaClient> make_administrator(const std::string& servers) {
  return make_kafka_client(RD_KAFKA_PRODUCER, {{"bootstrap.servers", servers}});
}

// The first error among the topics' results.
Status check(const rd_kafka_topic_result_t* const* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (rd_kafka_topic_result_error(results[i]) != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return fail(ErrorCode::kInvalidArgument,
                  std::string("topic ") + rd_kafka_topic_result_name(results[i]) + ": " +
                      rd_kafka_err2str(rd_kafka_topic_result_error(results[i])));
    }
  }
  return {};
}

Result<Event> wait_for_reply(rd_kafka_queue_t* queue) {
  Event event(rd_kafka_queue_poll(queue, kRequestTimeoutMs));
  if (event == nullptr) return fail(ErrorCode::kUnavailable, "the broker does not answer");
  if (rd_kafka_event_error(event.get()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(ErrorCode::kUnavailable, rd_kafka_event_error_string(event.get()));
  }
  return event;
}

// A leader is named some time before it answers for its partition.
Status wait_until_served(rd_kafka_t* client, const std::string& topic, int partitions) {
  const auto deadline = steady_ns() + kServedWithinNs;
  for (int partition = 0; partition < partitions;) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    const auto error = rd_kafka_query_watermark_offsets(client, topic.c_str(), partition, &low,
                                                        &high, kRequestTimeoutMs);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      ++partition;
    } else if (steady_ns() > deadline) {
      return fail(ErrorCode::kUnavailable,
                  "topic " + topic + " is not served: " + rd_kafka_err2str(error));
    } else {
      sleep_until_ns(steady_ns() + kRetryNs);
    }
  }
  return {};
}

}  // namespace

Status create_kafka_topics(const std::string& servers, const std::vector<std::string>& topics,
                           int partitions) {
  MILLRACE_ASSIGN(const auto client, make_administrator(servers));
  const KafkaQueue queue(rd_kafka_queue_new(client.get()));
  std::vector<rd_kafka_NewTopic_t*> requests;
  for (const auto& topic : topics) {
    std::array<char, 256> problem{};
    requests.push_back(
        rd_kafka_NewTopic_new(topic.c_str(), partitions, 1, problem.data(), problem.size()));
  }
  rd_kafka_CreateTopics(client.get(), requests.data(), requests.size(), nullptr, queue.get());
  rd_kafka_NewTopic_destroy_array(requests.data(), requests.size());
  MILLRACE_ASSIGN(const auto event, wait_for_reply(queue.get()));
  std::size_t count = 0;
  const auto* results =
      rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event.get()), &count);
  MILLRACE_TRY(check(results, count));
  for (const auto& topic : topics) {
    MILLRACE_TRY(wait_until_served(client.get(), topic, partitions));
  }
  return {};
}

Status delete_kafka_topics(const std::string& servers, const std::vector<std::string>& topics) {
  MILLRACE_ASSIGN(const auto client, make_administrator(servers));
  const KafkaQueue queue(rd_kafka_queue_new(client.get()));
  std::vector<rd_kafka_DeleteTopic_t*> requests;
  for (const auto& topic : topics) requests.push_back(rd_kafka_DeleteTopic_new(topic.c_str()));
  rd_kafka_DeleteTopics(client.get(), requests.data(), requests.size(), nullptr, queue.get());
  rd_kafka_DeleteTopic_destroy_array(requests.data(), requests.size());
  MILLRACE_ASSIGN(const auto event, wait_for_reply(queue.get()));
  std::size_t count = 0;
  const auto* results =
      rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event.get()), &count);
  return check(results, count);
}

}  // namespace millrace::bench
