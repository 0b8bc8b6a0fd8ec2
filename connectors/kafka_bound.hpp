#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include "stream/source.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::connectors {

/// Where one partition is to begin or to end: an offset, or kLatest or kEarliest; or the first
/// record of a time.
struct KafkaPoint {
  static constexpr std::int64_t kLatest = -1;
  static constexpr std::int64_t kEarliest = -2;

  std::int64_t value = kLatest;
  bool is_time = false;  ///< then `value` is in ms since 1970, not negative

  friend bool operator==(const KafkaPoint&, const KafkaPoint&) = default;
};

/// Where the user wants a query to begin, or to end: one point for all partitions, or one for each.
/// A plain value.
struct KafkaBound {
  using ByPartition = std::map<std::string, std::map<std::int32_t, KafkaPoint>>;

  std::string option;     ///< the one that said it
  KafkaPoint everywhere;  ///< where `points` is empty
  ByPartition points;     ///< topic -> partition -> point
  /// What a time means that lies behind every record: the end, or an error.
  bool takes_end_for_later = false;

  friend bool operator==(const KafkaBound&, const KafkaBound&) = default;
};

/// Reads, in this order, the first that is given counts:
///   starting_timestamp             ms since 1970
///   starting_offsets_by_timestamp  {"topic":{"0":1700000000123}}
///   starting_offsets               earliest, latest, {"topic":{"0":12,"1":-2}} (-1 latest, -2
///                                  earliest); latest when none is given
/// and starting_offsets_by_timestamp_strategy: error or latest. A wrong one is refused even when it
/// does not count.
[[nodiscard]] Result<KafkaBound> read_kafka_start(const Options& options);

/// Where a query ends by itself; nothing when it reads on until it is stopped. The same with
/// `ending_` before it, and neither earliest nor a strategy: a time behind every record is the end.
[[nodiscard]] Result<std::optional<KafkaBound>> read_kafka_end(const Options& options);

/// The wanted point of each partition. Points given one by one must name exactly these.
[[nodiscard]] Result<std::vector<KafkaPoint>> wanted_points(
    const KafkaBound& start, const std::vector<stream::SourcePartition>& partitions);

}  // namespace millrace::connectors
