#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// How far local time is ahead of UTC in one place, at every moment. Immutable; zones are made once
/// and live for ever. Thread-safe; after `find`, no lookup allocates or takes a lock.
///
/// From the system's time zone database, whose tables end in 2037: after that the last offset
/// holds, without daylight saving.
class TimeZone {
 public:
  /// A stretch of UTC time with one offset: [begin, end).
  struct Period {
    std::int64_t begin_us = 0;
    std::int64_t end_us = 0;
    std::int64_t offset_us = 0;  ///< local time minus UTC
  };

  /// By a name of the database ("America/New_York"), as UTC, GMT, UT or Z, by an offset ("+02:00",
  /// "-0530", "+8"), or by both ("UTC+2"). kInvalidArgument for anything else.
  [[nodiscard]] static Result<const TimeZone*> find(std::string_view name);
  [[nodiscard]] static const TimeZone& utc();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The period that holds a UTC time. Keep it: the next row's time is mostly in it too.
  [[nodiscard]] const Period& period_at(std::int64_t utc_us) const;
  /// Both directions stay where they are when the result is out of range.
  [[nodiscard]] std::int64_t to_local(std::int64_t utc_us) const;
  /// A local time that comes twice is the first of the two; one that never comes (clocks were put
  /// forward over it) is as far behind the gap's end as it lies behind its begin.
  [[nodiscard]] std::int64_t to_utc(std::int64_t local_us) const;

 private:
  TimeZone(std::string name, std::vector<Period> periods)
      : name_(std::move(name)), periods_(std::move(periods)) {}
  static Result<const TimeZone*> load(const std::string& name);

  std::string name_;
  std::vector<Period> periods_;  ///< without gaps, in order
};

/// Reads "Z", "+02:00", "-0530", "+8", "+02:00:30" as microseconds. False for anything else and
/// beyond 18 hours.
bool read_zone_offset(std::string_view text, std::int64_t& offset_us);

}  // namespace millrace::stream
