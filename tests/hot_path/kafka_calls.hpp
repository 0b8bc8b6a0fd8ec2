#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::hot_path {

/// What the engine is given instead of a broker's records: `records` values in turn, each with a
/// key and two headers, in calls of at most `rows_per_call`, until `total` have been given.
struct Feed {
  std::vector<std::string> values;
  std::int64_t total = 0;
  std::int64_t rows_per_call = 1;
};

/// Begins a feed; the engine polls it as one partition. Everything is prepared here, so that giving
/// a record allocates nothing.
void begin_feed(Feed feed);
/// Records given, and records that reached rd_kafka_produceva and were acknowledged.
[[nodiscard]] std::int64_t records_given();
[[nodiscard]] std::int64_t records_produced();
/// Called, off the hot path, whenever so many records have been given.
void at_record(std::int64_t record, void (*action)());
/// Ends the thread that acknowledges.
void end_feed();

}  // namespace millrace::hot_path
