#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::triggers {

/// Which policy says when an epoch begins and ends.
enum class TriggerKind {
  kRealTime,        ///< open drive: rows flow at once, an epoch ends every so often
  kProcessingTime,  ///< planned drive: an epoch begins at each interval of the wall clock
  kOnce,            ///< planned drive: one epoch with all there is, then the query ends
  kAvailableNow,    ///< planned drive: what is there at the start, in epochs, then the query ends
};

/// A trigger as the user asked for it. A plain value.
struct Trigger {
  TriggerKind kind = TriggerKind::kRealTime;
  /// kRealTime: how long an epoch lasts; kProcessingTime: from the begin of one epoch to that of
  /// the next, 0 for as soon as there are rows. Nothing to the others.
  std::int64_t interval_ms = 5000;
  /// kRealTime: rows after which an epoch ends early; 0: it never does.
  std::int64_t rows = 0;

  friend bool operator==(const Trigger&, const Trigger&) = default;
};

/// Whether an epoch's end is fixed before it is read (the planned drive).
[[nodiscard]] bool is_planned(const Trigger& trigger);

/// The shortest epoch that real_time accepts.
inline constexpr std::int64_t kRealTimeIntervalMinMs = 10;

/// Reads the option `trigger`: "real_time 5 seconds", "real_time 10 ms or 5000 rows",
/// "processing_time 1 minute", "processing_time" (as soon as there are rows; also "micro_batch"),
/// "once", "available_now". Case, underscores and dashes in the name do not matter; blank text is
/// the default, real_time 5 seconds.
///   kInvalidArgument  an unknown name (names the nearest), a duration or a count that cannot be
///   kNotSupported     a trigger of others that there is not
[[nodiscard]] Result<Trigger> parse_trigger(std::string_view text);

/// "real_time 5 seconds": what parse_trigger reads back; for explain and messages.
[[nodiscard]] std::string to_string(const Trigger& trigger);

}  // namespace millrace::triggers
