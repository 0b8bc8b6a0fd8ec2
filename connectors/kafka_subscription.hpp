#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include "stream/source.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace millrace::connectors {

class KafkaTopics;

/// Which partitions a source reads, as one of four options says: `topic`, `subscribe` (a list of
/// topics), `subscribe_pattern` (a regular expression that a topic's whole name must match), or
/// `assign` (partitions one by one: {"clicks":[0,2]}). A plain value.
class KafkaSubscription {
 public:
  /// Refuses none of them, more than one, and what they cannot mean.
  [[nodiscard]] static Result<KafkaSubscription> parse(const Options& options);

  /// The partitions there are, as of the topics' last refresh. A topic or partition that is named
  /// and not there, and a pattern that nothing matches, is kNotFound.
  [[nodiscard]] Result<std::vector<stream::SourcePartition>> partitions(
      const KafkaTopics& topics) const;
  /// Whether more partitions may come by themselves.
  [[nodiscard]] bool may_grow() const { return assigned_.empty(); }

 private:
  [[nodiscard]] Result<std::vector<std::string>> matching(const KafkaTopics& topics) const;
  [[nodiscard]] Result<std::vector<stream::SourcePartition>> assigned(
      const KafkaTopics& topics) const;

  std::vector<std::string> names_;
  std::string pattern_;
  std::map<std::string, std::set<std::int32_t>> assigned_;
};

}  // namespace millrace::connectors
