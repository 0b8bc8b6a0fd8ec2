#include "connectors/kafka_subscription.hpp"

#include "connectors/kafka_topics.hpp"
#include "formats/json_document.hpp"
#include "stream/functions/regular_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace millrace::connectors {
namespace {

using formats::JsonValue;
using stream::RegularExpression;
using stream::SourcePartition;

constexpr std::array<std::string_view, 4> kWays = {"topic", "subscribe", "subscribe_pattern",
                                                   "assign"};

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    auto name = text.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

tl::unexpected<Error> refuse_assign(std::string_view text) {
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("option assign must be {{\"topic\":[0,1]}}, partitions of each topic, not "
                  "{}",
                  text));
}

// Reads [0,2].
bool read_numbers(const JsonValue& array, std::set<std::int32_t>& numbers) {
  if (!array.is_array() || array.size() == 0) return false;
  for (const auto& number : array.as_array()) {
    if (!number.is_integer() || number.as_integer() < 0 || number.as_integer() > INT32_MAX) {
      return false;
    }
    numbers.insert(static_cast<std::int32_t>(number.as_integer()));
  }
  return true;
}

SourcePartition partition_of(const std::string& topic, std::int32_t number) {
  return {fmt::format("{}-{}", topic, number), topic, number};
}

}  // namespace

Result<KafkaSubscription> KafkaSubscription::parse(const Options& options) {
  std::vector<std::string_view> given;
  std::ranges::copy_if(kWays, std::back_inserter(given),
                       [&](std::string_view way) { return options.has(way); });
  if (given.size() != 1) {
    return fail(ErrorCode::kInvalidArgument,
                given.empty() ? "a kafka source needs one of the options topic, subscribe, "
                                "subscribe_pattern and assign"
                              : fmt::format("a kafka source takes one of the options {}, not {} of "
                                            "them",
                                            fmt::join(given, " and "), given.size()));
  }
  KafkaSubscription subscription;
  const std::string_view way = given.front();
  const std::string text = options.get_or(way, "");
  if (way == "topic") subscription.names_ = {text};
  if (way == "subscribe") subscription.names_ = split_names(text);
  if (way == "subscribe_pattern") subscription.pattern_ = text;
  if (way == "assign") {
    const auto document = JsonValue::parse(text);
    if (!document || !document->is_object() || document->size() == 0) return refuse_assign(text);
    for (const auto& [topic, numbers] : document->as_object()) {
      if (!read_numbers(numbers, subscription.assigned_[topic])) return refuse_assign(text);
    }
    return subscription;
  }
  const bool is_empty = subscription.pattern_.empty() &&
                        (subscription.names_.empty() || subscription.names_.front().empty());
  if (is_empty) return fail(ErrorCode::kInvalidArgument, fmt::format("option {} is empty", way));
  if (!subscription.pattern_.empty()) {
    const auto compiled = RegularExpression::compile(subscription.pattern_);
    if (!compiled)
      return fail(compiled.error().code, "option subscribe_pattern: " + compiled.error().message);
  }
  return subscription;
}

Result<std::vector<SourcePartition>> KafkaSubscription::partitions(
    const KafkaTopics& topics) const {
  if (!assigned_.empty()) return assigned(topics);
  auto names = names_;
  if (!pattern_.empty()) {
    MILLRACE_ASSIGN(names, matching(topics));
  }
  std::vector<SourcePartition> result;
  for (const auto& name : names) {
    MILLRACE_ASSIGN(const auto count, topics.partitions_of(name));
    for (std::int32_t number = 0; number < count; ++number) {
      result.push_back(partition_of(name, number));
    }
  }
  return result;
}

Result<std::vector<std::string>> KafkaSubscription::matching(const KafkaTopics& topics) const {
  MILLRACE_ASSIGN(const auto pattern, RegularExpression::compile(pattern_));
  auto names = topics.names();
  std::erase_if(names, [&](const std::string& name) { return !pattern.matches_whole(name); });
  if (!names.empty()) return names;
  return fail(
      ErrorCode::kNotFound,
      fmt::format("{}: no topic matches subscribe_pattern = '{}'; it must match a topic's whole "
                  "name",
                  topics.owner(), pattern_));
}

Result<std::vector<SourcePartition>> KafkaSubscription::assigned(const KafkaTopics& topics) const {
  std::vector<SourcePartition> result;
  for (const auto& [topic, numbers] : assigned_) {
    MILLRACE_ASSIGN(const auto count, topics.partitions_of(topic));
    for (const auto number : numbers) {
      if (number >= count) {
        return fail(ErrorCode::kNotFound,
                    fmt::format("{}: option assign names topic {}, partition {}; the topic has {} "
                                "of them, from 0 on",
                                topics.owner(), topic, number, count));
      }
      result.push_back(partition_of(topic, number));
    }
  }
  return result;
}

}  // namespace millrace::connectors
