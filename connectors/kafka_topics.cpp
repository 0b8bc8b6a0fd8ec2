#include "connectors/kafka_topics.hpp"

#include "millrace/options.hpp"

#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <thread>

namespace millrace::connectors {
namespace {

constexpr int kAdminWaitMsMax = 15'000;
constexpr std::chrono::seconds kAppearWaitMax(15);

bool is_away(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__TRANSPORT || error == RD_KAFKA_RESP_ERR__TIMED_OUT ||
         error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || error == RD_KAFKA_RESP_ERR__RESOLVE;
}

// The broker's answer to one topic's creation: the first error in the event or its results.
Status creation_outcome(rd_kafka_event_t* event, const std::string& topic) {
  if (event == nullptr) {
    return fail(ErrorCode::kUnavailable, "no broker answered the request to create topic " + topic);
  }
  auto error = rd_kafka_event_error(event);
  std::string reason = rd_kafka_event_error_string(event);
  std::size_t count = 0;
  if (const auto* result = rd_kafka_event_CreateTopics_result(event)) {
    const auto** topics = rd_kafka_CreateTopics_result_topics(result, &count);
    for (std::size_t i = 0; i < count && error == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
      error = rd_kafka_topic_result_error(topics[i]);
      const char* text = rd_kafka_topic_result_error_string(topics[i]);
      if (text != nullptr) reason = text;
    }
  }
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR || error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("topic {} cannot be created: {}", topic, reason));
}

Status request_creation(rd_kafka_t* handle, const std::string& topic, std::int32_t partitions) {
  std::array<char, 512> reason{};
  rd_kafka_NewTopic_t* request =
      rd_kafka_NewTopic_new(topic.c_str(), partitions, -1, reason.data(), reason.size());
  if (request == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("topic {} cannot be created: {}", topic, reason.data()));
  }
  const std::unique_ptr<rd_kafka_queue_t, void (*)(rd_kafka_queue_t*)> queue(
      rd_kafka_queue_new(handle), &rd_kafka_queue_destroy);
  rd_kafka_CreateTopics(handle, &request, 1, nullptr, queue.get());
  rd_kafka_NewTopic_destroy(request);
  rd_kafka_event_t* event = rd_kafka_queue_poll(queue.get(), kAdminWaitMsMax);
  auto outcome = creation_outcome(event, topic);
  if (event != nullptr) rd_kafka_event_destroy(event);
  return outcome;
}

}  // namespace

std::string topic_name_problem(std::string_view name) {
  constexpr std::size_t kLengthMax = 249;
  const auto is_plain = [](char sign) {
    const char lower = stream::lower_letter(sign);
    return (lower >= 'a' && lower <= 'z') || stream::is_digit(sign) || sign == '.' || sign == '_' ||
           sign == '-';
  };
  if (name.empty()) return "an empty text is no name of a topic";
  const std::string shown(name.substr(0, kLengthMax));
  if (name == "." || name == ".." || !std::ranges::all_of(name, is_plain))
    return fmt::format("'{}' is no name of a topic: it may have letters, digits, '.', '_' and '-'",
                       shown);
  if (name.size() <= kLengthMax) return "";
  return fmt::format("'{}...' is no name of a topic: it has {} bytes, at most {} are allowed",
                     shown, name.size(), kLengthMax);
}

Status KafkaTopics::refresh(std::chrono::milliseconds wait_max) {
  // A cluster that is away is waited for, here as in a running query: the client tries again with
  // back-off and says so once. In slices, so that a start can be called off.
  constexpr int kSliceMs = 200;
  constexpr int kSilentMs = 1'000;
  constexpr std::chrono::seconds kLong(2);
  constexpr std::chrono::seconds kLongAgain(10);
  const auto begin = std::chrono::steady_clock::now();
  auto long_after = begin + kLong;
  const rd_kafka_metadata_t* metadata = nullptr;
  for (;;) {
    const auto error = rd_kafka_metadata(client_.handle(), 1, nullptr, &metadata, kSliceMs);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) break;
    if (!is_away(error))
      return fail(client_.unreachable("list the topics", rd_kafka_err2str(error)));
    MILLRACE_TRY(client_.check_not_refused());
    const auto now = std::chrono::steady_clock::now();
    const auto waited = now - begin;
    if (waited > wait_max)
      return fail(client_.unreachable("list the topics", rd_kafka_err2str(error)));
    if (waited > std::chrono::milliseconds(kSilentMs)) client_.note_silence();
    if (now > long_after) {
      MILLRACE_TRY(client_.check_not_refused_for_long());
      long_after = now + kLongAgain;
    }
    MILLRACE_TRY(client_.wait_a_moment());
  }
  partitions_.clear();
  for (int i = 0; i < metadata->topic_cnt; ++i) {
    const auto& topic = metadata->topics[i];
    if (topic.err == RD_KAFKA_RESP_ERR_NO_ERROR) partitions_[topic.topic] = topic.partition_cnt;
  }
  rd_kafka_metadata_destroy(metadata);
  return {};
}

Result<std::int32_t> KafkaTopics::partitions_of(const std::string& topic) const {
  const auto found = partitions_.find(topic);
  if (found == partitions_.end()) return fail(missing(topic));
  return found->second;
}

std::vector<std::string> KafkaTopics::names() const {
  std::vector<std::string> names;
  for (const auto& [name, partitions] : partitions_) {
    if (!name.starts_with("__")) names.push_back(name);
  }
  return names;
}

const std::string& KafkaTopics::owner() const { return client_.owner(); }

Error KafkaTopics::missing(const std::string& topic) const {
  const auto there = names();
  const auto nearest =
      nearest_name(topic, std::vector<std::string_view>(there.begin(), there.end()));
  return {ErrorCode::kNotFound,
          fmt::format("{}: topic not found at {}: {}{}", owner(), client_.watch().bootstrap(),
                      topic, nearest ? " (the nearest is " + *nearest + ")" : "")};
}

Status KafkaTopics::create(const std::string& topic, std::int32_t partitions) {
  if (const Status made = request_creation(client_.handle(), topic, partitions); !made)
    return fail(made.error().code, fmt::format("{}: {}", owner(), made.error().message));
  constexpr std::chrono::milliseconds kStep(20);
  const auto begin = std::chrono::steady_clock::now();
  do {
    MILLRACE_TRY(refresh(kAppearWaitMax));
    if (has(topic)) return {};
    std::this_thread::sleep_for(kStep);
  } while (std::chrono::steady_clock::now() - begin < kAppearWaitMax);
  return fail(ErrorCode::kUnavailable,
              fmt::format("{}: topic {} was created and does not appear", owner(), topic));
}

}  // namespace millrace::connectors
