#include "bench/latency/kafka_generator.hpp"

#include "bench/latency/clicks.hpp"
#include "bench/latency/kafka_client.hpp"
#include "bench/latency/steady_time.hpp"

#include <sys/prctl.h>

#include <atomic>
#include <chrono>

namespace millrace::bench {
namespace {

constexpr int kFlushTimeoutMs = 60'000;
constexpr int kInFlight = 2;

std::int64_t wall_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct KafkaGenerator::Connection {
  std::uint64_t lost = 0;  // counted by delivery reports, on the thread that polls
  int partitions = 0;
  KafkaClient client;
  KafkaTopic topic;

  static void count_lost(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) ++static_cast<Connection*>(opaque)->lost;
  }
};

Result<std::unique_ptr<KafkaGenerator>> KafkaGenerator::open(const std::string& servers,
                                                             const std::string& topic,
                                                             int partitions) {
  auto connection = std::make_unique<Connection>();
  connection->partitions = partitions;
  MILLRACE_ASSIGN(
      connection->client,
      make_kafka_producer(servers, kInFlight, Connection::count_lost, connection.get()));
  MILLRACE_ASSIGN(connection->topic, open_kafka_topic(connection->client.get(), topic));
  return std::unique_ptr<KafkaGenerator>(new KafkaGenerator(std::move(connection)));
}

KafkaGenerator::KafkaGenerator(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}

KafkaGenerator::~KafkaGenerator() = default;

Status KafkaGenerator::send(const Schedule& schedule, int size_bytes) {
  prctl(PR_SET_TIMERSLACK, 1);  // Wake when due, not up to 50 us later.
  for (std::uint64_t seq = 0; seq < schedule.count; ++seq) {
    if (steady_ns() < schedule.due_ns(seq)) sleep_until_ns(schedule.due_ns(seq));
    MILLRACE_TRY(produce(seq, size_bytes));
  }
  return finish();
}

Status KafkaGenerator::fill(std::uint64_t count, int size_bytes) {
  for (std::uint64_t seq = 0; seq < count; ++seq) MILLRACE_TRY(produce(seq, size_bytes));
  return finish();
}

Status KafkaGenerator::produce(std::uint64_t seq, int size_bytes) {
  write_click(seq, wall_ms(), size_bytes, record_);
  const auto partition =
      static_cast<std::int32_t>(seq % static_cast<std::uint64_t>(connection_->partitions));
  while (rd_kafka_produce(connection_->topic.get(), partition, RD_KAFKA_MSG_F_COPY, record_.data(),
                          record_.size(), nullptr, 0, nullptr) != 0) {
    if (rd_kafka_last_error() != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      return fail(ErrorCode::kIo, rd_kafka_err2str(rd_kafka_last_error()));
    }
    rd_kafka_poll(connection_->client.get(), 1);
  }
  rd_kafka_poll(connection_->client.get(), 0);
  return {};
}

Status KafkaGenerator::finish() {
  if (rd_kafka_flush(connection_->client.get(), kFlushTimeoutMs) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(ErrorCode::kUnavailable, "the broker did not take all records within a minute");
  }
  if (connection_->lost > 0) {
    return fail(ErrorCode::kIo, "records not delivered: " + std::to_string(connection_->lost));
  }
  return {};
}

}  // namespace millrace::bench
