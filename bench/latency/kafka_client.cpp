#include "bench/latency/kafka_client.hpp"

#include <array>

namespace millrace::bench {
namespace {

constexpr int kRequestTimeoutMs = 10'000;

struct ConfigurationCloser {
  void operator()(rd_kafka_conf_t* configuration) const { rd_kafka_conf_destroy(configuration); }
};

struct PartitionListCloser {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t, PartitionListCloser>;

Result<PartitionList> resolve_positions(rd_kafka_t* client, const std::string& topic,
                                        int partitions, bool from_start) {
  PartitionList list(rd_kafka_topic_partition_list_new(partitions));
  for (int partition = 0; partition < partitions; ++partition) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    const auto error = rd_kafka_query_watermark_offsets(client, topic.c_str(), partition, &low,
                                                        &high, kRequestTimeoutMs);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return fail(ErrorCode::kUnavailable,
                  "no offsets of topic " + topic + ": " + rd_kafka_err2str(error));
    }
    rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition)->offset =
        from_start ? low : high;
  }
  return list;
}

}  // namespace

Result<KafkaClient> make_kafka_client(rd_kafka_type_t type, KafkaSettings settings,
                                      DeliveryReport on_delivery, void* opaque) {
  std::array<char, 512> problem{};
  std::unique_ptr<rd_kafka_conf_t, ConfigurationCloser> configuration(rd_kafka_conf_new());
  for (const auto& [name, value] : settings) {
    if (rd_kafka_conf_set(configuration.get(), name, value.c_str(), problem.data(),
                          problem.size()) != RD_KAFKA_CONF_OK) {
      return fail(ErrorCode::kInvalidArgument, problem.data());
    }
  }
  rd_kafka_conf_set_opaque(configuration.get(), opaque);
  if (on_delivery != nullptr) rd_kafka_conf_set_dr_msg_cb(configuration.get(), on_delivery);
  KafkaClient client(rd_kafka_new(type, configuration.get(), problem.data(), problem.size()));
  if (client == nullptr) return fail(ErrorCode::kUnavailable, problem.data());
  static_cast<void>(configuration.release());  // The client owns it now.
  return client;
}

Result<KafkaClient> make_kafka_consumer(const std::string& servers, const std::string& topic,
                                        int partitions, bool from_start) {
  MILLRACE_ASSIGN(auto client,
                  make_kafka_client(RD_KAFKA_CONSUMER, {{"bootstrap.servers", servers},
                                                        {"group.id", "millrace-latency"},
                                                        {"enable.auto.commit", "false"},
                                                        {"enable.auto.offset.store", "false"},
                                                        {"fetch.error.backoff.ms", "5"},
                                                        {"socket.nagle.disable", "true"}}));
  rd_kafka_poll_set_consumer(client.get());
  MILLRACE_ASSIGN(const auto positions,
                  resolve_positions(client.get(), topic, partitions, from_start));
  const auto error = rd_kafka_assign(client.get(), positions.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(ErrorCode::kInternal, "no assignment of " + topic + ": " + rd_kafka_err2str(error));
  }
  return client;
}

Result<KafkaClient> make_kafka_producer(const std::string& servers, int in_flight,
                                        DeliveryReport on_delivery, void* opaque) {
  return make_kafka_client(RD_KAFKA_PRODUCER,
                           {{"bootstrap.servers", servers},
                            {"enable.idempotence", "true"},
                            {"acks", "all"},
                            {"linger.ms", "0"},
                            {"max.in.flight", std::to_string(in_flight)},
                            {"message.timeout.ms", "0"},
                            {"socket.nagle.disable", "true"}},
                           on_delivery, opaque);
}

Result<KafkaTopic> open_kafka_topic(rd_kafka_t* client, const std::string& topic) {
  KafkaTopic handle(rd_kafka_topic_new(client, topic.c_str(), nullptr));
  const rd_kafka_metadata_t* metadata = nullptr;
  const auto error = rd_kafka_metadata(client, 0, handle.get(), &metadata, kRequestTimeoutMs);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(ErrorCode::kUnavailable,
                "no metadata of topic " + topic + ": " + rd_kafka_err2str(error));
  }
  rd_kafka_metadata_destroy(metadata);
  return handle;
}

}  // namespace millrace::bench
