#include "connectors/kafka_offsets.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace millrace::fuzz {

// starting_offsets as a user writes it.
void run_kafka_offsets(std::string_view input) {
  const auto start = connectors::parse_kafka_start(input);
  if (!start) return require_readable(start.error());
  require(connectors::parse_kafka_start(input) == *start, "read twice, the same");
  std::vector<stream::SourcePartition> partitions;
  for (const auto& [topic, offsets] : start->offsets)
    for (const auto& [partition, offset] : offsets) {
      require(partition >= 0 && offset >= connectors::KafkaStart::kEarliest,
              "a partition and an offset that can be");
      partitions.push_back({topic + "-" + std::to_string(partition), topic, partition});
    }
  const auto wanted = connectors::wanted_offsets(*start, partitions);
  require(wanted && wanted->size() == partitions.size(), "each partition gets its offset");
}

}  // namespace millrace::fuzz
