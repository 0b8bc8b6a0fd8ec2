#pragma once

#include "millrace/error.hpp"

#include "stream/source.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::connectors {

class KafkaClient;

/// Where the user wants a query to begin: one word for all partitions, or one number for each.
struct KafkaStart {
  static constexpr std::int64_t kLatest = -1;
  static constexpr std::int64_t kEarliest = -2;

  std::int64_t everywhere = kLatest;  ///< kLatest or kEarliest, where `offsets` is empty
  /// topic -> partition -> offset, kLatest or kEarliest.
  std::map<std::string, std::map<std::int32_t, std::int64_t>> offsets;

  friend bool operator==(const KafkaStart&, const KafkaStart&) = default;
};

/// Reads starting_offsets: earliest, latest, or {"topic":{"0":12,"1":-2}} (-1 latest, -2 earliest).
[[nodiscard]] Result<KafkaStart> parse_kafka_start(std::string_view text);

/// The wanted offset of each partition. Offsets given one by one must name exactly these.
[[nodiscard]] Result<std::vector<std::int64_t>> wanted_offsets(
    const KafkaStart& start, const std::vector<stream::SourcePartition>& partitions);

/// Refuses numbers that lie outside of what their partitions hold, naming what they hold. Blocks.
[[nodiscard]] Status check_offsets(const KafkaClient& client,
                                   const std::vector<stream::SourcePartition>& partitions,
                                   const std::vector<std::int64_t>& wanted);

/// Turns kLatest and kEarliest into offsets by asking the brokers, all partitions at once; other
/// numbers stay. Read_committed clients get the end of what is committed. Blocks.
[[nodiscard]] Result<stream::Positions> resolve_offsets(
    const KafkaClient& client, const std::vector<stream::SourcePartition>& partitions,
    const std::vector<std::int64_t>& wanted);

}  // namespace millrace::connectors
