#include "tests/hot_path/kafka_calls.hpp"

#include "operators/chain.hpp"
#include "tests/hot_path/call_counter.hpp"

#include <librdkafka/rdkafka.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

// The engine's calls into the Kafka client, by name: the linker sends each to its __wrap_ twin
// here. Reading gives prepared records; producing takes them and lets another thread acknowledge,
// as the client does.

namespace millrace::hot_path {

namespace {

constexpr std::size_t kRing = 1 << 16;  // above what the sink lets be in flight

using Acknowledge = rd_kafka_resp_err_t (*)(rd_kafka_t*, rd_kafka_message_t*, void*);

struct Calls {
  Feed feed;
  rd_kafka_topic_t* topic = nullptr;  ///< that the reader reads
  std::array<rd_kafka_message_t, 1024> messages{};
  std::atomic<std::int64_t> given{0};
  std::atomic<std::int64_t> produced{0};
  std::int64_t action_at = -1;
  void (*action)() = nullptr;

  Acknowledge acknowledge = nullptr;
  void* opaque = nullptr;
  struct Taken {
    rd_kafka_topic_t* topic;
    void* word;
    std::size_t key_bytes;
    std::size_t value_bytes;
  };
  std::array<Taken, kRing> ring{};
  std::atomic<std::int64_t> taken{0};
  std::atomic<bool> stopping{false};
  std::thread acknowledger;
};

Calls& calls() {
  static Calls the_calls;
  return the_calls;
}

void acknowledge_all() {
  Calls& self = calls();
  while (!self.stopping.load()) {
    const std::int64_t done = self.produced.load();
    if (done == self.taken.load(std::memory_order_acquire)) {
      std::this_thread::yield();
      continue;
    }
    const Calls::Taken& taken = self.ring[static_cast<std::size_t>(done) % kRing];
    rd_kafka_message_t message{};
    message.rkt = taken.topic;
    message._private = taken.word;
    message.key_len = taken.key_bytes;
    message.len = taken.value_bytes;
    self.acknowledge(nullptr, &message, self.opaque);
    self.produced.store(done + 1);
  }
}

}  // namespace

void begin_feed(Feed feed) {
  Calls& self = calls();
  self.feed = std::move(feed);
  self.given = 0;
  self.produced = 0;
  self.taken = 0;
  self.stopping = false;
  self.acknowledger = std::thread(acknowledge_all);
}

void end_feed() {
  calls().stopping = true;
  calls().acknowledger.join();
}

std::int64_t records_given() { return calls().given.load(); }
std::int64_t records_produced() { return calls().produced.load(); }

void at_record(std::int64_t record, void (*action)()) {
  calls().action_at = record;
  calls().action = action;
}

}  // namespace millrace::hot_path

using millrace::hot_path::calls;
using millrace::hot_path::ClientCall;

extern "C" {

ssize_t __wrap_rd_kafka_consume_batch_queue(rd_kafka_queue_t*, int, rd_kafka_message_t** messages,
                                            size_t size) {
  const ClientCall inside;
  auto& self = calls();
  const std::int64_t given = self.given.load();
  const auto rows =
      std::min({self.feed.rows_per_call, self.feed.total - given, static_cast<std::int64_t>(size)});
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::string& value =
        self.feed.values[static_cast<std::size_t>(given + row) % self.feed.values.size()];
    rd_kafka_message_t& message = self.messages[static_cast<std::size_t>(row)];
    static char key[] = "user-1234";
    message = {};
    message.payload = const_cast<char*>(value.data());
    message.len = value.size();
    message.key = (given + row) % 7 == 0 ? nullptr : key;
    message.key_len = message.key == nullptr ? 0 : sizeof(key) - 1;
    message.rkt = self.topic;
    message.offset = given + row;
    messages[row] = &message;
  }
  self.given.store(given + rows);
  if (self.action != nullptr && given < self.action_at && given + rows >= self.action_at)
    self.action();
  return rows;
}

int __wrap_rd_kafka_consume_start_queue(rd_kafka_topic_t* topic, int32_t, int64_t,
                                        rd_kafka_queue_t*) {
  calls().topic = topic;
  return 0;
}
int __wrap_rd_kafka_consume_stop(rd_kafka_topic_t*, int32_t) { return 0; }

