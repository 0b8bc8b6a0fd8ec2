#pragma once

#include "millrace/clock.hpp"

#include "stream/time_zone.hpp"

#include <cstdint>

namespace millrace::stream {

/// What becomes of a row that a function cannot compute.
enum class ErrorMode : std::uint8_t {
  kFail,    ///< it is an error
  kNull,    ///< its result is null: try_cast, try_add
  kLegacy,  ///< integers wrap, doubles are cut to the range, all else is null: ansi = 'false'
};

/// What a query's expressions are evaluated under. A plain value, fixed when the query is planned.
struct EvaluationSettings {
  const TimeZone* zone = &TimeZone::utc();  ///< in which timestamps are read, shown and cut
  bool is_ansi = true;
  const Clock* clock = nullptr;  ///< of current_timestamp; null: the host's. Outlives the query

  /// Of functions that have no mode of their own.
  [[nodiscard]] ErrorMode mode() const { return is_ansi ? ErrorMode::kFail : ErrorMode::kLegacy; }
};

}  // namespace millrace::stream
