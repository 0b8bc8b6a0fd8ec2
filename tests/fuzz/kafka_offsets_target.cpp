#include "connectors/kafka_bound.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace millrace::fuzz {
namespace {

using connectors::KafkaPoint;
using connectors::read_kafka_start;

void check_start(std::string_view option, std::string_view value) {
  Options options;
  options.set(option, value);
  const auto start = read_kafka_start(options);
  if (!start) return require_readable(start.error());
  require(read_kafka_start(options) == *start, "read twice, the same");
  std::vector<stream::SourcePartition> partitions;
  for (const auto& [topic, points] : start->points)
    for (const auto& [partition, point] : points) {
      require(partition >= 0, "a partition that can be");
      require(point.value >= (point.is_time ? 0 : KafkaPoint::kEarliest), "a point that can be");
      partitions.push_back({topic + "-" + std::to_string(partition), topic, partition});
    }
  const auto wanted = connectors::wanted_points(*start, partitions);
  require(wanted && wanted->size() == partitions.size(), "each partition gets its point");
}

}  // namespace

// Where to begin, as a user writes it.
void run_kafka_offsets(std::string_view input) {
  for (const char* option :
       {"starting_offsets", "starting_timestamp", "starting_offsets_by_timestamp"})
    check_start(option, input);
}

}  // namespace millrace::fuzz
