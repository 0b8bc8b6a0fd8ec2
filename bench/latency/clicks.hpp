#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::bench {

/// How many different users the clicks come from; the users table has a row for each.
inline constexpr int kUsers = 1000;

/// What kind of event record number `seq` holds, the same in every run: a third of each.
enum class EventType : std::uint8_t { kView, kClick, kPurchase };
EventType event_type_of(std::uint64_t seq);

/// Says which kinds of events the job that is measured passes on, as a list like "view,click"
/// (which is what holds otherwise): what the forwarder passes on too, and what must come out. Once,
/// before anything else. kInvalidArgument for another word, or none.
[[nodiscard]] Status keep_events(std::string_view names);
/// True when the job and the forwarder pass the record on.
[[nodiscard]] bool is_passed_on(std::uint64_t seq);

/// Writes click number `seq` as JSON into `record`, its note padded so that the whole is
/// `size_bytes` long (or a little longer when that is too short for the fields).
void write_click(std::uint64_t seq, std::int64_t ts_ms, int size_bytes, std::string& record);

/// The users table of the job as CSV with a header line.
std::string users_csv();

/// Finds the record number in a click or an enriched click; -1 when there is none.
std::int64_t seq_of(std::string_view record);

/// True for the clicks that both the job and the forwarder drop.
bool is_dropped(std::string_view record);

}  // namespace millrace::bench
