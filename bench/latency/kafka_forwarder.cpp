#include "bench/latency/kafka_forwarder.hpp"

#include "bench/latency/clicks.hpp"
#include "bench/latency/kafka_client.hpp"

#include <signal.h>

#include <array>
#include <cstdio>
#include <span>
#include <vector>

namespace millrace::bench {
namespace {

constexpr std::size_t kBatchMax = 1024;
constexpr int kPollMs = 100;
constexpr int kFlushTimeoutMs = 30'000;

volatile sig_atomic_t is_asked_to_stop = 0;

void ask_to_stop(int) { is_asked_to_stop = 1; }

void count_lost(rd_kafka_t*, const rd_kafka_message_t* message, void* lost) {
  if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) ++*static_cast<std::uint64_t*>(lost);
}

class Forwarder {
 public:
  Status open(const Settings& settings) {
    MILLRACE_ASSIGN(producer_, make_kafka_producer(settings.bootstrap_servers,
                                                   settings.in_flight.front(), count_lost, &lost_));
    MILLRACE_ASSIGN(topic_, open_kafka_topic(producer_.get(), settings.output_topic));
    MILLRACE_ASSIGN(consumer_, make_kafka_consumer(settings.bootstrap_servers, settings.input_topic,
                                                   settings.partitions, settings.from_start));
    queue_.reset(rd_kafka_queue_get_consumer(consumer_.get()));
    return {};
  }

  // Takes what has come (waiting for a first record), passes it on.
  Status step() {
    read_[0] = rd_kafka_consumer_poll(consumer_.get(), kPollMs);
    if (read_[0] != nullptr) {
      const auto more =
          rd_kafka_consume_batch_queue(queue_.get(), 0, read_.data() + 1, read_.size() - 1);
      const auto count = 1 + static_cast<std::size_t>(std::max<ssize_t>(more, 0));
      const auto status = pass_on({read_.data(), count});
      for (std::size_t i = 0; i < count; ++i) rd_kafka_message_destroy(read_[i]);
      MILLRACE_TRY(status);
    }
    rd_kafka_poll(producer_.get(), 0);
    return {};
  }

  Status close() {
    rd_kafka_flush(producer_.get(), kFlushTimeoutMs);
    queue_.reset();
    rd_kafka_consumer_close(consumer_.get());
    if (lost_ == 0) return {};
    return fail(ErrorCode::kIo, "records not delivered: " + std::to_string(lost_));
  }

 private:
  Status pass_on(std::span<rd_kafka_message_t*> messages) {
    written_.clear();
    for (const auto* message : messages) {
      if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) continue;
      if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return fail(ErrorCode::kIo, rd_kafka_message_errstr(message));
      }
      if (is_dropped({static_cast<const char*>(message->payload), message->len})) continue;
      auto& copy = written_.emplace_back();
      copy.payload = message->payload;
      copy.len = message->len;
      copy.key = message->key;
      copy.key_len = message->key_len;
      copy.partition = message->partition;
    }
    return produce(written_);
  }

  // Until the producer's queue has taken all; it fills up when the broker is the slower one.
  Status produce(std::vector<rd_kafka_message_t>& messages) {
    while (!messages.empty()) {
      const auto taken = rd_kafka_produce_batch(topic_.get(), RD_KAFKA_PARTITION_UA,
                                                RD_KAFKA_MSG_F_COPY | RD_KAFKA_MSG_F_PARTITION,
                                                messages.data(), static_cast<int>(messages.size()));
      if (taken == static_cast<int>(messages.size())) return {};
      MILLRACE_TRY(keep_refused(messages));
      rd_kafka_poll(producer_.get(), 1);
    }
    return {};
  }

  static Status keep_refused(std::vector<rd_kafka_message_t>& messages) {
    std::erase_if(messages,
                  [](const auto& message) { return message.err == RD_KAFKA_RESP_ERR_NO_ERROR; });
    for (auto& message : messages) {
      if (message.err != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
        return fail(ErrorCode::kIo, rd_kafka_err2str(message.err));
      }
      message.err = RD_KAFKA_RESP_ERR_NO_ERROR;
    }
    return {};
  }

  std::uint64_t lost_ = 0;
  KafkaClient producer_;
  KafkaTopic topic_;
  KafkaClient consumer_;
  KafkaQueue queue_;
  std::array<rd_kafka_message_t*, kBatchMax> read_{};
  std::vector<rd_kafka_message_t> written_;
};

}  // namespace

Status run_kafka_forwarder(const Settings& settings) {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);

  Forwarder forwarder;
  MILLRACE_TRY(forwarder.open(settings));
  std::fputs("ready: bare forwarder\n", stderr);
  while (is_asked_to_stop == 0) MILLRACE_TRY(forwarder.step());
  return forwarder.close();
}

}  // namespace millrace::bench
