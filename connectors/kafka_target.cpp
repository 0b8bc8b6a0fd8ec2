#include "connectors/kafka_target.hpp"

#include "connectors/kafka_record_size.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace millrace::connectors {
namespace {

// The task stands still for as long: a broker that is away longer ends the query.
constexpr std::chrono::seconds kWaitMax(30);
constexpr const char* kNoAnswer =
    "no broker has said within 30 seconds whether it takes a record that may be too large";

}  // namespace

std::int64_t kafka_batch_size(const rd_kafka_message_t& message) {
  std::int64_t headers = 0;
  std::size_t count = 0;
  rd_kafka_headers_t* all = nullptr;
  if (rd_kafka_message_headers(&message, &all) == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (; rd_kafka_header_get_all(all, count, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++count)
      headers += kafka_field_size(static_cast<std::int64_t>(std::strlen(name))) +
                 kafka_field_size(static_cast<std::int64_t>(size));
  }
  return kafka_record_size(static_cast<std::int64_t>(message.key_len),
                           static_cast<std::int64_t>(message.len), static_cast<std::int64_t>(count),
                           headers);
}

KafkaTarget::KafkaTarget(const KafkaClient& client, const std::string& name,
                         rd_kafka_topic_conf_t* conf, std::int32_t partitions,
                         std::int64_t record_bytes_max)
    : handle_(nullptr), partitions_(partitions), record_bytes_max_(record_bytes_max) {
  rd_kafka_topic_conf_set_opaque(conf, this);
  handle_ = rd_kafka_topic_new(client.handle(), name.c_str(), conf);
  if (handle_ == nullptr) rd_kafka_topic_conf_destroy(conf);
}

void KafkaTarget::close() {
  if (handle_ != nullptr) rd_kafka_topic_destroy(std::exchange(handle_, nullptr));
}

bool KafkaTarget::is_doubtful(const rd_kafka_message_t& message) {
  auto& is_sure = is_sure_[std::clamp(message.partition, 0, kPartitionsMax - 1)];
  if (is_sure.load(std::memory_order_relaxed)) [[likely]]
    return false;
  if (message.offset < 0) return true;
  is_sure.store(true, std::memory_order_relaxed);
  return false;
}

Status KafkaTarget::await_room(std::int64_t bytes, std::int64_t bytes_max) {
  std::unique_lock lock(mutex_);
  const bool is_there = arrived_.wait_for(lock, kWaitMax, [&] {
    const std::int64_t before = on_their_way_.load();
    return before == 0 || before + bytes <= bytes_max;
  });
  return is_there ? Status() : fail(ErrorCode::kUnavailable, kNoAnswer);
}

void KafkaTarget::arrive(std::int64_t bytes) {
  on_their_way_.fetch_sub(bytes);
  const std::lock_guard lock(mutex_);
  arrived_.notify_all();
}

void KafkaTarget::settle(rd_kafka_resp_err_t outcome) {
  const std::lock_guard lock(mutex_);
  outcome_ = outcome;
  arrived_.notify_all();
}

Result<rd_kafka_resp_err_t> KafkaTarget::await_outcome() {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, kWaitMax, [this] { return outcome_.has_value(); }))
    return fail(ErrorCode::kUnavailable, kNoAnswer);
  return *std::exchange(outcome_, std::nullopt);
}

// Offsets go up. A record that the broker took for a copy has none: one behind it tells.
void KafkaTarget::note_end(const rd_kafka_message_t& message) {
  if (message.offset < 0 || message.partition < 0) return;
  const auto place = std::min(message.partition, kPartitionsMax - 1);
  ends_[static_cast<std::size_t>(place)].store(message.offset + 1, std::memory_order_release);
}

std::map<std::int32_t, std::int64_t> KafkaTarget::acknowledged_ends(std::int32_t partitions) const {
  std::map<std::int32_t, std::int64_t> ends;
  // The last place is shared, so that nobody knows whose end it holds.
  for (std::int32_t number = 0; number < std::min(partitions, kPartitionsMax - 1); ++number)
    ends[number] = ends_[static_cast<std::size_t>(number)].load(std::memory_order_acquire);
  return ends;
}

}  // namespace millrace::connectors
