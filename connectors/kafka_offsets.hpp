#pragma once

#include "millrace/error.hpp"

#include "connectors/kafka_bound.hpp"
#include "stream/source.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::connectors {

class KafkaClient;

/// What one partition holds: the offset of its first record, and of the next one to come.
struct KafkaRange {
  std::int64_t first = 0;
  std::int64_t end = 0;

  [[nodiscard]] bool takes(std::int64_t position) const {
    return position >= first && position <= end;
  }
};

/// Says which records are lost to who stands at a position that its partition does not hold, and
/// how to go on all the same.
[[nodiscard]] Error lost_records(std::string_view label, std::int64_t position,
                                 const KafkaRange& range);
/// The first half alone, for who goes on.
[[nodiscard]] std::string described_loss(std::string_view label, std::int64_t position,
                                         const KafkaRange& range);

/// What each partition holds, in their order; all are asked at once. A client that reads committed
/// records only gets the end of what is committed. Blocks.
[[nodiscard]] Result<std::vector<KafkaRange>> ranges_of(
    const KafkaClient& client, const std::vector<stream::SourcePartition>& partitions);

/// Turns the same point of all partitions, kLatest or kEarliest, into offsets. Blocks.
[[nodiscard]] Result<stream::Positions> resolve_everywhere(
    const KafkaClient& client, const std::vector<stream::SourcePartition>& partitions,
    std::int64_t where, std::chrono::milliseconds wait_max = std::chrono::seconds(30));

/// Turns the points where a query begins into offsets by asking the brokers, all partitions at
/// once. An offset that its partition does not hold, and a time later than every record (unless
/// the start takes the end for it), is refused. Blocks.
[[nodiscard]] Result<stream::Positions> resolve_start(
    const KafkaClient& client, const std::vector<stream::SourcePartition>& partitions,
    const KafkaBound& start);

/// Turns the points where a query ends into offsets: of the first record that is not read any more.
/// One that is not there yet is waited for by who reads. Blocks.
[[nodiscard]] Result<stream::Positions> resolve_end(
    const KafkaClient& client, const std::vector<stream::SourcePartition>& partitions,
    const KafkaBound& end);

}  // namespace millrace::connectors