void __wrap_rd_kafka_message_destroy(rd_kafka_message_t*) {}

int64_t __wrap_rd_kafka_message_timestamp(const rd_kafka_message_t*,
                                          rd_kafka_timestamp_type_t* type) {
  *type = RD_KAFKA_TIMESTAMP_CREATE_TIME;
  return 1'700'000'000'000;
}

rd_kafka_resp_err_t __wrap_rd_kafka_message_headers(const rd_kafka_message_t* message,
                                                    rd_kafka_headers_t** headers) {
  if (message->offset % 3 == 0) return RD_KAFKA_RESP_ERR__NOENT;
  *headers = reinterpret_cast<rd_kafka_headers_t*>(1);
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

size_t __wrap_rd_kafka_header_cnt(const rd_kafka_headers_t*) { return 2; }

rd_kafka_resp_err_t __wrap_rd_kafka_header_get_all(const rd_kafka_headers_t*, size_t index,
                                                   const char** name, const void** value,
                                                   size_t* size) {
  if (index >= 2) return RD_KAFKA_RESP_ERR__NOENT;
  *name = index == 0 ? "trace" : "empty";
  *value = index == 0 ? "0af7651916cd43dd8448eb211c80319c" : nullptr;
  *size = index == 0 ? 32 : 0;
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_headers_t* __wrap_rd_kafka_headers_new(size_t) {
  return reinterpret_cast<rd_kafka_headers_t*>(1);
}

rd_kafka_resp_err_t __wrap_rd_kafka_header_add(rd_kafka_headers_t*, const char*, ssize_t,
                                               const void*, ssize_t) {
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_error_t* __wrap_rd_kafka_produceva(rd_kafka_t*, const rd_kafka_vu_t* fields,
                                            size_t count) {
  const ClientCall inside;
  auto& self = calls();
  const std::int64_t number = self.taken.load();
  auto& taken = self.ring[static_cast<std::size_t>(number) % self.ring.size()];
  taken = {};
  for (size_t field = 0; field < count; ++field) {
    if (fields[field].vtype == RD_KAFKA_VTYPE_RKT) taken.topic = fields[field].u.rkt;
    if (fields[field].vtype == RD_KAFKA_VTYPE_OPAQUE) taken.word = fields[field].u.ptr;
    if (fields[field].vtype == RD_KAFKA_VTYPE_KEY) taken.key_bytes = fields[field].u.mem.size;
    if (fields[field].vtype == RD_KAFKA_VTYPE_VALUE) taken.value_bytes = fields[field].u.mem.size;
  }
  self.taken.store(number + 1, std::memory_order_release);
  return nullptr;
}

rd_kafka_resp_err_t __wrap_rd_kafka_interceptor_add_on_acknowledgement(
    rd_kafka_t*, const char*, rd_kafka_interceptor_f_on_acknowledgement_t* function, void* opaque) {
  calls().acknowledge = function;
  calls().opaque = opaque;
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

// How the reader wakes the client's fetchers; the client's affair.
rd_kafka_error_t* __real_rd_kafka_sasl_set_credentials(rd_kafka_t*, const char*, const char*);
rd_kafka_error_t* __wrap_rd_kafka_sasl_set_credentials(rd_kafka_t* handle, const char* name,
                                                       const char* password) {
  const ClientCall inside;
  return __real_rd_kafka_sasl_set_credentials(handle, name, password);
}

}  // extern "C"

namespace millrace::operators {

// The hot path ends where the chain has handed the rows of one batch to the client.
Status real_process(Chain* chain, Port port, Batch&& rows) asm(
    "__real__ZN8millrace9operators5Chain7processENS_6StrongINS_7PortTagEiEEONS_5BatchE");
Status wrapped_process(Chain* chain, Port port, Batch&& rows) asm(
    "__wrap__ZN8millrace9operators5Chain7processENS_6StrongINS_7PortTagEiEEONS_5BatchE");

Status wrapped_process(Chain* chain, Port port, Batch&& rows) {
  Status status = real_process(chain, port, std::move(rows));
  hot_path::leave_hot_path();
  return status;
}

}  // namespace millrace::operators
