#include "bench/latency/kafka_reader.hpp"

#include "bench/latency/kafka_client.hpp"
#include "bench/latency/steady_time.hpp"

#include <array>

namespace millrace::bench {
namespace {

constexpr std::size_t kBatchMax = 1024;

// Hands a message over and frees it.
Status hand_over(rd_kafka_message_t* message, std::int64_t arrival_ns,
                 const KafkaReader::OnRecord& on_record) {
  const auto error = message->err;
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    on_record({static_cast<const char*>(message->payload), message->len}, arrival_ns);
  }
  rd_kafka_message_destroy(message);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR || error == RD_KAFKA_RESP_ERR__PARTITION_EOF) return {};
  return fail(ErrorCode::kIo, std::string("reading the output: ") + rd_kafka_err2str(error));
}

}  // namespace

struct KafkaReader::Connection {
  KafkaClient client;
  KafkaQueue queue;
  std::array<rd_kafka_message_t*, kBatchMax> messages{};
};

Result<std::unique_ptr<KafkaReader>> KafkaReader::open(const std::string& servers,
                                                       const std::string& topic, int partitions) {
  auto connection = std::make_unique<Connection>();
  MILLRACE_ASSIGN(connection->client, make_kafka_consumer(servers, topic, partitions, true));
  connection->queue.reset(rd_kafka_queue_get_consumer(connection->client.get()));
  return std::unique_ptr<KafkaReader>(new KafkaReader(std::move(connection)));
}

KafkaReader::KafkaReader(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}

KafkaReader::~KafkaReader() {
  connection_->queue.reset();
  rd_kafka_consumer_close(connection_->client.get());
}

Result<std::size_t> KafkaReader::read(int timeout_ms, const OnRecord& on_record) {
  auto* first = rd_kafka_consumer_poll(connection_->client.get(), timeout_ms);
  if (first == nullptr) return 0;
  MILLRACE_TRY(hand_over(first, steady_ns(), on_record));
  auto& messages = connection_->messages;
  const auto count =
      rd_kafka_consume_batch_queue(connection_->queue.get(), 0, messages.data(), messages.size());
  const auto arrival_ns = steady_ns();
  Status status;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<ssize_t>(count, 0)); ++i) {
    if (auto handed = hand_over(messages[i], arrival_ns, on_record); !handed) status = handed;
  }
  MILLRACE_TRY(status);
  return static_cast<std::size_t>(std::max<ssize_t>(count, 0)) + 1;
}

}  // namespace millrace::bench
