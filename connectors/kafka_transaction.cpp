#include "connectors/kafka_transaction.hpp"

#include "connectors/kafka_client.hpp"

#include <fmt/format.h>

#include <memory>

namespace millrace::connectors {
namespace {

using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t,
                                      decltype(&rd_kafka_topic_partition_list_destroy)>;
using GroupMetadata = std::unique_ptr<rd_kafka_consumer_group_metadata_t,
                                      decltype(&rd_kafka_consumer_group_metadata_destroy)>;
using ErrorHolder = std::unique_ptr<rd_kafka_error_t, decltype(&rd_kafka_error_destroy)>;

// A call waits so long at a time: between two it looks whether it shall give up.
constexpr int kWaitMs = 500;

PartitionList one_partition(const KafkaMark& mark) {
  PartitionList list(rd_kafka_topic_partition_list_new(1), &rd_kafka_topic_partition_list_destroy);
  rd_kafka_topic_partition_list_add(list.get(), mark.topic.c_str(), mark.partition);
  return list;
}

bool is_fenced(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR__FENCED || code == RD_KAFKA_RESP_ERR_PRODUCER_FENCED ||
         code == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH ||
         code == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_ID_MAPPING;
}

}  // namespace

template <typename Call>
Status KafkaTransaction::wait_for(std::string_view doing, Call call) {
  for (;;) {
    const ErrorHolder error(call(), &rd_kafka_error_destroy);
    if (!error) return {};
    const rd_kafka_resp_err_t code = rd_kafka_error_code(error.get());
    const bool may_help =
        rd_kafka_error_is_retriable(error.get()) != 0 || code == RD_KAFKA_RESP_ERR__TIMED_OUT;
    if (!may_help) return fail(explain(code, doing, rd_kafka_error_string(error.get())));
    if (has_given_up_.load() || cancelled_.stop_requested()) {
      return fail(ErrorCode::kCancelled,
                  fmt::format("transactional id {}: stopped while waiting to {}: {}", id_, doing,
                              rd_kafka_error_string(error.get())));
    }
  }
}

Status KafkaTransaction::init() {
  return wait_for("take over its transactions",
                  [this] { return rd_kafka_init_transactions(handle_, kWaitMs); });
}

Status KafkaTransaction::begin() {
  return wait_for("begin a transaction", [this] { return rd_kafka_begin_transaction(handle_); });
}

Status KafkaTransaction::send_mark(const KafkaMark& mark) {
  const PartitionList offsets = one_partition(mark);
  rd_kafka_topic_partition_t& element = offsets->elems[0];
  element.offset = mark.offset;
  // The list owns it, and gives it back by free.
  element.metadata = strndup(mark.text.data(), mark.text.size());
  element.metadata_size = mark.text.size();
  const GroupMetadata group(rd_kafka_consumer_group_metadata_new(mark.group.c_str()),
                            &rd_kafka_consumer_group_metadata_destroy);
  return wait_for("send the mark of a transaction", [&] {
    return rd_kafka_send_offsets_to_transaction(handle_, offsets.get(), group.get(), kWaitMs);
  });
}

Status KafkaTransaction::commit() {
  return wait_for("commit a transaction",
                  [this] { return rd_kafka_commit_transaction(handle_, kWaitMs); });
}

void KafkaTransaction::abort() {
  constexpr int kPatienceMs = 2000;
  const ErrorHolder error(rd_kafka_abort_transaction(handle_, kPatienceMs),
                          &rd_kafka_error_destroy);
}

bool KafkaTransaction::is_over_time() const {
  const std::int64_t begun = begun_.load();
  if (begun == 0) return false;
  const std::chrono::steady_clock::duration age(
      std::chrono::steady_clock::now().time_since_epoch().count() - begun);
  return age >= timeout_;
}

Error KafkaTransaction::explain(rd_kafka_resp_err_t code, std::string_view doing,
                                std::string_view reason) const {
  if (code == RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT) {
    return {ErrorCode::kInvalidArgument,
            fmt::format("kafka.transaction.timeout.ms is {}, more than the brokers allow "
                        "(transaction.max.timeout.ms): set it lower, or that higher",
                        timeout_.count())};
  }
  if (is_fenced(code) && !is_over_time()) {
    return {ErrorCode::kConflict,
            fmt::format("transactional id {}: another process has taken over this query's "
                        "transactions (a copy of its checkpoint is in use): cannot {}: {}",
                        id_, doing, reason)};
  }
  if (is_fenced(code)) {
    return {
        ErrorCode::kUnavailable,
        fmt::format("transactional id {}: an epoch took longer than kafka.transaction.timeout.ms"
                    " = {}, and the brokers have aborted it: cannot {}; it runs again at the "
                    "next start",
                    id_, timeout_.count(), doing)};
  }
  return {ErrorCode::kUnavailable, fmt::format("transactional id {}: cannot {}: {}; the epoch is "
                                               "decided, or runs again, at the next start",
                                               id_, doing, reason)};
}

Result<std::optional<std::string>> read_kafka_mark(const KafkaClient& client,
                                                   const KafkaMark& place) {
  for (;;) {
    const PartitionList list = one_partition(place);
    rd_kafka_resp_err_t error = rd_kafka_committed(client.handle(), list.get(), kWaitMs);
    const rd_kafka_topic_partition_t& found = list->elems[0];
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) error = found.err;
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      if (found.offset < 0) return std::optional<std::string>();
      return std::optional<std::string>(std::in_place, static_cast<const char*>(found.metadata),
                                        found.metadata_size);
    }
    if (error == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED ||
        error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: the mark of group {} on topic {} may not be read: {}",
                              client.owner(), place.group, place.topic, rd_kafka_err2str(error)));
    }
    MILLRACE_TRY(client.wait_a_moment());
  }
}

}  // namespace millrace::connectors
