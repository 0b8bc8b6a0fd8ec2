#include "connectors/kafka_topic_limit.hpp"

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>

namespace millrace::connectors {
namespace {

constexpr int kAnswerWaitMsMax = 2'000;
constexpr std::string_view kSetting = "max.message.bytes";

struct Deleter {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
  void operator()(rd_kafka_event_t* event) const { rd_kafka_event_destroy(event); }
  void operator()(rd_kafka_AdminOptions_t* options) const {
    rd_kafka_AdminOptions_destroy(options);
  }
  void operator()(rd_kafka_ConfigResource_t* resource) const {
    rd_kafka_ConfigResource_destroy(resource);
  }
};
template <typename T>
using Owned = std::unique_ptr<T, Deleter>;

std::optional<std::int64_t> limit_in(const rd_kafka_ConfigResource_t* resource) {
  if (rd_kafka_ConfigResource_error(resource) != RD_KAFKA_RESP_ERR_NO_ERROR) return std::nullopt;
  std::size_t count = 0;
  const auto** entries = rd_kafka_ConfigResource_configs(resource, &count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* value = rd_kafka_ConfigEntry_value(entries[i]);
    if (kSetting != rd_kafka_ConfigEntry_name(entries[i]) || value == nullptr) continue;
    const std::string_view text(value);
    std::int64_t limit = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), limit).ec == std::errc())
      return limit;
  }
  return std::nullopt;
}

// The library's own mock cluster does not know the request, and the library would wait for a broker
// that does until time is up.
bool can_be_asked(rd_kafka_t* handle) {
  constexpr std::string_view kMock = "mockCluster";
  char* const id = rd_kafka_clusterid(handle, 0);
  if (id == nullptr) return true;
  const bool is_mock = std::string_view(id).starts_with(kMock);
  rd_kafka_mem_free(handle, id);
  return !is_mock;
}

Owned<rd_kafka_event_t> ask(rd_kafka_t* handle, const std::vector<std::string>& topics) {
  std::vector<Owned<rd_kafka_ConfigResource_t>> resources;
  std::vector<rd_kafka_ConfigResource_t*> asked;
  for (const std::string& topic : topics) {
    resources.emplace_back(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str()));
    asked.push_back(resources.back().get());
  }
  const Owned<rd_kafka_queue_t> queue(rd_kafka_queue_new(handle));
  const Owned<rd_kafka_AdminOptions_t> options(
      rd_kafka_AdminOptions_new(handle, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS));
  std::array<char, 256> reason{};
  rd_kafka_AdminOptions_set_request_timeout(options.get(), kAnswerWaitMsMax, reason.data(),
                                            reason.size());
  rd_kafka_DescribeConfigs(handle, asked.data(), asked.size(), options.get(), queue.get());
  return Owned<rd_kafka_event_t>(rd_kafka_queue_poll(queue.get(), kAnswerWaitMsMax));
}

}  // namespace

std::map<std::string, std::int64_t> fetch_kafka_topic_limits(
    const KafkaClient& client, const std::vector<std::string>& topics) {
  std::map<std::string, std::int64_t> limits;
  if (topics.empty() || !can_be_asked(client.handle())) return limits;
  const auto event = ask(client.handle(), topics);
  if (!event) return limits;
  const auto* result = rd_kafka_event_DescribeConfigs_result(event.get());
  if (result == nullptr) return limits;
  std::size_t count = 0;
  const auto** resources = rd_kafka_DescribeConfigs_result_resources(result, &count);
  for (std::size_t i = 0; i < count; ++i)
    if (const auto limit = limit_in(resources[i]))
      limits[rd_kafka_ConfigResource_name(resources[i])] = *limit;
  return limits;
}

}  // namespace millrace::connectors
