#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::triggers {

/// Which policy says when an epoch ends.
enum class TriggerKind {
  kRealTime,  ///< open drive: rows flow at once, an epoch ends every so often
};

/// A trigger as the user asked for it. A plain value.
struct Trigger {
  TriggerKind kind = TriggerKind::kRealTime;
  std::int64_t interval_ms = 5000;

  friend bool operator==(const Trigger&, const Trigger&) = default;
};

/// The shortest epoch that real_time accepts.
inline constexpr std::int64_t kRealTimeIntervalMinMs = 10;

/// Reads the option `trigger`: "real_time 5 seconds", "real_time 10 ms". Case, underscores and
/// dashes in the name do not matter; blank text is the default, real_time 5 seconds.
///   kInvalidArgument  an unknown name (names the nearest) or a duration that cannot be
///   kNotSupported     a trigger that is known and not built yet
[[nodiscard]] Result<Trigger> parse_trigger(std::string_view text);

/// "real_time 5 seconds": what parse_trigger reads back; for explain and messages.
[[nodiscard]] std::string to_string(const Trigger& trigger);

}  // namespace millrace::triggers
