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
/// From the system's time zone database. The rule by which a zone's clocks are changed holds for
/// ever: it comes again in the same form every 400 years, which are a whole number of weeks.
class TimeZone {
 public:
  /// By a name of the database ("America/New_York"), as UTC, GMT, UT or Z, by an offset ("+02:00",
  /// "-0530", "+8"), by both ("UTC+2"), or by one of the three-letter names that Java knows ("PST",
  /// "JST"). kInvalidArgument for anything else.
  [[nodiscard]] static Result<const TimeZone*> find(std::string_view name);
  [[nodiscard]] static const TimeZone& utc();

  /// Of a three-letter name that of the zone it stands for.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Local time minus UTC at a UTC time, in µs.
  [[nodiscard]] std::int64_t offset_at(std::int64_t utc_us) const {
    return period_at(utc_us).offset_us;
  }
  /// What the zone's time is called at a UTC time: "CET", "CEST"; where the database has no word
  /// but a number, that: "-03".
  [[nodiscard]] std::string_view abbreviation_at(std::int64_t utc_us) const {
    return period_at(utc_us).abbreviation;
  }
  /// Both directions stay where they are when the result is out of range.
  [[nodiscard]] std::int64_t to_local(std::int64_t utc_us) const;
  /// A local time that comes twice is the first of the two; one that never comes (clocks were put
  /// forward over it) is as far behind the gap's end as it lies behind its begin.
  [[nodiscard]] std::int64_t to_utc(std::int64_t local_us) const;

  /// A stretch of UTC time with one offset: [begin, end).
  struct Period {
    std::int64_t begin_us = 0;
    std::int64_t end_us = 0;
    std::int64_t offset_us = 0;
    std::string abbreviation;
  };

 private:
  TimeZone(std::string name, std::vector<Period> periods, std::int64_t cycle_begin_us)
      : name_(std::move(name)), periods_(std::move(periods)), cycle_begin_us_(cycle_begin_us) {}
  static Result<const TimeZone*> load(const std::string& name);
  static const TimeZone* make_fixed(const std::string& name, std::int64_t offset_us);
  /// How much later than the same moment of the first cycle a time is.
  [[nodiscard]] std::int64_t behind_first_cycle(std::int64_t time_us) const;
  [[nodiscard]] const Period& period_at(std::int64_t utc_us) const;

  std::string name_;
  std::vector<Period> periods_;  ///< without gaps, in order; those of one cycle and a year more
  std::int64_t cycle_begin_us_;  ///< 400 years from here on come again and again
};

/// Reads "Z", "+02:00", "-0530", "+8", "+02:00:30" as microseconds. False for anything else and
/// beyond 18 hours.
bool read_zone_offset(std::string_view text, std::int64_t& offset_us);

}  // namespace millrace::stream
