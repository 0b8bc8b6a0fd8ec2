#pragma once

#include "millrace/error.hpp"

#include <librdkafka/rdkafka.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

// What the kafka_* files of this program share; the other files see only their headers.

namespace millrace::bench {

struct KafkaClientCloser {
  void operator()(rd_kafka_t* client) const { rd_kafka_destroy(client); }
};
using KafkaClient = std::unique_ptr<rd_kafka_t, KafkaClientCloser>;

struct KafkaQueueCloser {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
};
using KafkaQueue = std::unique_ptr<rd_kafka_queue_t, KafkaQueueCloser>;

struct KafkaTopicCloser {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};
using KafkaTopic = std::unique_ptr<rd_kafka_topic_t, KafkaTopicCloser>;

using KafkaSettings = std::initializer_list<std::pair<const char*, std::string>>;
using DeliveryReport = void (*)(rd_kafka_t*, const rd_kafka_message_t*, void*);

/// Makes a client; `on_delivery`, when given, is called from rd_kafka_poll with `opaque`.
Result<KafkaClient> make_kafka_client(rd_kafka_type_t type, KafkaSettings settings,
                                      DeliveryReport on_delivery = nullptr, void* opaque = nullptr);

/// A consumer that reads partitions 0..partitions-1 of a topic, from its start or from its end as
/// it is now. The positions are resolved when this returns.
Result<KafkaClient> make_kafka_consumer(const std::string& servers, const std::string& topic,
                                        int partitions, bool from_start);

/// A producer as the engine sets up its own: idempotent, acks from all, no linger, no Nagle.
Result<KafkaClient> make_kafka_producer(const std::string& servers, int in_flight,
                                        DeliveryReport on_delivery, void* opaque);

/// A topic's handle with its metadata fetched, so that the first record does not wait for them.
Result<KafkaTopic> open_kafka_topic(rd_kafka_t* client, const std::string& topic);

}  // namespace millrace::bench
