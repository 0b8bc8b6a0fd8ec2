#pragma once

#include "connectors/kafka_client.hpp"
#include "formats/record_position.hpp"
#include "operators/resume_ledger.hpp"
#include "stream/replay_filter.hpp"
#include "stream/sink.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace millrace::connectors {

/// A partition that has come since the newest commit: all of it is the tail.
inline constexpr std::int64_t kFromTheBeginning = -1;

/// Which tail of which topic is read, and whose records are looked for.
struct KafkaTailSpec {
  std::string topic;
  /// The first offset of each partition's tail, or kFromTheBeginning.
  std::map<std::int32_t, std::int64_t> from;
  std::array<std::uint8_t, 16> checkpoint{};
  std::uint32_t generation = 0;
  /// What a dead process sent may still be on its way: how long nothing more of it must come.
  std::chrono::milliseconds settle{};
  bool goes_on_without = false;  ///< when the beginning of a tail is gone, with a line that says so
};

/// Reads the tails to their ends, records of open transactions included, and gives the newest
/// records of this checkpoint's generation; all others are passed over. `client` is a consumer that
/// reads uncommitted records. Blocks for as long as that takes, and for `settle` at least; waits
/// for brokers.
///   kDataLoss    a tail begins below the first record that is left (retention, a topic made anew)
///   kCancelled   the start was called off
[[nodiscard]] Result<operators::WrittenMarks> read_kafka_tail(const KafkaClient& client,
                                                              const KafkaTailSpec& spec,
                                                              const LogFunction& log);

}  // namespace millrace::connectors
